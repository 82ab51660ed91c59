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
