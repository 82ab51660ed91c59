#!/usr/bin/env bats
# What the tests in emulated machines are judged by.

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  cd "$BATS_TEST_TMPDIR"
  mkdir -p tests/vm tests/e2e host
  cp "$ROOT/tests/vm/unchanged.sh" tests/vm/
  # A double of the state of a host: a folder.
  printf '#!/bin/sh\nfind host | sort\n' >tests/e2e/host-state.sh
  chmod +x tests/e2e/host-state.sh
}

@test "a command that succeeds and leaves the host as it was: both are said" {
  run tests/vm/unchanged.sh "a test" true
  [ "$status" -eq 0 ]
  [ "$output" = "ok a test
ok a test: the host is as before" ]
}

@test "a command that leaves something behind fails, with what it left" {
  run tests/vm/unchanged.sh "a test" touch host/left
  [ "$status" -ne 0 ]
  [[ $output == *"ok a test"*"not ok a test: the host is as before"*"> host/left"* ]]
}

@test "a command that fails has failed, with its exit status" {
  run tests/vm/unchanged.sh "a test" sh -c 'exit 7'
  [ "$status" -eq 7 ]
  [[ $output == "not ok a test"*"exit status 7"* ]]
}

@test "sections that are left out are left out before and after" {
  printf '#!/bin/sh\necho "$*" >>asked\n' >tests/e2e/host-state.sh
  run tests/vm/unchanged.sh "a test" --without etc --without run true
  [ "$(cat asked)" = "--without etc --without run
--without etc --without run" ]
}

@test "the last line counts passed, failed, skipped; none passed is no success" {
  printf '%s\n' 'ok 1 a' 'not ok 2 b' 'ok 3 c # skip because' 'ok run: d # skip no' 'not ok e' '# ok f' >tap
  run "$ROOT/tests/count.sh" tap
  [ "$status" -ne 0 ]
  [ "$output" = "skipped: c # skip because
skipped: run: d # skip no
failed: b
failed: e
1 passed, 2 failed, 2 skipped" ]
  echo 'ok 1 a' >tap
  "$ROOT/tests/count.sh" tap
  echo 'ok 1 a # skip b' >tap
  run "$ROOT/tests/count.sh" tap
  [ "$status" -ne 0 ]
}

@test "a suite that there is no image of, or no command: exit 2, one line" {
  for command in "check.sh potato" "image.sh potato" "run.sh trixie" "run.sh --speed 2 trixie true"; do
    run "$ROOT"/tests/vm/$command
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ ${lines[0]} == *expected* ]]
  done
}
