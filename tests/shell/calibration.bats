#!/usr/bin/env bats
# Whether a run calibrates what BPF programs cost, and what it makes of that; bpfcost and cpumeter are doubles.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  BUILD=$BATS_TEST_TMPDIR/build
  OPTIONS=([out]=$BATS_TEST_TMPDIR/run [calibrate]=60 [instrumented]=10 [side]=10)
  mkdir "$BUILD" "${OPTIONS[out]}"
  echo '{"sessions": [{"tag": "x1"}]}' >"${OPTIONS[out]}/manifest.json"
  double cpumeter 'echo 1,attached,7:tp_btf:sched_process_exec,,1,,,ok'
  double bpfcost 'echo "$*" >"$BATS_TEST_TMPDIR/told"; echo "bpfcost: left out" >&2; echo {} >"${@: -1}"'
  monitor_is_ours() { true; }
  host_spawn() { "${@:2}" & }
  # The monitors: on audit, one with a window S, one without.
  monitor_fact() {
    case $1,$2 in
      onaudit,uses) echo audit ;;
      onaudit,side) echo groups ;;
      switched,side) echo switched ;;
    esac
  }
}

# double NAME SCRIPT
double() {
  printf '#!/bin/bash\n%s\n' "$2" >"$BUILD/$1"
  chmod +x "$BUILD/$1"
}

# rows MONITOR...: of a plan.
rows() {
  printf '1,1,%s,100,1\n' "$@"
}

calibration() {
  jq -c '.sessions[-1].calibration' "${OPTIONS[out]}/manifest.json"
}

@test "there is one if a monitor may have BPF programs and has no window S" {
  [ "$(calibration_seconds "$(rows none onaudit switched)")" = 0 ]
  [ "$(calibration_seconds "$(rows none onaudit counted)")" = 60 ]
  [ "$(calibration_seconds "")" = 0 ]
  OPTIONS[side]=0
  [ "$(calibration_seconds "$(rows none onaudit)")" = 0 ]
  [ "$(calibration_seconds "$(rows none onaudit switched)")" = 60 ]
  OPTIONS[calibrate]=0
  [ "$(calibration_seconds "$(rows counted)")" = 0 ]
  OPTIONS[calibrate]=60 OPTIONS[instrumented]=0
  [ "$(calibration_seconds "$(rows counted)")" = 0 ]
  OPTIONS[instrumented]=10
  monitor_is_ours() { false; }
  [ "$(calibration_seconds "$(rows counted)")" = 0 ]
}

# Those by which build/figures calls the costs that it looks for.
@test "all that figures are made from is calibrated" {
  local program=$EXECTAX_ROOT/build/bpfcost
  "$program" --list >/dev/null 2>&1 || skip "no BPF here"
  diff - <("$program" --list --kinds "$CALIBRATION_KINDS" | cut -f1 | sort) <<'KINDS'
raw_tracepoint:sched_process_wait
raw_tracepoint:sys_enter
raw_tracepoint:sys_exit
tp_btf:sched_process_wait
tp_btf:sys_enter
tp_btf:sys_exit
tracepoint:raw_syscalls:sys_enter
tracepoint:sched:sched_process_wait
wake:raw_tracepoint:sched_process_wait
KINDS
}

@test "it is in the folder of the run, and each session has its own" {
  calibration_make "$(rows none counted)"
  [ "$(calibration)" = '{"done":true,"reason":null}' ]
  [ "$(ls "${OPTIONS[out]}" | paste -sd ' ')" = "bpfcost.json manifest.json" ]
  [ "$(cut -d ' ' -f 1-3 "$BATS_TEST_TMPDIR/told")" = "--duration 60 --kinds" ]
  # Once in a session, which is another process.
  rm "$BATS_TEST_TMPDIR/told"
  calibration_make "$(rows none counted)"
  [ ! -e "$BATS_TEST_TMPDIR/told" ]
  CALIBRATION_TRIED=no
  echo '{"sessions": [{"tag": "x1"}, {"tag": "x2"}]}' >"${OPTIONS[out]}/manifest.json"
  calibration_make "$(rows none counted)"
  [ "$(ls "${OPTIONS[out]}" | paste -sd ' ')" = "bpfcost-session2.json bpfcost.json manifest.json" ]
}

@test "without need nothing is measured, and nothing is said" {
  run calibration_make "$(rows none onaudit)"
  [ "$status" -eq 0 ]
  [ -z "$output" ]
  [ "$(calibration)" = null ]
  [ ! -e "$BATS_TEST_TMPDIR/told" ]
}

@test "if it can't be done the run goes on, and the manifest says why" {
  double bpfcost 'echo {} >"${@: -1}"; echo "bpfcost: nothing can be measured: no BPF" >&2; exit 1'
  run calibration_make "$(rows counted)"
  [ "$status" -eq 0 ]
  [[ ${lines[1]} == *"so their figures are lower bounds: bpfcost ended with status 1: nothing can be measured: no BPF" ]]
  [ "$(calibration)" = '{"done":false,"reason":"bpfcost ended with status 1: nothing can be measured: no BPF"}' ]
  [ "$(ls "${OPTIONS[out]}")" = manifest.json ]
  rm "$BUILD/bpfcost"
  calibration_make "$(rows counted)"
  [[ $(calibration) == *"bpfcost is not built"* ]]
}

@test "beside programs of others in the same places it is not tried" {
  double cpumeter 'echo 1,attached,7:raw_tracepoint:sys_enter,,1,,,ok; echo 1,attached,8:tracepoint:sys_exit_open,,1,,,ok; echo 1,bpf,9:x:sys_enter,,1,,,ok'
  calibration_make "$(rows counted)"
  [ "$(calibration)" = '{"done":false,"reason":"BPF programs of others are in the way: 7:raw_tracepoint:sys_enter 8:tracepoint:sys_exit_open"}' ]
  [ ! -e "$BATS_TEST_TMPDIR/told" ]
  double cpumeter 'exit 1'
  CALIBRATION_TRIED=no
  calibration_make "$(rows counted)"
  [ "$(calibration)" = '{"done":false,"reason":"where BPF programs are attached can'"'"'t be read"}' ]
}

@test "where BPF can't be counted or perf can't sample, there is no use in it" {
  profile_never
  calibration_make "$(rows counted)"
  [ "$(calibration)" = '{"done":false,"reason":"no BPF program'"'"'s time can be told here, or whose it is"}' ]
  [ ! -e "$BATS_TEST_TMPDIR/told" ]
}
