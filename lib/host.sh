# shellcheck shell=bash
# The host is borrowed. Every change to it is written to a state journal before it is made, as the call
# that undoes it; leaving by any way runs the journal backwards. After a kill -9 the next start does.
#
# A journal line is a bash-quoted call of an undo_* function. Undo functions are idempotent: a change that
# was recorded but not made, or is already undone, is no error.

STATE_DIR=${EXECTAX_STATE_DIR:-/var/lib/exectax}
HOST_JOURNAL=$STATE_DIR/journal
HOST_LOCK=$STATE_DIR/lock
HOST_LOCK_FD=

# host_require_root WHAT WHY
host_require_root() {
  ((EUID == 0)) || die_usage "$1 needs root ($2): run it with sudo"
}

# One run at a time. The kernel drops the lock with the last holder of the descriptor, so children must not
# inherit it: start them through host_spawn or host_run.
host_lock() {
  mkdir -p "$STATE_DIR"
  exec {HOST_LOCK_FD}<>"$HOST_LOCK"
  if ! flock --nonblock "$HOST_LOCK_FD"; then
    die "another run is under way: $(<"$HOST_LOCK")"
  fi
  printf 'pid %d, since %s, %s\n' $$ "$(date -Is)" "$*" >"$HOST_LOCK"
}

host_unlock() {
  [[ -n $HOST_LOCK_FD ]] || return 0
  : >"$HOST_LOCK"
  exec {HOST_LOCK_FD}>&-
  HOST_LOCK_FD=
}

# host_run COMMAND...: in the foreground, without the lock's descriptor (for commands that start daemons).
host_run() {
  if [[ -n $HOST_LOCK_FD ]]; then
    "$@" {HOST_LOCK_FD}>&-
  else
    "$@"
  fi
}

# host_spawn CGROUP COMMAND...: in the background, in a session and a cgroup of its own; its pid is $!. Returns once
# the process is in the cgroup, so that an empty cgroup means that it has ended.
host_spawn() {
  local cgroup=$1 entered
  shift
  open_pipe entered
  (
    trap - INT TERM HUP EXIT
    cgroup_enter "$cgroup"
    echo entered >&"$entered"
    exec {entered}>&-
    [[ -z $HOST_LOCK_FD ]] || exec {HOST_LOCK_FD}>&-
    exec setsid "$@" </dev/null
  ) &
  read -r -t 10 -u "$entered" _ || warn "$1 could not be moved into cgroup exectax/$cgroup"
  exec {entered}>&-
}

# host_record UNDO_FUNCTION ARGS...: call it before making the change.
host_record() {
  [[ -s $HOST_JOURNAL ]] || printf 'boot %s\n' "$(</proc/sys/kernel/random/boot_id)" >"$HOST_JOURNAL"
  printf '%q ' "$@" >>"$HOST_JOURNAL"
  printf '\n' >>"$HOST_JOURNAL"
  sync "$HOST_JOURNAL"
}

host_has_changes() {
  [[ -s $HOST_JOURNAL ]]
}

# Undo everything in the journal, newest first. What cannot be undone stays in it, and the result is 1.
host_undo() {
  host_has_changes || return 0
  local -a lines failed=() call
  local -i i
  mapfile -t lines <"$HOST_JOURNAL"
  if [[ ${lines[0]} != "boot $(</proc/sys/kernel/random/boot_id)" ]]; then
    say "The machine was restarted since; nothing of what was changed outlives that."
    rm -f "$HOST_JOURNAL"
    rm -rf "${STATE_DIR:?}/scratch" "${STATE_DIR:?}/saved"
    return 0
  fi
  for ((i = ${#lines[@]} - 1; i > 0; i--)); do
    eval "call=(${lines[i]})"
    if [[ ${call[0]} != undo_* ]] || ! "${call[@]}"; then
      warn "could not undo: ${lines[i]}"
      failed=("${lines[i]}" "${failed[@]}")
    fi
  done
  if ((${#failed[@]})); then
    printf '%s\n' "${lines[0]}" "${failed[@]}" >"$HOST_JOURNAL"
    warn "the host is not quite as it was; 'exectax restore' tries again"
    return 1
  fi
  rm -rf "$HOST_JOURNAL" "${STATE_DIR:?}/saved"
}

# A folder on local disk that other users can reach (LAUREL drops its privileges), for logs until they are counted.
host_make_scratch() {
  host_record undo_scratch
  mkdir -p "$STATE_DIR/scratch"
  chmod 0755 "$STATE_DIR" "$STATE_DIR/scratch"
}

undo_scratch() {
  rm -rf "${STATE_DIR:?}/scratch"
}
