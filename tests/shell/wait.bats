#!/usr/bin/env bats
# Waiting, and the lines of an output.

load ../rooms

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  use_rooms base
}

@test "an empty pipe: nothing to read, then what is written" {
  local fd line=
  open_pipe fd
  if read -r -t 0 -u "$fd"; then false; fi
  echo entered >&"$fd"
  read -r -t 5 -u "$fd" line
  [ "$line" = entered ]
}

@test "a pause lasts, as the first one and later, and starts no process" {
  has_children() (
    trap 'touch "$BATS_TEST_TMPDIR/child"' CHLD
    "$@"
    [[ -e $BATS_TEST_TMPDIR/child ]]
  )
  has_children /bin/true
  rm "$BATS_TEST_TMPDIR/child"
  pause_twice() {
    local -i start=${EPOCHREALTIME/[.,]/}
    pause 0.05
    pause 0.05
    ((${EPOCHREALTIME/[.,]/} - start >= 100000)) || touch "$BATS_TEST_TMPDIR/short"
  }
  if has_children pause_twice; then false; fi
  [ ! -e "$BATS_TEST_TMPDIR/short" ]
}

@test "lines: none of nothing, empty ones between others" {
  local -a lines=(old)
  split_lines lines ""
  [ "${#lines[@]}" -eq 0 ]
  split_lines lines $'a\n\nb c'
  [ "${#lines[@]}" -eq 3 ]
  [ "${lines[1]}" = "" ]
  [ "${lines[2]}" = "b c" ]
}

@test "the clock does not follow the time of day, and two readings of its offset agree" {
  local -i before after
  clock_cs before
  pause 0.05
  clock_cs after
  ((after - before >= 4))
  clock_offset_us before
  clock_offset_us after
  ((after - before <= 20000 && before - after <= 20000))
}

@test "waiting until a time of the clock" {
  local -i start now
  clock_cs start
  wait_for_clock $((start + 12))
  clock_cs now
  ((now >= start + 12))
  wait_for_clock "$start"
}

# child_is STATE PID
child_is() {
  local state
  child_state "$2" state
  [[ $state == "$1" ]]
}

@test "a child is waited for, with its status, and not for longer than that" {
  local status=0
  bash -c 'exit 7' &
  wait_for_pid $! 20 || status=$?
  [ "$status" -eq 7 ]
  # Of one that is long gone.
  pause 0.2
  status=0
  wait_for_pid $! 20 || status=$?
  [ "$status" -eq 7 ]
  sleep 60 3>&- &
  status=0
  wait_for_pid $! 0 || status=$?
  [ "$status" -eq "$WAIT_TIMED_OUT" ]
  kill -STOP $!
  wait_until 20 child_is T $!
  kill -KILL $!
  status=0
  wait_for_pid $! 20 || status=$?
  [ "$status" -eq 137 ]
}

@test "a stranger that has the pid of a child that ended is not waited for" {
  local state
  # Not a child of this shell.
  child_state 1 state
  [ "$state" = "" ]
  child_has_ended 1
}

@test "a signal goes to a child that lives, and to no stranger that has the pid of one that ended" {
  local status=0 stranger
  # Not a child of this shell.
  sh -c 'sleep 60 >&- 3>&- & echo $!' >"$BATS_TEST_TMPDIR/pid"
  stranger=$(<"$BATS_TEST_TMPDIR/pid")
  child_signal KILL "$stranger"
  # A signal needs its time.
  pause 0.3
  kill "$stranger"
  sleep 60 3>&- &
  child_signal KILL $!
  wait_for_pid $! 20 || status=$?
  [ "$status" -eq 137 ]
}

@test "wait_until: the condition, or its deadline" {
  local -i tries=0
  third_time() { (((tries += 1) == 3)); }
  wait_until 20 third_time
  [ "$tries" -eq 3 ]
  run wait_until 0 false
  [ "$status" -eq 1 ]
}

@test "a signal during a pause: what the exit trap does may take longer than the pause would have" {
  local status=0
  bash -c 'source "$1/lib/base/wait.sh"
    # Commands and no other read, so that bash looks for signals.
    take_long() { for ((i = 0; i < 25; i++)); do : "$(sleep 0.1)"; done; echo done; }
    trap "leave 143" TERM
    trap take_long EXIT
    (sleep 0.2; kill -TERM $$) &
    pause 2
    echo "the pause ended first"' - "$ROOT" >"$BATS_TEST_TMPDIR/out" || status=$?
  cat "$BATS_TEST_TMPDIR/out"
  [ "$status" -eq 143 ]
  [ "$(<"$BATS_TEST_TMPDIR/out")" = done ]
}
