# shellcheck shell=bash
# The raw files of small runs, written by hand into RUN, with their rows in its plan.csv. CELL is the number of the last cell. For a test that
# needs bats' own load: this has one, so that it comes last.

# The clocks: CLOCK_MONOTONIC is a minute ahead of these times of day.
MONO_NS=60000000000

# cell MONITOR RATE REP[.TURN] DAEMON_CPU RECORDED [STATUS]: windows of 2 s each with constant CPU, 20 launches from 0.8 s on, every 0.25 s, of
# which 8 start in window A (2 ms CPU each, 3 ms long) and 8 in window B. Figures of the whole host are those of BUSY_NS and others.
cell() {
  local dir=$RUN/cells/$1/$2-$3 turn=1 status=${6:-ok}
  CELL=$((CELL + 1))
  mkdir -p "$dir"
  [[ $3 != *.* ]] || turn=${3#*.}
  echo "$CELL,${3%.*},$1,$2,$turn" >>"$RUN/plan.csv"
  echo "{\"cell\": $CELL, \"test\": \"$1\", \"exec_per_sec\": $2, \"rep\": ${3%.*}, \"turn\": $turn, \"status\": \"$status\",
    \"reason\": \"$([[ $status == ok ]] || echo broke)\"}" >"$dir/cell.json"
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"]}' >"$dir/before.json"
  echo '{"losses": {"kernel": 7}, "helpers": ["kauditd"]}' >"$dir/after.json"
  echo '{"before_us": 1790000000000000, "after_us": 1790000000000100}' >"$dir/clock.json"
  echo '{"start": 1000, "end": 9000}' >"$dir/log-bytes.json"
  readings "$4" 1000000000 >"$dir/window-a.csv"
  readings "$4" 3000000000 >"$dir/window-b.csv"
  printf '11,daemon,dd\n12,helper,kauditd\n' | tee "$dir/pids.csv" >"$dir/pids-after.csv"
  samples "$4" >"$dir/pidstat.txt"
  load "$dir" "$CELL"
  if [[ -n $5 ]]; then
    echo "{\"recorded\": $5}" >"$dir/count.json"
    echo '{"last_record_us": 7050000}' >"$dir/drain.json"
    # Launch 9 starts at 3.05 s, in window B; launch 1, at 1.05 s, is not; 12 never arrived.
    printf 'seq,time_real_ns\n1,9000000000\n9,3055000000\n10,3320000000\n11,3550500000\n' | gzip >"$dir/delivery.csv.gz"
  fi
}

# load DIR CELL: what execrate leaves.
load() {
  local i
  echo "{\"tag\": \"xtag.$2\", \"launched\": 20, \"failed\": 0, \"missed\": 0, \"saturated\": false, \"start_real_ns\": 800000000,
    \"start_mono_ns\": 60800000000, \"end_mono_ns\": 65900000000, \"duration_s\": 5, \"achieved_hz\": 4,
    \"lateness_us\": {\"p50\": 50.5, \"p99\": 90}, \"real_step_ns\": 0}" >"$1/load.json"
  {
    echo "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status"
    for ((i = 0; i < 20; i++)); do
      echo "$i,0,$((800000000 + i * 250000000 + MONO_NS)),0,$((800000000 + i * 250000000)),${CHILD_US:-2000},3000000,0"
    done
  } | gzip >"$1/launches.csv.gz"
}

# samples DAEMON_CPU: what pidstat says, twice.
samples() {
  local i
  printf 'Linux 6.1 (host) \t2026-01-02 \t_x86_64_\t(2 CPU)\n'
  for i in 1 2; do
    printf '\n# Time        UID       PID    %%usr %%system  %%guest   %%wait    %%CPU   CPU  Command\n'
    printf '03:04:0%d        0        11    0.00    0.00    0.00    9.00    %s     1  dd\n' $i "$1"
    printf '03:04:0%d        0        12    0.00    0.00    0.00    9.00    1.50     1  kauditd\n' $i
  done
}

# readings DAEMON_CPU FROM_NS: what cpumeter says at both ends of a window. kauditd works at 1.5 %. 8 launches of 2.5 ms
# (child and launcher together) make 20 ms; the sampler takes 10 ms.
readings() {
  local end=$(($2 + 2000000000)) daemon=$((10#${1/./} * 200000))
  cat <<CSV
time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status
$2,clock,monotonic,$(($2 + MONO_NS)),,,,ok
$2,cgroup,monitor,100,,,,ok
$2,cgroup,load,1000,,,,ok
$2,cgroup,sampler,1000,,,,ok
$2,kthread,kauditd,700,,,,ok
$2,host,elapsed,0,,,,ok
$2,host,busy,0,,,,ok
$2,host,tasks,0,,,,ok
$2,host,steal,0,,,,ok
$2,memory,monitor/11,,,4096,8192,ok
$2,bpf,7:on_exec:tracing,500,3,,,ok
$end,clock,monotonic,$((end + MONO_NS)),,,,ok
$end,cgroup,monitor,$((100 + daemon)),,,,ok
$end,cgroup,load,$((1000 + ${LOAD_NS:-20000000})),,,,ok
$end,cgroup,sampler,10001000,,,,ok
$end,kthread,kauditd,30000700,,,,ok
$end,host,elapsed,4000000000,,,,ok
$end,host,busy,${BUSY_NS:-1000000000},,,,ok
$end,host,tasks,900000000,,,,ok
$end,host,steal,${STEAL_NS:-0},,,,ok
$end,memory,monitor/11,,,4096,12288,ok
$end,bpf,7:on_exec:tracing,80500,11,,,ok
CSV
}
