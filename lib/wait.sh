# shellcheck shell=bash
# Waiting for conditions. Every wait has a deadline, and a trapped signal ends it at once
# (bash runs a trap during `wait` and `read`, but not during a foreground command).
#
# bash 5.2 fails to run a trap that falls due between two command substitutions of one command. Functions with such a
# command run in a subshell, name() ( ... ): the trap then runs when that has ended.

# No process is started for it: under a load of thousands of processes a second, pids come round within seconds, and
# bash then can wait for ever for one whose pid it has known before.
pause() {
  [[ -n ${PAUSE_FD:-} ]] || exec {PAUSE_FD}<> <(:)
  read -r -t "$1" -u "$PAUSE_FD" _ || true
}

# wait_for_child PID: until that child of this shell has ended; its exit status. `wait` alone could wait for ever, for the
# same reason: it is called only when there is nothing left to wait for.
wait_for_child() {
  until child_has_ended "$1"; do
    pause 0.2
  done
  wait "$1"
}

# A pid that is not, or no more, a child of this shell has ended. The name of none of them has a space in it.
child_has_ended() {
  local state parent
  read -r _ _ state parent _ 2>/dev/null <"/proc/$1/stat" || return 0
  [[ $state == Z || $parent != "$BASHPID" ]]
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
