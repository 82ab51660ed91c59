#!/usr/bin/env bats
# What keeps sysmon from running here is said before it is started.

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  export EXECTAX_SYSMON=$BATS_TEST_TMPDIR/build/sysmon
  mkdir "${EXECTAX_SYSMON%/*}"
}

teardown() {
  [[ -z ${BYSTANDER:-} ]] || kill "$BYSTANDER"
}

obstacles() {
  bash lib/monitor/call.sh sysmon obstacles
}

# a_build_that_knows NAME...: what stands for sysmon: a program with these names among its type information.
a_build_that_knows() {
  printf '%s\n' '#!/bin/sh' "$@" >"$EXECTAX_SYSMON"
  chmod 0755 "$EXECTAX_SYSMON"
}

@test "an override that is no program is the reason why sysmon can't run" {
  run obstacles
  [[ $output == *"$EXECTAX_SYSMON is no executable file"* ]]
}

@test "a sysmon that runs already is left alone" {
  a_build_that_knows i_atime_sec
  run obstacles
  [[ $output != *"running already"* ]] || skip "a sysmon runs on this host: $output"
  mkdir "$BATS_TEST_TMPDIR/other"
  cp "$(type -P sleep)" "$BATS_TEST_TMPDIR/other/sysmon"
  "$BATS_TEST_TMPDIR/other/sysmon" 60 3>&- &
  BYSTANDER=$!
  run obstacles
  [[ $output == *"a sysmon is running already (pid $BYSTANDER)"* ]]
}

@test "a build without the inode times of newer kernels is refused by those kernels only" {
  a_build_that_knows __i_atime
  run obstacles
  if grep -qa i_atime_sec /sys/kernel/btf/vmlinux; then
    [[ $output == *"does not know the inode times"* ]]
  else
    [[ $output != *"does not know the inode times"* ]]
  fi
  a_build_that_knows __i_atime i_atime_sec
  run obstacles
  [[ $output != *"does not know the inode times"* ]]
}
