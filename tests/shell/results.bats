#!/usr/bin/env bats
# From raw files to figures, on a small run written by hand.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  EXECTAX_ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  use_rooms base measure report
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN"
  echo '{"started": "2026-01-02T03:04:05+00:00", "skipped": {"gone": "not here"}, "options": {"reps": 3, "duration_s": 2},
    "host": {"os": "Test OS", "kernel": "6.1", "cpus": 2, "cpu_model": "CPU", "virtualisation": "none"}}' >"$RUN/manifest.json"
  echo "cell,rep,monitor,rate,turn" >"$RUN/plan.csv"
  CELL=0
}

# cell MONITOR RATE REP[.TURN] DAEMON_CPU RECORDED [STATUS]: windows of 2 s each with constant CPU, 20 launches, of which 8 in
# window A (2 ms CPU each, 3 ms long) and 8 in window B. Figures of the whole host are those of host_busy_ns and others.
cell() {
  local dir=$RUN/cells/$1/$2-$3 rep=${3%.*} i
  CELL=$((CELL + 1))
  mkdir -p "$dir"
  echo "$CELL,$rep,$1,$2,$([[ $3 == *.* ]] && echo "${3#*.}" || echo 1)" >>"$RUN/plan.csv"
  jq -n --arg test "$1" --argjson rate "$2" --argjson rep "$rep" --arg status "${6:-ok}" --argjson cell "$CELL" \
    '{cell: $cell, test: $test, exec_per_sec: $rate, rep: $rep, status: $status, reason: (if $status == "ok" then "" else "broke" end)}' >"$dir/cell.json"
  echo '{"launched": 20, "failed": 0, "missed": 0, "saturated": false, "start_real_ns": 800000000, "start_mono_ns": 60800000000, "duration_s": 5}' >"$dir/load.json"
  echo '{"last_record_us": 7050000}' >"$dir/drain.json"
  echo '{"losses": {"kernel": 5}, "helpers": ["kauditd"]}' >"$dir/before.json"
  echo '{"losses": {"kernel": 7}, "helpers": ["kauditd"]}' >"$dir/after.json"
  readings "$4" 1000000000 >"$dir/window-a.csv"
  readings "$4" 3000000000 >"$dir/window-b.csv"
  [[ -z $5 ]] || echo "{\"recorded\": $5}" >"$dir/count.json"
  printf '11,daemon,dd\n12,helper,kauditd\n' | tee "$dir/pids.csv" >"$dir/pids-after.csv"
  {
    printf 'Linux 6.1 (host) \t2026-01-02 \t_x86_64_\t(2 CPU)\n'
    for i in 1 2; do
      printf '\n# Time        UID       PID    %%usr %%system  %%guest   %%wait    %%CPU   CPU  Command\n'
      printf '03:04:0%d        0        11    0.00    0.00    0.00    9.00    %s     1  dd\n' $i "$4"
      printf '03:04:0%d        0        12    0.00    0.00    0.00    9.00    1.50     1  kauditd\n' $i
    done
  } >"$dir/pidstat.txt"
  {
    echo "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status"
    for ((i = 0; i < 20; i++)); do
      echo "$i,0,$((800000000 + i * 250000000 + MONO_NS)),0,$((800000000 + i * 250000000)),${CHILD_US:-2000},3000000,0"
    done
  } | gzip >"$dir/launches.csv.gz"
}

# The clocks: CLOCK_MONOTONIC is a minute ahead of these times of day.
MONO_NS=60000000000

# readings DAEMON_CPU FROM_NS: what cpumeter says at both ends of a window. kauditd works at 1.5 %. 8 launches of 2.5 ms
# (child and launcher together) make 20 ms; the sampler takes 10 ms.
readings() {
  local end=$(($2 + 2000000000)) daemon=$((${1/./} * 200000))
  cat <<CSV
time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status
$2,clock,monotonic,$(($2 + MONO_NS)),,,,ok
$2,cgroup,monitor,100,,,,ok
$2,cgroup,load,1000,,,,ok
$2,cgroup,sampler,1000,,,,ok
$2,kthread,kauditd,700,,,,ok
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
$end,host,busy,${BUSY_NS:-1000000000},,,,ok
$end,host,tasks,900000000,,,,ok
$end,host,steal,${STEAL_NS:-0},,,,ok
$end,memory,monitor/11,,,4096,12288,ok
$end,bpf,7:on_exec:tracing,80500,11,,,ok
CSV
}

value() {
  mlr --icsv --onidx filter '$test == "'"$2"'" && $exec_per_sec == "'"$3"'"' then cut -f "$4" "$RUN/$1"
}

@test "a cell's figures" {
  STEAL_NS=200000000 cell auditd 100 1 4.00 19
  echo '{"start": 1000, "end": 9000}' >"$RUN/cells/auditd/100-1/log-bytes.json"
  results_make "$RUN" >/dev/null 2>&1
  # No baseline, no window B: the CPU of what was there.
  [ "$(value cells.csv auditd 100 cpu)" = 5.5 ]
  [ "$(value cells.csv auditd 100 daemon_cpu)" = 4 ]
  [ "$(value cells.csv auditd 100 helpers_cpu)" = 1.5 ]
  [ "$(value cells.csv auditd 100 pidstat_daemon,pidstat_helpers)" = "4 1.5" ]
  # Starts at 0.8 s, 1.05 s, ... 2.80 s, 3.05 s; window A is 1 s to 3 s.
  [ "$(value cells.csv auditd 100 achieved_per_sec)" = 4 ]
  # 80 ms of 8 launches.
  [ "$(value cells.csv auditd 100 daemon_us)" = 10000 ]
  [ "$(value cells.csv auditd 100 helpers_us)" = 3750 ]
  [ "$(value cells.csv auditd 100 child_cpu_mean_us)" = 2000 ]
  [ "$(value cells.csv auditd 100 launcher_cpu_us)" = 500 ]
  [ "$(value cells.csv auditd 100 lost)" = 1 ]
  # 5 s of load from 0.8 s on, the last record seen at 7.05 s.
  [ "$(value cells.csv auditd 100 behind_s)" = 1.25 ]
  [ "$(value cells.csv auditd 100 loss_counters)" = kernel=2 ]
  [ "$(value cells.csv auditd 100 host_busy)" = 50 ]
  [ "$(value cells.csv auditd 100 host_steal)" = 10 ]
  [ "$(value cells.csv auditd 100 marks)" = steal ]
  [ "$(value cells.csv auditd 100 memory_peak_bytes)" = 12288 ]
  [ "$(value cells.csv auditd 100 log_bytes)" = 1000 ]
  [ -z "$(value cells.csv auditd 100 total_us)" ]
  [ -z "$(value cells.csv auditd 100 bpf_us)" ]
}

@test "the parts and the rest explain the total, against the baseline of the same rate" {
  # Per execution: child 2000 and 2300 us, launcher 500 and 600, host 1000 - 10 and 1200 - 10 ms of 8.
  CHILD_US=2000 LOAD_NS=20000000 BUSY_NS=1000000000 cell none 100 1 0.00 ""
  CHILD_US=2300 LOAD_NS=23200000 BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  CHILD_US=9999 LOAD_NS=90000000 BUSY_NS=9000000000 cell none 50 1 0.00 ""
  results_make "$RUN" >/dev/null 2>&1
  local cells=$RUN/cells.csv
  of() { mlr --icsv --onidx filter '$test == "auditd" && $rep == 1' then cut -o -f "$1" "$cells"; }
  [ "$(of inband_us,launcher_us,total_us)" = "300 100 25000" ]
  # kauditd does the same without the monitor, so it is no part of the cost.
  [ "$(of helpers_us)" = 0 ]
  [ "$(of unattributed_us)" = 14600 ]
  # Of the 900 ms of all tasks, the monitor's 80 and the load's 3.2 more are known; 200 ms more were in no task.
  [ "$(of other_us,no_task_us)" = "-10400 25000" ]
  # 4 executions a second of 300 us.
  [ "$(of inband_cpu,total_cpu)" = "0.12 10" ]
  [ "$(of slowdown_p50_us)" = 0 ]
  [ "$(value perf.csv auditd 100 unattributed_us)" = 14600 ]
  run results_costs "$RUN" 100
  [[ $output == *"| 25000 | 14600 (-10400, 25000) |"* ]]
  [ -s "$RUN/parts.svg" ]
  grep -q 'auditd' "$RUN/parts.svg"
}

@test "the baseline is the average of the cells of none, in which the nearer ones count more" {
  CHILD_US=2000 BUSY_NS=1000000000 cell none 100 1 0.00 ""
  CHILD_US=2300 BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  CHILD_US=2300 BUSY_NS=1200000000 cell laurel 100 1 4.00 20
  CHILD_US=2200 BUSY_NS=1080000000 cell none 100 1.2 0.00 ""
  CHILD_US=2300 BUSY_NS=1200000000 cell auditd 100 2 4.00 20
  # A failed one tells nothing.
  CHILD_US=9999 BUSY_NS=9000000000 cell none 100 2 0.00 "" failed
  results_make "$RUN" >/dev/null 2>&1
  # Between 2000 and 2200 us, 125 and 135 ms. The second cell is 1 and 2 cells away from them: weights exp(-1/20), exp(-2/20).
  [ "$(mlr --icsv --onidx --ofs ' ' filter '$test == "auditd" && $rep == 1' then cut -o -f inband_us,total_us "$RUN/cells.csv")" = "202.499 20124.974" ]
  [ "$(value cells.csv laurel 100 inband_us,total_us)" = "197.501 19875.026" ]
  # 4 cells and 1 cell away.
  [ "$(mlr --icsv --onidx --ofs ' ' filter '$test == "auditd" && $rep == 2' then cut -o -f inband_us,total_us "$RUN/cells.csv")" = "192.514 19625.702" ]
}

@test "the table says how far the baseline's cells lie from one another" {
  BUSY_NS=1000000000 cell none 100 1 0.00 ""
  BUSY_NS=1200000000 cell none 100 1.2 0.00 ""
  BUSY_NS=1000000000 cell none 100 1.3 0.00 ""
  cell auditd 100 1 4.00 20
  results_make "$RUN" >"$BATS_TEST_TMPDIR/stdout" 2>/dev/null
  # 200 ms of 8 executions.
  grep -q '^Nine of ten cells of the baseline lay within 25000 µs of what the others tell' "$BATS_TEST_TMPDIR/stdout"
}

@test "eBPF run time is counted per execution of window B and is in cpu" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # One that is loaded within the window counts in full.
  echo "5000000000,bpf,9:late:tracing,40000,8,,,ok" >>"$RUN/cells/falco/100-1/window-b.csv"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv falco 100 bpf_us,bpf_runs)" = "15 2" ]
  [ "$(value cells.csv falco 100 bpf_cpu)" = 0.006 ]
  [ "$(value cells.csv falco 100 cpu)" = 5.506 ]
}

@test "delivery delay: from launch to the record being readable, of launches in window B" {
  cell auditd 100 1 4.00 20
  # Launch 9 starts at 3.05 s, in window B, launch 1 at 1.05 s is not; 12 (3.8 s) never arrived.
  printf 'seq,time_real_ns\n1,9000000000\n9,3055000000\n10,3320000000\n11,3550500000\n' | gzip >"$RUN/cells/auditd/100-1/delivery.csv.gz"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv auditd 100 delivery_p50_ms)" = 5 ]
  [ "$(value cells.csv auditd 100 delivery_max_ms)" = 20 ]
}

@test "a window B in which the load ended has figures if enough executions are left in it, and none otherwise" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # Window B ends at 5 s; the load, at 4.8 s.
  echo '{"launched": 20, "saturated": false, "start_real_ns": 800000000, "start_mono_ns": 60800000000, "duration_s": 4.0}' >"$RUN/cells/falco/100-1/load.json"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv falco 100 status,marks)" = "ok window-b-cut" ]
  [ "$(value cells.csv falco 100 daemon_cpu)" = 4 ]
  [ -z "$(value cells.csv falco 100 bpf_us)$(value cells.csv falco 100 cpu)" ]
  # 400 more in window B; the run time of all is 80 us.
  {
    zcat "$RUN/cells/falco/100-1/launches.csv.gz"
    for ((i = 20; i < 420; i++)); do
      echo "$i,0,63500000000,0,3500000000,2000,3000000,0"
    done
  } | gzip >"$BATS_TEST_TMPDIR/launches"
  mv "$BATS_TEST_TMPDIR/launches" "$RUN/cells/falco/100-1/launches.csv.gz"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv falco 100 marks)" = window-b-cut ]
  [ "$(value cells.csv falco 100 bpf_us)" = 0.196 ]
  [ -n "$(value cells.csv falco 100 cpu)" ]
}

@test "a step of the time of day is marked, and takes away only what is measured by it" {
  local dir=$RUN/cells/auditd/100-1
  cell auditd 100 1 4.00 19
  echo '{"before_us": 1790000000000000, "after_us": 1790000000050000}' >"$dir/clock.json"
  printf 'seq,time_real_ns\n9,3055000000\n' | gzip >"$dir/delivery.csv.gz"
  results_make "$RUN" >/dev/null 2>&1
  [ -z "$(value cells.csv auditd 100 marks)" ]
  [ "$(value cells.csv auditd 100 delivery_p50_ms)" = 5 ]
  # An hour back, within window A.
  sed -i 's/^3000000000,/-3597000000000,/' "$dir/window-a.csv"
  echo '{"before_us": 1790000000000000, "after_us": 1789996400000000}' >"$dir/clock.json"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv auditd 100 marks)" = clock-step ]
  [ "$(value cells.csv auditd 100 daemon_us,achieved_per_sec)" = "10000 4" ]
  [ -z "$(value cells.csv auditd 100 delivery_p50_ms)$(value cells.csv auditd 100 behind_s)" ]
  # One and back again, as the load saw its first half.
  echo '{"before_us": 1790000000000000, "after_us": 1790000000000000}' >"$dir/clock.json"
  sed -i 's/"launched"/"real_step_ns": -60000000, "launched"/' "$dir/load.json"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv auditd 100 marks)" = clock-step ]
}

@test "sampled and counted eBPF run time telling different things is marked" {
  cell falco 100 1 4.00 20
  touch "$RUN/cells/falco/100-1/bpf-metered"
  # 1000 ms of 8 launches are busy; a tenth of the samples is 12,500 us an execution, against 10 counted.
  printf 'true;do_execve;bpf_prog_0123456789abcdef_on_exec 100\ntrue;do_exit 900\n' | gzip >"$RUN/cells/falco/100-1/stacks.folded.gz"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv falco 100 bpf_perf_us)" = 12500 ]
  [[ $(value cells.csv falco 100 marks) == *perf-and-bpf-differ* ]]
}

@test "the only process of a monitor, for which pidstat prints one header for all samples" {
  cell execsnoop 100 1 4.00 9
  local dir=$RUN/cells/execsnoop/100-1
  echo '11,daemon,execsnoop' | tee "$dir/pids.csv" >"$dir/pids-after.csv"
  awk '/^# Time/ && seen++ { next } $3 != 12 && NF' "$dir/pidstat.txt" >"$dir/pidstat.new"
  mv "$dir/pidstat.new" "$dir/pidstat.txt"
  [ "$(grep -c '^# Time' "$dir/pidstat.txt")" -eq 1 ]
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value cells.csv execsnoop 100 pidstat_daemon)" = 4 ]
}

@test "a cell whose load left no result has no figures of it, and the others keep theirs" {
  cell auditd 100 1 4.00 19 failed
  : >"$RUN/cells/auditd/100-1/load.json"
  cell auditd 200 1 4.00 19
  cell none 200 1 0.00 ""
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(value cells.csv auditd 100 status)" = failed ]
  [ -z "$(value cells.csv auditd 100 lost)" ]
  [ "$(value cells.csv auditd 200 lost)" = 1 ]
}

@test "a cell whose cpumeter was stopped after its first reading has a row, and the others keep theirs" {
  cell auditd 100 1 4.00 19 failed
  sed -i '/^3000000000,/d' "$RUN/cells/auditd/100-1/window-a.csv"
  cell auditd 200 1 4.00 19
  cell none 200 1 0.00 ""
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(value cells.csv auditd 100 status)" = failed ]
  [ -z "$(value cells.csv auditd 100 achieved_per_sec)$(value cells.csv auditd 100 daemon_cpu)" ]
  [ "$(value cells.csv auditd 200 lost)" = 1 ]
}

@test "a picture of nothing but zeros is drawn without complaint" {
  cell none 100 1 0.00 ""
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ -s "$RUN/perf.png" ]
}

@test "what was measured at rest alone has no place in the picture" {
  cell attached 0 1 1.00 ""
  rm "$RUN"/cells/attached/0-1/{load.json,launches.csv.gz}
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(value perf.csv attached 0 cpu)" != "" ]
  grep -q "no monitor's CPU was measured under load, so there is no picture" "$BATS_TEST_TMPDIR/stderr"
  run grep -e gnuplot -e plots/ "$BATS_TEST_TMPDIR/stderr"
  [ "$status" -eq 1 ]
  [ ! -e "$RUN/perf.png" ]
}

@test "the median, the lowest and the highest of the repetitions; losses are summed" {
  cell auditd 100 1 9.00 20
  cell auditd 100 2 2.00 17
  cell auditd 100 3 3.00 19
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value perf.csv auditd 100 cpu)" = 4.5 ]
  [ "$(value perf.csv auditd 100 cpu_lowest)" = 3.5 ]
  [ "$(value perf.csv auditd 100 cpu_highest)" = 10.5 ]
  [ "$(value perf.csv auditd 100 reps)" = 3 ]
  [ "$(value perf.csv auditd 100 launched)" = 60 ]
  [ "$(value perf.csv auditd 100 recorded)" = 56 ]
  [ "$(value perf.csv auditd 100 lost)" = 4 ]
  [ "$(value perf.csv auditd 100 loss_counters)" = kernel=6 ]
}

@test "a disturbed cell is in no median and no baseline if there are others, but its losses are told" {
  BUSY_NS=1000000000 cell none 100 1 0.00 ""
  BUSY_NS=9000000000 STEAL_NS=200000000 cell none 100 1.2 0.00 ""
  BUSY_NS=1200000000 cell auditd 100 1 4.00 20
  STEAL_NS=200000000 cell auditd 100 2 30.00 11
  STEAL_NS=200000000 cell laurel 100 1 5.00 20
  results_make "$RUN" >"$BATS_TEST_TMPDIR/stdout" 2>/dev/null
  [ "$(value perf.csv auditd 100 cpu,cpu_highest,reps)" = "4 4 1" ]
  [ "$(value perf.csv auditd 100 launched,lost)" = "40 9" ]
  [ "$(value perf.csv auditd 100 total_us)" = 25000 ]
  # There are no others.
  [ "$(value perf.csv laurel 100 cpu,reps)" = "5 1" ]
  # The one undisturbed cell of the baseline has no other to be compared with.
  grep -q '^There is one cell of the baseline: how far such cells lie apart' "$BATS_TEST_TMPDIR/stdout"
}

@test "a row is saturated when most repetitions were, and the ranking says so" {
  cell auditd 100 1 1.00 20
  cell auditd 100 2 1.00 20
  cell auditd 100 3 1.00 20
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-1/load.json"
  results_make "$RUN" >"$BATS_TEST_TMPDIR/ranking"
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "false 1" ]
  ! grep -q 'host saturated' "$BATS_TEST_TMPDIR/ranking"
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-2/load.json"
  results_make "$RUN" >"$BATS_TEST_TMPDIR/ranking"
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "true 2" ]
  grep -q '^| auditd | 2.5 | 0 of 60 | host saturated at 100/s |$' "$BATS_TEST_TMPDIR/ranking"
}

@test "an even number of repetitions: the mean of the middle two" {
  cell auditd 100 1 1.00 20
  cell auditd 100 2 2.00 20
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value perf.csv auditd 100 cpu)" = 3 ]
}

@test "a cell that failed is in no median, and its row says so" {
  cell auditd 100 1 1.00 20
  cell auditd 100 2 99.00 0 failed
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value perf.csv auditd 100 cpu)" = 2.5 ]
  [ "$(value perf.csv auditd 100 status)" = failed ]
  [ "$(value perf.csv auditd 100 reason)" = broke ]
  [ "$(value perf.csv auditd 100 lost)" = 0 ]
}

@test "pidstat and cpumeter telling different things is marked" {
  cell auditd 100 1 4.00 20
  sed -i 's/cgroup,monitor,80000100/cgroup,monitor,90000100/' "$RUN/cells/auditd/100-1/window-a.csv"
  results_make "$RUN" >/dev/null 2>&1
  [[ $(value cells.csv auditd 100 marks) == *pidstat-and-cpumeter-differ* ]]
}

@test "a process that came or went within the window is marked" {
  cell auditd 100 1 4.00 20
  echo '13,daemon,new' >>"$RUN/cells/auditd/100-1/pids-after.csv"
  results_make "$RUN" >/dev/null 2>&1
  [[ $(value cells.csv auditd 100 marks) == *processes-changed* ]]
}

@test "unknown is empty, not zero: no counting of a monitor that records nothing" {
  cell none 100 1 0.00 ""
  results_make "$RUN" >/dev/null 2>&1
  [ -z "$(value perf.csv none 100 recorded)" ]
  [ -z "$(value perf.csv none 100 lost)" ]
}

@test "skipped monitors and cells never run have rows" {
  cell none 100 1 0.00 ""
  echo "2,1,none,200,1" >>"$RUN/plan.csv"
  results_make "$RUN" >/dev/null 2>&1
  [ "$(value perf.csv none 200 status)" = not-run ]
  [ "$(value perf.csv none 200 cpu)" = "" ]
  [ "$(mlr --icsv --onidx filter '$test == "gone"' then cut -o -f status,reason "$RUN/perf.csv")" = "skipped not here" ]
}

@test "the ranking has the cheapest at the highest rate first" {
  cell dear 100 1 1.00 20
  cell dear 200 1 9.00 20
  cell cheap 100 1 2.00 20
  cell cheap 200 1 3.00 15
  run --separate-stderr results_make "$RUN"
  [[ ${lines[2]} == "| cheap | 3.5 | 4.5 | 5 of 40 |  |" ]]
  [[ ${lines[3]} == "| dear | 2.5 | 10.5 | 0 of 40 |  |" ]]
  [[ ${lines[4]} == "| gone | – | – | – | skipped: not here |" ]]
}
