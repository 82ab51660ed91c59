#!/usr/bin/env bats
# cpumeter as its callers see it: options, sources that come, go and start again, signals, BPF programs.

bats_require_minimum_version 1.5.0

load process

setup_file() {
  make -C "$BATS_TEST_DIRNAME/../.." --silent build/cpumeter build/burner build/bpfload
}

setup() {
  root=$(realpath "$BATS_TEST_DIRNAME/../..")
  CPUMETER=$(realpath "${CPUMETER:-$root/build/cpumeter}")
  cpuacct=$(awk '$3 == "cgroup" && "," $4 "," ~ /,cpuacct,/ { print $2; exit }' /proc/self/mounts)
  unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
  memory=$(awk '$3 == "cgroup" && "," $4 "," ~ /,memory,/ { print $2; exit }' /proc/self/mounts)
  group=cpumeter-test-$$
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  local mount
  end_started
  for mount in "$cpuacct" "$unified" "$memory"; do
    [[ ! -d $mount/$group ]] || find "$mount/$group" -depth -type d -exec rmdir {} +
  done
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$CPUMETER" "$@"
}

# start_meter ARGUMENTS...: into readings.csv; returns after the first reading.
start_meter() {
  start env --default-signal=INT "$CPUMETER" "$@" --output readings.csv
  meter=$pid
  wait_for readings 1
}

# readings N: at least as many have been written.
readings() {
  [[ -e readings.csv ]] && (($(grep -c ',self,' readings.csv) >= $1))
}

# Returns after a reading that began after the call.
whole_reading() {
  wait_for readings $(($(grep -c ',self,' readings.csv) + 2))
}

end_meter() {
  kill -s "${1:-TERM}" "$meter"
  wait "$meter"
}

# rows SOURCE NAME COLUMN: that column of all its rows.
rows() {
  awk -F, -v source="$1" -v name="$2" -v column="$3" '$2 == source && $3 == name { print $column }' readings.csv
}

# growth SOURCE NAME COLUMN: from the first to the last row.
growth() {
  rows "$@" | awk 'NR == 1 { first = $1 } { last = $1 } END { printf "%d\n", last - first }'
}

# start_tool COMMAND...: with its stdin at $tool_in, its stdout in tool.out.
start_tool() {
  rm -f tool.in
  mkfifo tool.in
  # The shell that opens a FIFO waits for its other end.
  start sh -c 'exec "$@" <tool.in >tool.out' - "$@"
  tool=$pid
  exec {tool_in}>tool.in
  wait_for grep -q . tool.out
}

tool_has_run() {
  (($(wc -l <tool.out) >= 2))
}

# Has the tool do its work.
run_tool() {
  echo >&"$tool_in"
  wait_for tool_has_run
}

# The CPU time that a burner says it used.
own_ns() {
  tail -n 1 tool.out | cut -d' ' -f1
}

end_tool() {
  echo >&"$tool_in"
  exec {tool_in}>&-
  wait "$tool"
}

needs_bpf() {
  "$CPUMETER" --once --bpf >/dev/null 2>&1 || skip "no BPF statistics here: $("$CPUMETER" --once --bpf 2>&1 >/dev/null)"
}

needs_cpuacct() {
  [[ -n $cpuacct && -w $cpuacct ]] || skip "needs root, and cpuacct of cgroup v1"
}

@test "nothing to read, and bad values, are refused" {
  refused '*nothing to read: expected --cgroup*'
  refused "*--cgroup 'x': expected NAME=VALUE*" --cgroup x
  refused "*--cgroup 'a,b=/': expected a name*" --cgroup a,b=/
  refused "*--pid '0': expected the number of a process*" --pid a=0
  refused "*--kthread '': expected a name*" --kthread ''
  refused "*--bpf-owner 'x=1': expected cgroup=PATH or pid=N*" --bpf-owner x=1
  refused "*--bpf-since '-1': expected the id*" --bpf-since=-1
  refused "*--interval '0': expected seconds*" --host --interval 0
  refused "*--duration 'x': expected seconds*" --host --duration x
  refused "*--once: expected neither*" --host --once --duration 1
  refused "*'extra': expected options only*" --host extra
  refused "*unrecognized option '--frobnicate'*" --host --frobnicate
}

@test "the same name twice is refused" {
  refused "*--pid 'a': expected a name that was not given before*" --pid a=$$ --pid a=$$
  refused "*--pid 'a': with --memory, expected another name*" --memory --pid a=$$ --cgroup "a=$unified"
  refused '*--memory: expected a --cgroup or --pid*' --memory --host
}

@test "sources that are not there are refused" {
  refused "*--cgroup 'a=/missing': expected a cgroup*No such file*" --cgroup a=/missing
  refused "*--pid 'a=2147483647': expected a running process*" --pid a=2147483647
  refused "*--kthread 'no-such-thread': expected the name of a running kernel thread" --kthread no-such-thread
  refused "*--bpf-owner 'pid=2147483647': expected a running process*" --bpf-owner pid=2147483647
  refused "*--bpf-owner 'cgroup=/missing': expected a cgroup*" --bpf-owner cgroup=/missing
  refused "*--memory-cgroup 'a=/missing': expected a cgroup with memory.current*" --memory-cgroup a=/missing
}

@test "a cgroup that does not count CPU time is refused" {
  local cpu
  cpu=$(awk '$3 == "cgroup" && "," $4 "," ~ /,cpu,/ && "," $4 "," !~ /,cpuacct,/ { print $2; exit }' /proc/self/mounts)
  [[ -n $cpu ]] || skip "needs cpu of cgroup v1, without cpuacct"
  mkdir "$cpu/$group"
  refused "*--cgroup 'a=$cpu/$group': it has no CPU time*" --cgroup "a=$cpu/$group"
  rmdir "$cpu/$group"
}

@test "an output file that cannot be written is refused" {
  refused "*--output '/missing/x': cannot write to it*" --host --once --output /missing/x
}

@test "output that cannot be written ends it with 1" {
  run --separate-stderr "$CPUMETER" --host --once --output /dev/full
  [[ $status -eq 1 ]]
  [[ $stderr == 'cpumeter: cannot write /dev/full: No space left on device' ]]
}

@test "--once is one reading with a header" {
  "$CPUMETER" --once --pid self=$$ --kthread ksoftirqd/0 --output readings.csv
  [[ $(head -n 1 readings.csv) == time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status ]]
  [[ $(cut -d, -f2,3 readings.csv | tail -n +2 | tr '\n' ' ') == 'clock,monotonic clock,boottime pid,self kthread,ksoftirqd/0 self,cpumeter ' ]]
  awk -F, 'NF != 8 { exit 1 }' readings.csv
}

@test "a duration and an interval give readings at both ends and in between" {
  "$CPUMETER" --host --duration 0.5 --interval 0.2 --output readings.csv
  [[ $(rows clock monotonic 4 | wc -l) -eq 4 ]]
  # The clock grows by the window at least.
  (($(growth clock monotonic 4) >= 499000000))
  (($(growth clock boottime 4) >= 499000000))
  [[ $(rows clock boottime 8 | sort -u) == ok ]]
}

@test "INT, TERM and HUP end it with a last reading" {
  local signal
  for signal in INT TERM HUP; do
    start_meter --pid self=$$
    end_meter "$signal"
    [[ $(rows clock monotonic 4 | wc -l) -eq 2 ]]
    rm readings.csv
  done
}

@test "time_ns is the time of day" {
  local before after
  before=${EPOCHREALTIME/./}000
  "$CPUMETER" --once --host --output readings.csv
  after=${EPOCHREALTIME/./}999
  awk -F, -v before="$before" -v after="$after" 'NR > 1 && ($1 < before || $1 > after) { exit 1 }' readings.csv
}

@test "a process that burns is seen to, dead threads included" {
  start_tool "$root/build/burner" threads 20 0.5
  start_meter --pid "burner=$tool"
  run_tool
  end_meter
  end_tool
  echo "own $(own_ns), metered $(growth pid burner 4)"
  awk -v own="$(own_ns)" -v metered="$(growth pid burner 4)" 'BEGIN { exit !(metered >= own && metered < own * 1.02) }'
}

@test "a cgroup counts the children that ended" {
  local hierarchy=${cpuacct:-$unified}
  [[ -w $hierarchy ]] || skip "needs root"
  mkdir "$hierarchy/$group"
  start_tool "$root/build/burner" children 20 0.5
  echo "$tool" >"$hierarchy/$group/cgroup.procs"
  start_meter --cgroup "burner=$hierarchy/$group"
  run_tool
  end_meter
  end_tool
  echo "own $(own_ns), metered $(growth cgroup burner 4)"
  awk -v own="$(own_ns)" -v metered="$(growth cgroup burner 4)" 'BEGIN { exit !(metered >= own && metered < own * 1.02) }'
}

@test "v1 and v2 agree on a cgroup" {
  [[ -n $cpuacct && -w $cpuacct && -n $unified && -w $unified ]] || skip "needs root, and cgroup v1 and v2"
  mkdir "$cpuacct/$group" "$unified/$group"
  start_tool "$root/build/burner" process 20 0.3
  echo "$tool" >"$cpuacct/$group/cgroup.procs"
  echo "$tool" >"$unified/$group/cgroup.procs"
  start_meter --cgroup "v1=$cpuacct/$group" --cgroup "v2=$unified/$group"
  run_tool
  end_meter
  end_tool
  awk -v own="$(own_ns)" -v v1="$(growth cgroup v1 4)" -v v2="$(growth cgroup v2 4)" \
    'BEGIN { exit !(v1 >= own && v2 > v1 - 2000 && v2 < v1 + 2000) }'
}

@test "a process that ends is gone, with its last figure" {
  start_tool "$root/build/burner" process 50 0.1
  start_meter --pid "burner=$tool" --interval 0.05 --memory
  run_tool
  whole_reading
  end_tool
  wait_for grep -q pid,burner,.*,gone readings.csv
  end_meter
  [[ $(rows pid burner 8 | uniq | tr '\n' ' ') == 'ok gone ' ]]
  [[ $(rows memory burner 8 | uniq | tr '\n' ' ') == 'ok gone ' ]]
  (($(growth pid burner 4) >= $(own_ns)))
  (($(rows memory burner 7 | tail -n 1) > 0))
  rows pid burner 4 | sort -nc
}

@test "a cgroup that is removed is gone, even if there is a new one of that name" {
  local hierarchy=${cpuacct:-$unified}
  [[ -w $hierarchy ]] || skip "needs root"
  mkdir "$hierarchy/$group"
  start_meter --cgroup "a=$hierarchy/$group" --interval 0.05
  rmdir "$hierarchy/$group"
  mkdir "$hierarchy/$group"
  wait_for grep -q cgroup,a,.*,gone readings.csv
  end_meter
  [[ $(rows cgroup a 8 | uniq | tr '\n' ' ') == 'ok gone ' ]]
  [[ $(rows cgroup a 4 | tail -n 1) -eq 0 ]]
}

@test "a counter that is set back goes on, and says so" {
  needs_cpuacct
  mkdir "$cpuacct/$group"
  start_tool "$root/build/burner" process 50 0.1
  echo "$tool" >"$cpuacct/$group/cgroup.procs"
  start_meter --cgroup "a=$cpuacct/$group" --interval 0.05
  run_tool
  whole_reading
  echo 0 >"$cpuacct/$group/cpuacct.usage"
  wait_for grep -q cgroup,a,.*,reset readings.csv
  end_meter
  end_tool
  [[ $(rows cgroup a 8 | uniq -c | grep -c reset) -eq 1 ]]
  rows cgroup a 4 | sort -nc
  (($(growth cgroup a 4) >= $(own_ns)))
}

@test "memory of cgroups and processes, now and at most" {
  [[ -n $memory && -w $memory ]] || skip "needs root, and memory of cgroup v1"
  mkdir "$memory/$group"
  "$CPUMETER" --once --memory --pid self=$$ --memory-cgroup "root=$memory" --memory-cgroup "empty=$memory/$group" \
    --output readings.csv
  (($(rows memory self 6) > 100000 && $(rows memory self 7) >= $(rows memory self 6)))
  (($(rows memory root 6) > 1000000 && $(rows memory root 7) >= $(rows memory root 6)))
  [[ $(rows memory empty 6) -eq 0 && $(rows memory empty 7) -eq 0 ]]
  # The hierarchy that counts CPU time does not count memory.
  "$CPUMETER" --once --memory --cgroup "a=$cpuacct" --pid self=$$ --output readings.csv
  [[ -z $(rows memory a 6) && -n $(rows memory self 6) ]]
  "$CPUMETER" --once --memory --cgroup "a=$cpuacct" --memory-cgroup "a=$memory/$group" --output readings.csv
  [[ $(rows memory a 6) -eq 0 ]]
}

@test "the host's times add up" {
  "$CPUMETER" --host --duration 0.5 --output readings.csv
  # An idle period under way may turn out to be one of iowait: idle is then held for a while.
  awk -v elapsed="$(growth host elapsed 4)" -v monotonic="$(growth clock monotonic 4)" -v cpus="$(nproc --all)" \
    -v sum="$(($(growth host idle 4) + $(growth host iowait 4) + $(growth host busy 4)))" 'BEGIN {
      exit !(elapsed > 0.98 * monotonic * cpus && elapsed < 1.02 * monotonic * cpus && \
        sum > 0.98 * elapsed && sum < 1.02 * elapsed) }'
  [[ $(rows host idle 8 | sort -u) == ok:timer_list || $(rows host idle 8 | sort -u) == ok:stat ]]
}

@test "a burner keeps the host busy, and idle less" {
  start_tool "$root/build/burner" process 100 0.5
  start_meter --host
  run_tool
  end_meter
  end_tool
  (($(own_ns) > 0))
  # A CPU that has just become idle or busy may not have said so.
  (($(growth host busy 4) >= $(own_ns) - 20000000))
  (($(growth host idle 4) <= $(growth host elapsed 4) - $(own_ns) + 20000000))
  [[ -z $cpuacct ]] || (($(growth host tasks 4) >= $(own_ns) - 20000000))
}

@test "who cannot read timer_list gets idle from stat, and is told" {
  [[ $EUID -eq 0 ]] || skip "needs root, to stop being it"
  setpriv --reuid nobody --clear-groups "$CPUMETER" --host --once >readings.csv
  [[ $(rows host idle 8) == ok:stat ]]
}

@test "runs of a BPF program are counted, each of them" {
  needs_bpf
  local id
  start_tool "$root/build/bpfload" test 54321 100
  id=$(head -n 1 tool.out)
  start_meter --bpf-owner "pid=$tool"
  run_tool
  end_meter
  end_tool
  [[ $(growth bpf "$id:bench_filter:socket_filter" 5) -eq 54321 ]]
  (($(growth bpf "$id:bench_filter:socket_filter" 4) > 54321 * 10))
}

@test "a BPF program that its owner holds by a link only is counted" {
  needs_bpf
  local id
  start_tool "$root/build/bpfload" syscalls 5000 1
  id=$(head -n 1 tool.out)
  start_meter --bpf-owner "pid=$tool"
  run_tool
  end_meter
  end_tool
  (($(growth bpf "$id:bench_filter:raw_tracepoint" 5) >= 5000))
}

@test "BPF programs of an owner, of a cgroup, since an id, all of them" {
  needs_bpf
  local id hierarchy=${cpuacct:-$unified} row
  mkdir -p "$hierarchy/$group/below"
  start_tool "$root/build/bpfload" packets 1 1
  id=$(head -n 1 tool.out)
  row=$id:bench_filter:socket_filter

  "$CPUMETER" --once --bpf --output readings.csv
  [[ $(rows bpf "$row" 8) == ok ]]
  "$CPUMETER" --once --bpf-owner pid=$$ --output readings.csv
  [[ -z $(rows bpf "$row" 8) ]]
  "$CPUMETER" --once --bpf-since "$id" --output readings.csv
  [[ -z $(rows bpf "$row" 8) ]]
  "$CPUMETER" --once --bpf-since $((id - 1)) --bpf-owner pid=$$ --output readings.csv
  [[ $(rows bpf "$row" 8) == ok ]]
  "$CPUMETER" --once --bpf-owner "cgroup=$hierarchy/$group" --output readings.csv
  [[ -z $(rows bpf "$row" 8) ]]
  echo "$tool" >"$hierarchy/$group/below/cgroup.procs"
  "$CPUMETER" --once --bpf-owner "cgroup=$hierarchy/$group" --output readings.csv
  [[ $(rows bpf "$row" 8) == ok ]]
  end_tool
}

@test "a BPF program that comes is picked up, one that goes is gone" {
  needs_bpf
  local id
  start_meter --bpf --interval 0.05
  start_tool "$root/build/bpfload" packets 7 10
  id=$(head -n 1 tool.out)
  wait_for grep -q "bpf,$id:.*,ok" readings.csv
  run_tool
  wait_for grep -q "bpf,$id:bench_filter:socket_filter,[0-9]*,7,,,ok" readings.csv
  end_tool
  wait_for grep -q "bpf,$id:.*,gone" readings.csv
  end_meter
  [[ $(rows bpf "$id:bench_filter:socket_filter" 5 | tail -n 1) -eq 7 ]]
}

# What the kernel has counted of the tool's BPF program.
kernel_runs() {
  awk '$1 == "run_cnt:" { print $2 }' "/proc/$tool/fdinfo/"*
}

@test "BPF statistics are on while it runs, and off when it has ended" {
  needs_bpf
  [[ $(</proc/sys/kernel/bpf_stats_enabled) == 0 ]] || skip "they are on for everybody: kernel.bpf_stats_enabled"
  start_meter --bpf
  start_tool "$root/build/bpfload" test 1000 1
  run_tool
  [[ $(kernel_runs) == 1000 ]]
  end_tool
  end_meter
  start_tool "$root/build/bpfload" test 1000 1
  run_tool
  [[ $(kernel_runs) == 0 ]]
  end_tool
}

@test "its own CPU time is a row of its own" {
  "$CPUMETER" --host --pid a=$$ --interval 0.1 --duration 0.3 --output readings.csv
  awk -v self="$(growth self cpumeter 4)" -v elapsed="$(growth clock monotonic 4)" \
    'BEGIN { printf "%d of %d ns\n", self, elapsed; exit !(self > 0 && self < elapsed) }'
}
