#!/usr/bin/env bats
# From raw files to figures, on a small run written by hand.

setup() {
  EXECTAX_ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  for part in log progress results; do
    source "$EXECTAX_ROOT/lib/$part.sh"
  done
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN"
  echo '{"started": "2026-01-02T03:04:05+00:00", "skipped": {"gone": "not here"}, "options": {"reps": 3, "duration_s": 2},
    "host": {"os": "Test OS", "kernel": "6.1", "cpus": 2, "cpu_model": "CPU", "virtualisation": "none"}}' >"$RUN/manifest.json"
  echo "cell,rep,monitor,rate" >"$RUN/plan.csv"
  CELL=0
}

# cell MONITOR RATE REP DAEMON_CPU RECORDED [STATUS]: a window of 2 s with constant CPU, 10 launches of which 8 in it.
cell() {
  local dir=$RUN/cells/$1/$2-$3 i
  CELL=$((CELL + 1))
  mkdir -p "$dir"
  echo "$CELL,$3,$1,$2" >>"$RUN/plan.csv"
  jq -n --arg test "$1" --argjson rate "$2" --argjson rep "$3" --arg status "${6:-ok}" --argjson cell "$CELL" \
    '{cell: $cell, test: $test, exec_per_sec: $rate, rep: $rep, status: $status, reason: (if $status == "ok" then "" else "broke" end)}' >"$dir/cell.json"
  echo '{"launched": 10, "failed": 0, "missed": 0, "saturated": false}' >"$dir/load.json"
  echo "{\"losses\": {\"kernel\": 5}}" >"$dir/before.json"
  echo "{\"losses\": {\"kernel\": 7}}" >"$dir/after.json"
  echo '{"time_us": 1000000, "cgroup_cpu_us": 0, "machine_ticks": [100,0,100,1000,0,0,0,0,0,0], "user_hz": 100, "cpus": 2}' >"$dir/window-start.json"
  echo "{\"time_us\": 3000000, \"cgroup_cpu_us\": $(awk "BEGIN { print $4 * 20000 }"), \"machine_ticks\": [150,0,150,1280,0,0,0,20,0,0], \"user_hz\": 100, \"cpus\": 2}" >"$dir/window-end.json"
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
    for i in 0 1 2 3 4 5 6 7 8 9; do
      echo "$i,0,0,0,$((800000000 + i * 250000000)),1,1,0"
    done
  } | gzip >"$dir/launches.csv.gz"
}

value() {
  mlr --icsv --onidx filter '$test == "'"$2"'" && $exec_per_sec == "'"$3"'"' then cut -f "$4" "$RUN/$1"
}

@test "a cell's figures" {
  cell auditd 100 1 4.00 9
  results_make "$RUN" >/dev/null
  [ "$(value cells.csv auditd 100 cpu)" = 5.5 ]
  [ "$(value cells.csv auditd 100 cpu_daemon)" = 4 ]
  [ "$(value cells.csv auditd 100 cpu_helpers)" = 1.5 ]
  [ "$(value cells.csv auditd 100 cpu_cgroup)" = 4 ]
  # Starts at 0.8 s, 1.05 s, ... 2.80 s, 3.05 s; the window is 1 s to 3 s.
  [ "$(value cells.csv auditd 100 achieved_per_sec)" = 4 ]
  [ "$(value cells.csv auditd 100 lost)" = 1 ]
  [ "$(value cells.csv auditd 100 loss_counters)" = kernel=2 ]
  # 100 ticks of user and system, 20 of steal, in 2 s.
  [ "$(value cells.csv auditd 100 host_busy)" = 50 ]
  [ "$(value cells.csv auditd 100 host_steal)" = 10 ]
  [ "$(value cells.csv auditd 100 marks)" = steal ]
}

@test "a cell whose load left no result has no figures of it, and the others keep theirs" {
  cell auditd 100 1 4.00 9 failed
  : >"$RUN/cells/auditd/100-1/load.json"
  cell auditd 200 1 4.00 9
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ "$(value cells.csv auditd 100 status)" = failed ]
  [ -z "$(value cells.csv auditd 100 lost)" ]
  [ "$(value cells.csv auditd 200 lost)" = 1 ]
}

@test "a picture of nothing but zeros is drawn without complaint" {
  cell none 100 1 0.00 ""
  results_make "$RUN" >/dev/null 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
  [ ! -s "$BATS_TEST_TMPDIR/stderr" ]
  [ -s "$RUN/perf.png" ]
}

@test "the median, the lowest and the highest of the repetitions; losses are summed" {
  cell auditd 100 1 9.00 10
  cell auditd 100 2 2.00 7
  cell auditd 100 3 3.00 9
  results_make "$RUN" >/dev/null
  [ "$(value perf.csv auditd 100 cpu)" = 4.5 ]
  [ "$(value perf.csv auditd 100 cpu_lowest)" = 3.5 ]
  [ "$(value perf.csv auditd 100 cpu_highest)" = 10.5 ]
  [ "$(value perf.csv auditd 100 reps)" = 3 ]
  [ "$(value perf.csv auditd 100 launched)" = 30 ]
  [ "$(value perf.csv auditd 100 recorded)" = 26 ]
  [ "$(value perf.csv auditd 100 lost)" = 4 ]
  [ "$(value perf.csv auditd 100 loss_counters)" = kernel=6 ]
}

@test "a row is saturated when most repetitions were, and the ranking says so" {
  cell auditd 100 1 1.00 10
  cell auditd 100 2 1.00 10
  cell auditd 100 3 1.00 10
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-1/load.json"
  results_make "$RUN" >"$BATS_TEST_TMPDIR/ranking"
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "false 1" ]
  ! grep -q 'host saturated' "$BATS_TEST_TMPDIR/ranking"
  sed -i 's/"saturated": false/"saturated": true/' "$RUN/cells/auditd/100-2/load.json"
  results_make "$RUN" >"$BATS_TEST_TMPDIR/ranking"
  [ "$(value perf.csv auditd 100 saturated,saturated_reps)" = "true 2" ]
  grep -q '^| auditd | 2.5 | 0 of 30 | host saturated at 100/s |$' "$BATS_TEST_TMPDIR/ranking"
}

@test "an even number of repetitions: the mean of the middle two" {
  cell auditd 100 1 1.00 10
  cell auditd 100 2 2.00 10
  results_make "$RUN" >/dev/null
  [ "$(value perf.csv auditd 100 cpu)" = 3 ]
}

@test "a cell that failed is in no median, and its row says so" {
  cell auditd 100 1 1.00 10
  cell auditd 100 2 99.00 0 failed
  results_make "$RUN" >/dev/null
  [ "$(value perf.csv auditd 100 cpu)" = 2.5 ]
  [ "$(value perf.csv auditd 100 status)" = failed ]
  [ "$(value perf.csv auditd 100 reason)" = broke ]
  [ "$(value perf.csv auditd 100 lost)" = 0 ]
}

@test "pidstat and the cgroup telling different things is marked" {
  cell auditd 100 1 4.00 10
  sed -i 's/"cgroup_cpu_us": 80000/"cgroup_cpu_us": 90000/' "$RUN/cells/auditd/100-1/window-end.json"
  results_make "$RUN" >/dev/null
  [[ $(value cells.csv auditd 100 marks) == *pidstat-and-cgroup-differ* ]]
}

@test "a process that came or went within the window is marked" {
  cell auditd 100 1 4.00 10
  echo '13,daemon,new' >>"$RUN/cells/auditd/100-1/pids-after.csv"
  results_make "$RUN" >/dev/null
  [[ $(value cells.csv auditd 100 marks) == *processes-changed* ]]
}

@test "unknown is empty, not zero: no counting of a monitor that records nothing" {
  cell none 100 1 0.00 ""
  results_make "$RUN" >/dev/null
  [ -z "$(value perf.csv none 100 recorded)" ]
  [ -z "$(value perf.csv none 100 lost)" ]
}

@test "skipped monitors and cells never run have rows" {
  cell none 100 1 0.00 ""
  echo "2,1,none,200" >>"$RUN/plan.csv"
  results_make "$RUN" >/dev/null
  [ "$(value perf.csv none 200 status)" = not-run ]
  [ "$(value perf.csv none 200 cpu)" = "" ]
  [ "$(mlr --icsv --onidx filter '$test == "gone"' then cut -o -f status,reason "$RUN/perf.csv")" = "skipped not here" ]
}

@test "the ranking has the cheapest at the highest rate first" {
  cell dear 100 1 1.00 10
  cell dear 200 1 9.00 10
  cell cheap 100 1 2.00 10
  cell cheap 200 1 3.00 5
  run results_make "$RUN"
  [[ ${lines[2]} == "| cheap | 3.5 | 4.5 | 5 of 20 |  |" ]]
  [[ ${lines[3]} == "| dear | 2.5 | 10.5 | 0 of 20 |  |" ]]
  [[ ${lines[4]} == "| gone | – | – | – | skipped: not here |" ]]
}
