# shellcheck shell=bash
# Waiting for conditions. Every wait has a deadline, on a clock that no step of the time of day moves, and a trapped signal
# ends it at once (bash runs a trap during `wait` and `read`, but not during a foreground command).
#
# bash 5.2 fails to run a trap that falls due between two command substitutions of one command. Functions with such a
# command run in a subshell, name() ( ... ): the trap then runs when that has ended.

# The status of a wait for a process that has not ended in time; that of timeout(1).
WAIT_TIMED_OUT=124

# pause SECONDS. No process is started for it, which a monitor would record.
pause() {
  [[ -n ${WAIT_PAUSE_FD:-} ]] || open_pipe WAIT_PAUSE_FD
  read -r -t "$1" -u "$WAIT_PAUSE_FD" _ || true
}

# leave STATUS: for traps on signals. Where one comes during a `read` with a timeout, bash 5.2 jumps back into that when the time is
# over, although `exit` has left it by then: it crashes in the midst of what the exit trap does. Another `read` makes it forget.
leave() {
  read -r -t 0 _ 2>/dev/null || true
  exit "$1"
}

# open_pipe VARIABLE: a descriptor of an empty pipe, to write to and to read from. (A here-string is the one pipe that bash
# makes without starting a process.)
open_pipe() {
  local -n open_pipe_fd=$1
  local reader
  exec {reader}<<<""
  exec {open_pipe_fd}<>"/proc/self/fd/$reader"
  exec {reader}<&-
  read -r -u "$open_pipe_fd" _
}

# clock_cs VARIABLE: hundredths of a second since the machine was started (bash's own SECONDS follows the time of day).
clock_cs() {
  local clock_cs_uptime
  read -r clock_cs_uptime _ </proc/uptime
  printf -v "$1" '%d' "$((10#${clock_cs_uptime/./}))"
}

# clock_offset_us VARIABLE: the time of day less the time since the start, in µs, to a hundredth of a second. It changes when
# the time of day is stepped, and only then: adjusting it slowly moves both.
clock_offset_us() {
  local -i offset_before offset_now offset_real offset_tries
  clock_cs offset_now
  # Kept from a CPU between the readings, this process would see a step where there is none.
  for ((offset_tries = 0; offset_tries < 100; offset_tries++)); do
    offset_before=offset_now
    offset_real=${EPOCHREALTIME/[.,]/}
    clock_cs offset_now
    ((offset_before != offset_now)) || break
  done
  printf -v "$1" '%d' "$((offset_real - offset_now * 10000))"
}

# wait_until SECONDS COMMAND...: poll until COMMAND succeeds; 1 when the deadline passes first.
wait_until() {
  wait_polling 0.1 "$@"
}

# wait_polling EVERY_SECONDS SECONDS COMMAND...: the same, with that pause between two looks.
wait_polling() {
  local -i wait_polling_now wait_polling_deadline
  local wait_polling_every=$1
  clock_cs wait_polling_now
  wait_polling_deadline=$((wait_polling_now + $2 * 100))
  shift 2
  until "$@"; do
    clock_cs wait_polling_now
    ((wait_polling_now < wait_polling_deadline)) || return 1
    pause "$wait_polling_every"
  done
}

# wait_for_clock CS: until clock_cs is at CS.
wait_for_clock() {
  local -i now left
  local seconds
  clock_cs now
  while ((now < $1)); do
    left=$(($1 - now))
    printf -v seconds '%d.%02d' $((left / 100)) $((left % 100))
    pause "$seconds"
    clock_cs now
  done
}

# wait_for_pid PID SECONDS: the exit status of PID, a child of this shell; WAIT_TIMED_OUT if it does not end in time.
wait_for_pid() {
  wait_until "$2" child_has_ended "$1" || return "$WAIT_TIMED_OUT"
  # bash would report what has ended by a signal.
  wait "$1" 2>/dev/null
}

# Once it has ended, another process may have the pid.
child_has_ended() {
  local state
  child_state "$1" state
  [[ $state == '' || $state == Z ]]
}

# child_state PID VARIABLE: the letter in /proc (R, S, T: stopped, Z: ended, ...); nothing if this shell has no such child.
child_state() {
  local child_state_line=
  { read -r child_state_line <"/proc/$1/stat"; } 2>/dev/null || true
  if [[ ${child_state_line##*) } =~ ^([A-Za-z])\ ([0-9]+)\  && ${BASH_REMATCH[2]} == "$BASHPID" ]]; then
    printf -v "$2" '%s' "${BASH_REMATCH[1]}"
  else
    printf -v "$2" ''
  fi
}

# child_signal SIGNAL PID: to a child of this shell, unless it has ended: bash takes its status as soon as it has, and the next process that
# is given its pid can be anybody's.
child_signal() {
  child_has_ended "$2" || kill -s "$1" "$2" 2>/dev/null || true
}

# Microseconds of CLOCK_REALTIME.
now_us() {
  printf '%s' "${EPOCHREALTIME/[.,]/}"
}
