# shellcheck shell=bash
# Waiting for conditions. Every wait has a deadline, and a trapped signal ends it at once
# (bash runs a trap during `wait` and `read`, but not during a foreground command).
#
# bash 5.2 fails to run a trap that falls due between two command substitutions of one command. Functions with such a
# command run in a subshell, name() ( ... ): the trap then runs when that has ended.

# pause SECONDS. No process is started for it, which a monitor would record.
pause() {
  [[ -n ${PAUSE_FD:-} ]] || open_pipe PAUSE_FD
  read -r -t "$1" -u "$PAUSE_FD" _ || true
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

# wait_until SECONDS COMMAND...: poll until COMMAND succeeds; 1 when the deadline passes first.
wait_until() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    pause 0.1
  done
}

# Microseconds of CLOCK_REALTIME.
now_us() {
  printf '%s' "${EPOCHREALTIME/[.,]/}"
}

# wait_for_clock US: until CLOCK_REALTIME reaches US.
wait_for_clock() {
  local -i left=$(($1 - $(now_us)))
  ((left > 0)) || return 0
  pause "$(printf '%d.%06d' $((left / 1000000)) $((left % 1000000)))"
}
