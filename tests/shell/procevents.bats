#!/usr/bin/env bats
# procevents as its callers see it: options, a process that listens to the process connector, and those that don't.

bats_require_minimum_version 1.5.0

load process

setup_file() {
  make -C "$BATS_TEST_DIRNAME/../.." --silent build/procevents
}

setup() {
  PROCEVENTS=$(realpath "$BATS_TEST_DIRNAME/../../build/procevents")
}

teardown() {
  end_started
}

refused() {
  refuses "$PROCEVENTS" "$@"
}

@test "options" {
  refused "expected --pid PID and --state on|off"
  refused "expected --pid PID and --state on|off" --pid 1
  refused "expected --pid PID and --state on|off" --state on
  refused "--pid '0': expected a whole number from 1 to 2147483647" --pid 0 --state on
  refused "--pid 'x': expected a whole number from 1 to 2147483647" --pid x --state on
  refused "--state 'maybe': expected on or off" --pid 1 --state maybe
  refused "'more': expected options only" --pid 1 --state on more
  "$PROCEVENTS" --version | grep -x 'procevents (exectax) .*'
}

@test "a process that is not there, or does not listen" {
  run --separate-stderr "$PROCEVENTS" --pid 2147483647 --state on
  [[ $status -eq 1 && -z $output && $stderr == "procevents: process 2147483647: No such process" ]]
  run --separate-stderr "$PROCEVENTS" --pid $$ --state on
  [[ $status -eq 1 && -z $output && $stderr == "procevents: process $$ has no socket of the process connector" ]]
}

# executed PID: whether the listener was told of it.
executed() {
  grep -qx "$1" "$BATS_TEST_TMPDIR/told"
}

# execute: a process that executes something; sets executed_pid.
execute() {
  /bin/true &
  executed_pid=$!
  wait "$executed_pid"
}

@test "a listener is told of nothing while it is off" {
  ((EUID == 0)) || skip "needs root: only root may listen"
  grep -q '^cn_proc' /proc/net/connector 2>/dev/null || skip "needs the process connector, which this kernel was built without (no CONFIG_PROC_EVENTS)"
  start python3 "$BATS_TEST_DIRNAME/connector-listener.py" >"$BATS_TEST_TMPDIR/told"
  listener=$pid
  wait_for executed ready
  execute
  wait_for executed "$executed_pid"
  "$PROCEVENTS" --pid "$listener" --state off
  execute
  unseen=$executed_pid
  "$PROCEVENTS" --pid "$listener" --state on
  execute
  # It is told in the order in which they happened.
  wait_for executed "$executed_pid"
  run ! executed "$unseen"
}
