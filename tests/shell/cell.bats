#!/usr/bin/env bats
# What goes wrong while a cell is measured: told from what a monitor does.

load ../rooms

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT BUILD=$ROOT/build
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  LOGS_FILES=("$BATS_TEST_TMPDIR/log") LOGS_FAULT='' CELL_PROBLEM=''
}

# What a test that failed has not ended, stopped or not.
teardown() {
  local pid
  for pid in $(jobs -p); do
    kill -KILL "$pid" 2>/dev/null || true
  done
}

@test "a log without a tag is counted as none, one that can't be read is not counted" {
  printf 'x.1-0\nx.1-1 x.1-1\nx.2-7\ny.1-0\n' >"$LOGS_FILES"
  [ "$(logs_count_tags x | paste -sd ' ')" = "x.1 2 x.2 1" ]
  [ "$(logs_count_tags z)" = "" ]
  logs_count_tags z
  MONITOR_RECORDS=exec
  [ "$(cell_recorded z 1)" = 0 ]
  rm "$LOGS_FILES"
  run logs_count_tags x
  [ "$status" -ne 0 ]
  run cell_recorded x 1
  [ "$status" -ne 0 ]
  # What can't be read as text: a folder.
  mkdir "$LOGS_FILES"
  run logs_count_tags x
  [ "$status" -ne 0 ]
}

@test "a log that grows is as it should be; one that shrank, was replaced or is gone is not, from then on" {
  logs_look
  [ -z "$LOGS_FAULT" ]
  echo 1234567 >"$LOGS_FILES"
  logs_look
  echo more >>"$LOGS_FILES"
  logs_look
  [ -z "$LOGS_FAULT" ]
  truncate -s 5 "$LOGS_FILES"
  logs_look
  [ "$LOGS_FAULT" = "its log $LOGS_FILES shrank from 13 to 5 bytes" ]
  echo 12345678901234567890 >"$LOGS_FILES"
  logs_look
  [ "$LOGS_FAULT" = "its log $LOGS_FILES shrank from 13 to 5 bytes" ]

  LOGS_FAULT=''
  cp "$LOGS_FILES" "$BATS_TEST_TMPDIR/other"
  mv "$BATS_TEST_TMPDIR/other" "$LOGS_FILES"
  logs_look
  [ "$LOGS_FAULT" = "its log $LOGS_FILES was replaced by another file" ]

  LOGS_FAULT=''
  rm "$LOGS_FILES"
  logs_look
  [ "$LOGS_FAULT" = "its log $LOGS_FILES is gone" ]
}

@test "a helper that ended within the window is told, a process of the monitor that did is not" {
  local readings=$BATS_TEST_TMPDIR/readings meter helper child
  sleep 60 3>&- &
  helper=$!
  sleep 60 3>&- &
  child=$!
  "$BUILD/cpumeter" --duration 60 --pid "rsyslog.service/$helper=$helper" --pid "monitor/$child=$child" --kthread ksoftirqd/0 --host --output "$readings" 3>&- &
  meter=$!
  wait_until 20 grep -qs '^[0-9].*,self,' "$readings"
  kill -KILL "$child"
  wait "$child" || true
  kill -TERM "$meter"
  wait "$meter"
  grep -q "monitor/$child,.*,gone$" "$readings"
  [ "$(meter_fault "$readings")" = "" ]

  "$BUILD/cpumeter" --duration 60 --pid "rsyslog.service/$helper=$helper" --output "$readings" 3>&- &
  meter=$!
  wait_until 20 grep -qs '^[0-9].*,self,' "$readings"
  kill -KILL "$helper"
  wait "$helper" || true
  kill -TERM "$meter"
  wait "$meter"
  [ "$(meter_fault "$readings")" = "rsyslog.service/$helper ended, or was started again" ]
  cp "$readings" "$BATS_TEST_TMPDIR/window-a.csv"
  cell_check_readings "$BATS_TEST_TMPDIR"
  [ "$CELL_PROBLEM" = "in window A, rsyslog.service/$helper ended, or was started again" ]
  [ "$CELL_FIND_HELPERS" = yes ]
}

# A machine that sleeps and a counter that goes backwards can't be had: readings written by hand.
@test "a suspended machine and counters that went backwards are told" {
  local readings=$BATS_TEST_TMPDIR/readings
  fault_of() {
    printf 'time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n1,clock,monotonic,1,,,,ok\n1,host,idle,1,,,,ok:timer_list\n2,%s\n' "$1" >"$readings"
    meter_fault "$readings"
  }
  [ "$(fault_of clock,monotonic,9,,,,ok)" = "" ]
  [ "$(fault_of clock,monotonic,9,,,,suspended)" = "the machine was suspended" ]
  [ "$(fault_of host,busy,9,,,,reset)" = "a CPU came or went, or a counter of the host went backwards" ]
  [ "$(fault_of kthread,kauditd,9,,,,reset)" = "kauditd's counter of CPU time went backwards" ]
  [ "$(fault_of cgroup,journald,9,,,,gone)" = "journald ended, or was started again" ]
  [ "$(fault_of memory,monitor/7,,,1,1,gone)" = "" ]
}

@test "loss counters: none are none, one without a value is a fault" {
  started_losses() { printf '%s' "$answer"; }
  started_helpers() { :; }
  answer=''
  [ "$(monitor_losses_json)" = "{}" ]
  answer=$'kernel_audit_lost 7\n'
  [ "$(monitor_losses_json)" = '{"kernel_audit_lost":7}' ]
  cell_write "$BATS_TEST_TMPDIR/before.json" cell_snapshot
  [ "$CELL_PROBLEM" = "" ]
  # As when auditctl -s says nothing.
  answer=$'kernel_audit_lost \n'
  cell_write "$BATS_TEST_TMPDIR/before.json" cell_snapshot
  [ "$CELL_PROBLEM" = "its loss counters can't be read" ]
}

@test "a child that is stopped or killed, or ends badly, is the cell's problem, and does not stay" {
  local CELL_END_SECONDS=0 state
  printf 'first\nlast words\n' >"$BATS_TEST_TMPDIR/stderr"
  true &
  cell_await "the sampler" $! 5 "$BATS_TEST_TMPDIR/stderr"
  [ "$CELL_PROBLEM" = "" ]
  bash -c 'exit 3' &
  cell_await "the sampler" $! 5 "$BATS_TEST_TMPDIR/stderr"
  [ "$CELL_PROBLEM" = "the sampler ended with status 3: last words" ]
  CELL_PROBLEM=''
  sleep 60 3>&- &
  kill -STOP $!
  cell_await "the sampler" $! 1 "$BATS_TEST_TMPDIR/stderr"
  [ "$CELL_PROBLEM" = "the sampler did not end within 0 s of when it was due: something stopped it (SIGSTOP)" ]
  child_state $! state
  [ "$state" = "" ]
}

@test "a cell is disturbed if the hypervisor took more than 5 % of a CPU in its window" {
  local file=$BATS_TEST_TMPDIR/window-a.csv
  # window STEAL_FROM STEAL_TO: of 10 s, in ns.
  window() {
    printf '%s\n' time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status 7,clock,monotonic,1000000000,,,,ok "7,host,steal,$1,,,,ok" \
      8,clock,monotonic,11000000000,,,,ok "8,host,steal,$2,,,,ok" >"$file"
  }
  window 900000000 1400000000
  run cell_is_disturbed "$file"
  [ "$status" -eq 1 ]
  window 900000000 1400000001
  cell_is_disturbed "$file"
  # A window without its second reading, and none.
  sed -i '4,$d' "$file"
  run cell_is_disturbed "$file"
  [ "$status" -eq 1 ]
  run cell_is_disturbed "$BATS_TEST_TMPDIR/nowhere"
  [ "$status" -eq 1 ]
}

@test "the first problem is the one that is told" {
  cell_problem "it was slow"
  cell_problem "it was late"
  [ "$CELL_PROBLEM" = "it was slow" ]
}

@test "what can't be written is told" {
  cell_write "$BATS_TEST_TMPDIR/file" echo text
  [ "$CELL_PROBLEM$(<"$BATS_TEST_TMPDIR/file")" = text ]
  cell_write /dev/full echo text
  [ "$CELL_PROBLEM" = "full could not be written" ]
}

@test "the thresholds of an attached run: pressure" {
  local problem=x
  # Doubles of /proc/pressure: this much can't be had at will.
  mkdir "$BATS_TEST_TMPDIR/pressure-double"
  pressure() {
    printf 'some avg10=99.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=%s avg60=99.00 avg300=99.00 total=0\n' "$2" >"$BATS_TEST_TMPDIR/pressure-double/$1"
  }
  attached_find_pressure "$BATS_TEST_TMPDIR/nowhere" problem
  [ "$problem" = "" ]
  pressure io 50.00
  pressure memory 0.09
  attached_find_pressure "$BATS_TEST_TMPDIR/pressure-double" problem
  [ "$problem" = "" ]
  pressure io 50.01
  attached_find_pressure "$BATS_TEST_TMPDIR/pressure-double" problem
  [ "$problem" = "everything waited for io in 50.01 % of the last 10 s, more than 50 %" ]
  pressure io 9.99
  pressure memory 61.00
  attached_find_pressure "$BATS_TEST_TMPDIR/pressure-double" problem
  [ "$problem" = "everything waited for memory in 61.00 % of the last 10 s, more than 50 %" ]
}

@test "the thresholds of an attached run: room on the file systems of the logs" {
  ATTACHED_FREE_PERCENT=0 ATTACHED_FREE_MIB=0
  ATTACHED_LOGS=([pid:1]="$BATS_TEST_TMPDIR/a b"$'\n'"$BATS_TEST_TMPDIR/c"$'\n')
  touch "$BATS_TEST_TMPDIR/a b" "$BATS_TEST_TMPDIR/c"
  [ "$(attached_disk_problem)" = "" ]
  ATTACHED_FREE_PERCENT=100
  [[ $(attached_disk_problem) == *" MiB are free on the file system of /var/log, less than "* ]]
  ATTACHED_FREE_PERCENT=0 ATTACHED_FREE_MIB=999999999
  [[ $(attached_disk_problem) == *" MiB are free on the file system of /var/log, less than 999999999" ]]
}

@test "a record that is in the logs twice counts once, in the count of a cell as in that of a run" {
  printf 'x.1-0\nx.1-1\nx.1-0\nx.1-0 x.12-0\n' >"$LOGS_FILES"
  [ "$(logs_count_tags x | paste -sd ' ')" = "x.1 2 x.12 1" ]
  MONITOR_RECORDS=exec
  [ "$(cell_recorded x.1 1)" = 2 ]
  # In another log, too.
  LOGS_FILES+=("$BATS_TEST_TMPDIR/rotated")
  printf 'x.1-1\nx.1-2\n' >"${LOGS_FILES[1]}"
  [ "$(logs_count_tags x.1)" = "x.1 3" ]
  [ "$(logs_bytes)" -eq $(($(stat -c %s "${LOGS_FILES[0]}") + 12)) ]
}

# Nothing is wrong, as far as the test goes.
all_is_well() {
  mkdir -p "$BATS_TEST_TMPDIR/cell"
  OPTIONS=([out]=$BATS_TEST_TMPDIR)
  CELL_PROBLEM='' CELL_COUNTABLE=yes
  monitor_is_alive() { true; }
  monitor_is_ours() { true; }
  monitor_last_words() { echo "; its last words: no more"; }
  monitor_audit_problem() { :; }
  disk_free_mib() { echo 1000; }
}

@test "a monitor that died or lost its socket fails its cell, whatever else went wrong" {
  all_is_well
  cell_check_monitor
  [ "$CELL_PROBLEM" = "" ]
  monitor_audit_problem() { echo "lost the audit socket"; }
  CELL_PROBLEM="the load was slow"
  cell_check_monitor
  [ "$CELL_PROBLEM" = "lost the audit socket" ]
  monitor_is_alive() { false; }
  cell_check_monitor
  [ "$CELL_PROBLEM" = "died; its last words: no more" ]
}

@test "a log that was taken away makes its cell uncountable" {
  all_is_well
  echo record >"$LOGS_FILES"
  cell_check_log
  [ "$CELL_PROBLEM$CELL_COUNTABLE" = yes ]
  CELL_PROBLEM="something before"
  : >"$LOGS_FILES"
  cell_check_log
  [ "$CELL_PROBLEM" = "its log $LOGS_FILES shrank from 7 to 0 bytes" ]
  [ "$CELL_COUNTABLE" = no ]
  # What becomes of it afterwards is not the reason.
  rm "$LOGS_FILES"
  cell_check_log
  [ "$CELL_PROBLEM" = "its log $LOGS_FILES shrank from 7 to 0 bytes" ]
}

@test "a disk that is nearly full makes its cell uncountable: that of the log, and that of the results" {
  all_is_well
  mkdir -p "$HOST_STATE_DIR/scratch"
  touch "$HOST_STATE_DIR/scratch/.reserve"
  disk_free_mib() { [[ $1 == "$HOST_STATE_DIR" ]] && echo "$FREE_LOG" || echo "$FREE_OUT"; }
  FREE_LOG=64 FREE_OUT=1
  cell_check_disk "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM$CELL_COUNTABLE" = yes ]
  FREE_LOG=63
  cell_check_disk "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM" = "the disk of its log is full: 63 MiB are free in $HOST_STATE_DIR, expected 64" ]
  [ "$CELL_COUNTABLE" = no ]
  [ ! -e "$HOST_STATE_DIR/scratch/.reserve" ]
  # Where it has no log there.
  all_is_well
  disk_free_mib() { [[ $1 == "$HOST_STATE_DIR" ]] && echo "$FREE_LOG" || echo "$FREE_OUT"; }
  LOGS_FILES=()
  cell_check_disk "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM" = "" ]
  FREE_OUT=0
  cell_check_disk "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM$CELL_COUNTABLE" = "the disk of the results is full: less than 1 MiB is free in ${BATS_TEST_TMPDIR}no" ]
}

# window FROM_NS TO_NS: of the cell, beside a load from 1 s to 6 s.
window() {
  echo '{"start_mono_ns": 1000000000, "duration_s": 5}' >"$BATS_TEST_TMPDIR/cell/load.json"
  printf '%s\n' time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status "7,clock,monotonic,$1,,,,ok" "8,clock,monotonic,$2,,,,ok" \
    >"$BATS_TEST_TMPDIR/cell/window-a.csv"
  CELL_PROBLEM=''
  cell_check_window_a "$BATS_TEST_TMPDIR/cell"
}

@test "window A must lie within the load" {
  local outside="window A did not lie within the load: this host is too slow, or something stopped it"
  all_is_well
  window 1000000000 6000000000
  [ "$CELL_PROBLEM" = "" ]
  window 999999999 6000000000
  [ "$CELL_PROBLEM" = "$outside" ]
  window 1000000000 6000000001
  [ "$CELL_PROBLEM" = "$outside" ]
  # Nothing was read, or the load left no result.
  window 1000000000 6000000000
  sed -i 2,3d "$BATS_TEST_TMPDIR/cell/window-a.csv"
  cell_check_window_a "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM" = "$outside" ]
  window 1000000000 6000000000
  rm "$BATS_TEST_TMPDIR/cell/load.json"
  cell_check_window_a "$BATS_TEST_TMPDIR/cell" 2>/dev/null
  [ "$CELL_PROBLEM" = "$outside" ]
}

@test "faults in the readings of either window fail the cell, and have helpers looked for again" {
  all_is_well
  meter_fault() { [[ $1 != */window-"$FAULTY".csv ]] || echo "kauditd ended"; }
  touch "$BATS_TEST_TMPDIR/cell/window-"{a,b}.csv
  FAULTY=none
  cell_check_readings "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM$CELL_FIND_HELPERS" = no ]
  FAULTY=b
  cell_check_readings "$BATS_TEST_TMPDIR/cell"
  [ "$CELL_PROBLEM" = "in window B, kauditd ended" ]
  [ "$CELL_FIND_HELPERS" = yes ]
}

# drained COUNT...: what is recorded at each look, of 10; the clock goes on by 0.2 s each.
drained() {
  local -a counts=("$@")
  LOOKS=0 TIME=0
  echo '{"launched": 10}' >"$BATS_TEST_TMPDIR/cell/load.json"
  rm -f "$BATS_TEST_TMPDIR/cell"/{drain,count}.json
  cell_recorded() { echo "${counts[LOOKS < ${#counts[@]} ? LOOKS : ${#counts[@]} - 1]}"; }
  clock_cs() { printf -v "$1" %d "$TIME"; }
  pause() { LOOKS=$((LOOKS + 1)) TIME=$((TIME + 20)); }
  now_us() { echo "$TIME"; }
  cell_drain "$BATS_TEST_TMPDIR/cell" x 1
}

@test "draining ends when all is recorded, or nothing more was for 2 s; the last record's time is kept" {
  all_is_well
  drained 4 8 10
  [ "$LOOKS" -eq 2 ]
  [ "$(<"$BATS_TEST_TMPDIR/cell/count.json") $(<"$BATS_TEST_TMPDIR/cell/drain.json")" = '{"recorded": 10} {"last_record_us": 40}' ]
  drained 4 9
  # 2 s after the one at 0.2 s are no more than that.
  [ "$LOOKS" -eq 12 ]
  [ "$(<"$BATS_TEST_TMPDIR/cell/count.json") $(<"$BATS_TEST_TMPDIR/cell/drain.json")" = '{"recorded": 9} {"last_record_us": 20}' ]
  [ "$CELL_PROBLEM" = "" ]
  # Each look finds another one.
  CELL_DRAIN_SECONDS=1
  drained 1 2 3 4 5 6 7 8 9 10
  [ "$CELL_PROBLEM" = "still wrote records 1 s after the load had stopped" ]
}

@test "a log that can't be read while it drains is not counted" {
  all_is_well
  echo '{"launched": 10}' >"$BATS_TEST_TMPDIR/cell/load.json"
  MONITOR_RECORDS=exec
  cell_drain "$BATS_TEST_TMPDIR/cell" x 1
  [ "$CELL_PROBLEM$CELL_COUNTABLE" = "its log can't be read: $LOGS_FILES no" ]
  [ ! -e "$BATS_TEST_TMPDIR/cell/count.json" ]
}

# counted: after a start with these cells.
counted() {
  local cell
  BLOCK_TAG=x BLOCK_UNCOUNTED=()
  for cell in 1 2 12; do
    mkdir -p "$BATS_TEST_TMPDIR/$cell"
    echo '{"status": "ok", "reason": ""}' >"$BATS_TEST_TMPDIR/$cell/cell.json"
    echo '{"launched": 2}' >"$BATS_TEST_TMPDIR/$cell/load.json"
    BLOCK_UNCOUNTED+=("$cell,$BATS_TEST_TMPDIR/$cell")
  done
  block_count
}

@test "the final count is each cell's own; where the log was taken away, nobody knows it, but of cells that had all before" {
  printf 'x.1-0\nx.1-1\nx.12-0\nx.1-1\n' >"$LOGS_FILES"
  counted
  [ "$(jq -c . "$BATS_TEST_TMPDIR"/{1,2,12}/count.json | paste -sd ' ')" = '{"recorded":2} {"recorded":0} {"recorded":1}' ]
  [ "$(jq -s -c 'map(.counted)' "$BATS_TEST_TMPDIR"/{1,2,12}/cell.json)" = '[true,true,true]' ]
  # Cell 1 has had all of its records, cell 2 had not.
  rm "$LOGS_FILES"
  counted 2>/dev/null
  [ "$(<"$BATS_TEST_TMPDIR/1/count.json")" = '{"recorded": 2}' ]
  [ "$(jq -r .status "$BATS_TEST_TMPDIR/1/cell.json")" = ok ]
  [ ! -e "$BATS_TEST_TMPDIR/2/count.json" ]
  [ ! -e "$BATS_TEST_TMPDIR/12/count.json" ]
  [ "$(jq -r '"\(.status) \(.reason)"' "$BATS_TEST_TMPDIR/2/cell.json")" = "failed its log $LOGS_FILES is gone" ]
  [ "$(jq -s -c 'map(.counted)' "$BATS_TEST_TMPDIR"/{1,2,12}/cell.json)" = '[true,true,true]' ]
  # The cell that was interrupted.
  rm "$BATS_TEST_TMPDIR/2/cell.json"
  block_fail_uncounted "$BATS_TEST_TMPDIR/2" "no log" 2>/dev/null
  [ ! -e "$BATS_TEST_TMPDIR/2/cell.json" ]
  echo '{"status": "failed", "reason": "died"}' >"$BATS_TEST_TMPDIR/2/cell.json"
  # A cell that had failed before keeps its own reason.
  echo '{"status": "failed", "reason": "died"}' >"$BATS_TEST_TMPDIR/2/cell.json"
  block_fail_uncounted "$BATS_TEST_TMPDIR/2" "no log" 2>/dev/null
  [ "$(jq -r .reason "$BATS_TEST_TMPDIR/2/cell.json")" = died ]
}

@test "cell.json says what the cell is, how it ended, and whether it was disturbed" {
  all_is_well
  cell_is_disturbed() { [[ $1 == "$BATS_TEST_TMPDIR/cell/window-a.csv" ]]; }
  CELL_STATUS=failed CELL_PROBLEM="it broke"
  cell_write_outcome "$BATS_TEST_TMPDIR/cell" 7 '{"test": "m"}'
  [ "$(jq -c . "$BATS_TEST_TMPDIR/cell/cell.json")" = '{"cell":7,"test":"m","status":"failed","reason":"it broke","disturbed":true,"counted":true}' ]
  cell_is_disturbed() { false; }
  cell_write_outcome "$BATS_TEST_TMPDIR/cell" 7 '{"test": "m"}'
  [ "$(jq .disturbed "$BATS_TEST_TMPDIR/cell/cell.json")" = false ]
}

# outcome_counted RECORDS [RECORDED]
outcome_counted() {
  MONITOR_RECORDS=$1
  rm -f "$BATS_TEST_TMPDIR/cell/count.json"
  [[ -z ${2:-} ]] || echo "{\"recorded\": $2}" >"$BATS_TEST_TMPDIR/cell/count.json"
  cell_write_outcome "$BATS_TEST_TMPDIR/cell" 7 '{"test": "m"}'
  jq .counted "$BATS_TEST_TMPDIR/cell/cell.json"
}

@test "what a log shows at the end of a cell is not counted until the monitor is stopped" {
  all_is_well
  [ "$(outcome_counted exec 5)" = false ]
  [ "$(outcome_counted exec)" = true ]
  [ "$(outcome_counted count 5)" = true ]
  [ "$(outcome_counted nothing)" = true ]
}

@test "a cell that can't be written leaves the one that was there, or none" {
  all_is_well
  cell_write_outcome "$BATS_TEST_TMPDIR/cell" 7 '{"test": "m"}'
  run cell_write_outcome "$BATS_TEST_TMPDIR/cell" 8 'no JSON'
  [ "$status" -ne 0 ]
  [ "$(jq .cell "$BATS_TEST_TMPDIR/cell/cell.json")" = 7 ]
}

# block_measures CELL...: each `PROBLEM:COUNTABLE`; says how often the monitor was started.
block_measures() {
  local outcome
  local -i number=0 starts=0
  BLOCK_TAG=x BLOCK_RUNS=no BLOCK_STARTS=0 BLOCK_PROBLEM='' BLOCK_UNCOUNTED=()
  OPTIONS=([out]=$BATS_TEST_TMPDIR [keep_logs]=no)
  ALIVE=no
  monitor_is_alive() { [[ $ALIVE == yes ]]; }
  block_start_monitor() { BLOCK_RUNS=yes ALIVE=yes starts+=1; }
  block_stop_monitor() { BLOCK_RUNS=no ALIVE=no; }
  cell_run() {
    CELL_PROBLEM=${outcome%:*} CELL_COUNTABLE=${outcome#*:} CELL_STATUS=ok
    [[ $CELL_PROBLEM != died ]] || ALIVE=no
  }
  for outcome in "$@"; do
    number+=1
    echo '{"recorded": 1}' >"$BATS_TEST_TMPDIR/count.json"
    block_cell "$BATS_TEST_TMPDIR" "$number" 100 monitor '{}' 2>/dev/null
  done
  echo "$starts starts, to count: ${BLOCK_UNCOUNTED[*]%%,*}"
}

@test "a monitor is started again if it died, or its log can't be counted, and not otherwise" {
  [ "$(block_measures :yes "slow:yes" :yes)" = "1 starts, to count: 1 2 3" ]
  [ "$(block_measures :yes died:yes :yes)" = "2 starts, to count: 1 2 3" ]
  [ "$(block_measures :yes gone:no :yes)" = "2 starts, to count: 1 3" ]
}

@test "nothing is measured any more once the watcher has gone, or is stopped: the run ends" {
  CGROUP_MOUNTS=("$BATS_TEST_TMPDIR/groups")
  mkdir -p "$CGROUP_MOUNTS/exectax-watcher"
  sleep 1000 3>&- &
  WATCH_PID=$!
  echo "$WATCH_PID" >"$CGROUP_MOUNTS/exectax-watcher/cgroup.procs"
  watch_require
  kill -STOP "$WATCH_PID"
  wait_until 20 grep -q '^State:.T' "/proc/$WATCH_PID/status"
  run block_measures :yes
  [ "$status" -eq 1 ]
  kill -KILL "$WATCH_PID"
  run watch_require
  [[ $status -eq 1 && $output == "exectax: the watcher, process $WATCH_PID, does not run any more, "* ]]
  # Its number may be another's by now.
  WATCH_PID=$$
  run watch_require
  [ "$status" -eq 1 ]
}

@test "what was counted of a cell whose log was taken away is not kept" {
  block_measures gone:no
  [ ! -e "$BATS_TEST_TMPDIR/count.json" ]
}

# window_t WHICH STATUS: whether a cell that ended so has a window T.
window_t() (
  OPTIONS=([syscalls]=2) BLOCK_RUNS=yes BLOCK_PROBLEM=''
  monitor_is_alive() { true; }
  cell_run() { CELL_STATUS=$STATUS CELL_PROBLEM='' CELL_COUNTABLE=yes; }
  syscalls_run() { echo "$(ls "$1")"; }
  STATUS=$2
  rm -rf "$BATS_TEST_TMPDIR/cell"
  block_cell "$BATS_TEST_TMPDIR/cell" 3 100 monitor '{}' "$1"
  # It is complete only after that.
  [ -e "$BATS_TEST_TMPDIR/cell/cell.json" ]
)

@test "the last cell of a block has a window T, before it is complete, and unless it failed or there is to be none" {
  CELL_COUNTABLE=yes BLOCK_UNCOUNTED=()
  syscalls_run() { :; }
  [ "$(window_t last ok | wc -l)" -eq 1 ]
  [ -z "$(window_t last ok)" ]
  [ "$(window_t '' ok | wc -l)" -eq 0 ]
  [ "$(window_t last failed | wc -l)" -eq 0 ]
  MONITOR_WAY=attached
  [ "$(window_t last ok | wc -l)" -eq 0 ]
}
