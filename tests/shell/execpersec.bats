#!/usr/bin/env bats
# The benchmark against the load of 2021, which is not in this tree: doubles of it.

bats_require_minimum_version 1.5.0

setup() {
  BENCH=$BATS_TEST_DIRNAME/../../bench/execpersec.sh
  export EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock EXECPERSEC=$BATS_TEST_TMPDIR/double ROUNDS=1 SECONDS_EACH=1 RATES=50
}

teardown() {
  [[ -z ${OTHERS:-} ]] || kill "$OTHERS"
}

# double COMMAND: what stands for execPerSec.
double() {
  printf '#!/bin/bash\n%s\n' "$1" >"$EXECPERSEC"
  chmod +x "$EXECPERSEC"
}

needs_root() {
  ((EUID == 0)) || skip "needs root, to make a namespace of processes"
}

@test "execPerSec has to be built elsewhere" {
  run --separate-stderr "$BENCH"
  [ "$status" -eq 2 ]
  [ -z "$output" ]
  [[ $stderr == "exectax: EXECPERSEC is '$EXECPERSEC', expected the path of a built execPerSec "* ]]
  [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "both are counted in turn, and compared with what was asked" {
  needs_root
  # The rate and a time that does not end before it was counted.
  double '[[ $1 == 50 && $2 -gt 2 ]] || exit 1; while true; do /bin/true; done'
  run --separate-stderr "$BENCH"
  echo "$output$stderr"
  [ "$status" -eq 0 ]
  [[ ${lines[2]} == "| asked | execPerSec | ms longer | execrate | ms longer |" ]]
  [[ ${lines[4]} =~ ^"| 50 | "([1-9][0-9]*)" ("[0-9]+" to "[0-9]+") | "-?[0-9.]+" | "([1-9][0-9]*)" ("[0-9]+" to "[0-9]+") | "-?[0-9.]+" |"$ ]]
}

@test "what others start is not counted" {
  needs_root
  while true; do /bin/true; done &
  OTHERS=$!
  double 'exec sleep 60'
  run --separate-stderr "$BENCH"
  [ "$status" -eq 1 ]
  [[ $stderr =~ "the last process had number "([0-9]+)", then "([0-9]+)": $EXECPERSEC started none" ]]
  [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
}
