#!/usr/bin/env bats
# Control groups: what is started is found, ended and removed. In groups of the test's own, which stand for whole hierarchies.

load ../rooms

setup() {
  ((EUID == 0)) || skip "needs root"
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host
  cgroup_find_mounts
  local mount
  OWN=()
  for mount in "${CGROUP_MOUNTS[@]}"; do
    OWN+=("$mount/exectax-test-$BASHPID")
  done
  mkdir "${OWN[@]}" || skip "no groups can be made here"
  CGROUP_MOUNTS=("${OWN[@]}")
}

teardown() {
  ((EUID == 0)) || return 0
  local mount pid
  for mount in "${OWN[@]}"; do
    [[ -d $mount ]] || continue
    # All of them at once: the list changes while it is read.
    for pid in $(find "$mount" -name cgroup.procs -exec cat {} +); do
      kill -KILL "$pid" 2>/dev/null || true
    done
    wait_until 20 remove "$mount"
  done
}

remove() {
  find "$1" -depth -type d -exec rmdir {} + 2>/dev/null
}

# start_in GROUP COMMAND...: sets STARTED.
start_in() {
  local group=$1
  shift
  cgroup_create "$group"
  (
    cgroup_enter "$group"
    exec "$@" 3>&-
  ) &
  STARTED=$!
  wait_until 20 is_in "$group" "$STARTED"
}

# is_in GROUP PID
is_in() {
  [[ $'\n'$(cgroup_pids "$1")$'\n' == *$'\n'"$2"$'\n'* ]]
}

is_running() {
  [[ -e /proc/$1 && $(awk '/^State:/ { print $2 }' "/proc/$1/status") != Z ]]
}

# has_threads PID COUNT
has_threads() {
  [[ $(awk '/^Threads:/ { print $2 }' "/proc/$1/status") -eq $2 ]]
}

@test "a group is made in each hierarchy, and its processes are in all of them" {
  local mount
  start_in monitor sleep 60
  for mount in "${CGROUP_MOUNTS[@]}"; do
    grep -qx "$STARTED" "$mount/exectax/monitor/cgroup.procs"
  done
  [ "$(cgroup_pids monitor)" = "$STARTED" ]
  run cgroup_is_empty monitor
  [ "$status" -eq 1 ]
  cgroup_create empty
  cgroup_is_empty empty
}

@test "whatever is in the groups is ended, and they are removed" {
  local first
  start_in monitor sleep 60
  first=$STARTED
  start_in sampler sh -c 'trap "" TERM; sleep 60; :'
  kill -STOP "$first"
  mkdir "${CGROUP_MOUNTS[0]}/exectax/monitor/below"
  undo_cgroups
  run is_running "$first"
  [ "$status" -eq 1 ]
  run is_running "$STARTED"
  [ "$status" -eq 1 ]
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [ ! -d "$mount/exectax" ]
  done
  # Once more is no error.
  undo_cgroups
}

# Threads that are dying keep a group busy, and are not listed.
@test "a group is removed once the threads of its last process are gone, too" {
  local _
  for _ in {1..8}; do
    start_in monitor python3 -c 'if True:
      import threading, time
      memory = b"x" * (200 << 20)
      for _ in range(8):
          threading.Thread(target=time.sleep, args=(60,)).start()'
    wait_until 20 has_threads "$STARTED" 9
    undo_cgroups
    [ ! -d "${CGROUP_MOUNTS[0]}/exectax" ]
  done
}

@test "a group that can't be removed is told" {
  cgroup_create monitor
  mkdir "${CGROUP_MOUNTS[0]}/exectax/monitor/below"
  (
    echo "$BASHPID" >"${CGROUP_MOUNTS[0]}/exectax/monitor/below/cgroup.procs"
    exec sleep 60 3>&-
  ) &
  wait_until 20 grep -qx $! "${CGROUP_MOUNTS[0]}/exectax/monitor/below/cgroup.procs"
  run undo_cgroups
  [ "$status" -eq 1 ]
}

@test "of what is put into a group, nothing else is ended" {
  start_in monitor sleep 60
  sleep 60 3>&- &
  local stranger=$!
  cgroup_kill monitor
  run is_running "$STARTED"
  [ "$status" -eq 1 ]
  is_running "$stranger"
  kill "$stranger"
}

@test "a signal to one process of a group reaches it, and nothing outside of it" {
  start_in monitor sleep 60
  sleep 60 3>&- &
  local stranger=$! first=$STARTED
  start_in monitor sleep 60
  cgroup_signal KILL monitor "$stranger"
  cgroup_signal KILL monitor "${first%?}"
  cgroup_signal KILL monitor "$first"
  wait_until 20 eval '! is_running "$first"'
  is_running "$stranger"
  is_running "$STARTED"
  kill "$stranger"
}

@test "the harness is in its own group until it leaves, and then in the one it came from" {
  run bash -c '
    EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh
    CGROUP_MOUNTS=("$@")
    cgroup_of_harness() { echo "$1/came-from"; }
    for mount in "$@"; do mkdir "$mount/came-from"; echo $$ >"$mount/came-from/cgroup.procs"; done
    cgroup_enter_harness
    grep -qx $$ "$1/exectax/harness/cgroup.procs" && echo entered
    cgroup_leave_harness
    grep -qx $$ "$1/came-from/cgroup.procs" && echo left' - "${CGROUP_MOUNTS[@]}"
  [ "$output" = $'entered\nleft' ]
}
