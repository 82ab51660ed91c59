# shellcheck shell=bash
# The host is taken before anything is changed, and given back on every way out, by all that change it: runs, and the installation of packages.

# host_take WHAT LEAVE: the lock, and what an earlier run has left put back. However this shell ends from here on, LEAVE is called, the exit
# trap; it calls host_begin_leaving and host_give_back.
host_take() {
  host_lock "$1"
  trap 'leave 130' INT
  trap 'leave 143' TERM
  trap 'leave 129' HUP
  trap 'leave 141' PIPE
  # shellcheck disable=SC2064 # It is known now.
  trap "$2" EXIT
  watch_relieve
  if host_has_changes; then
    say "An earlier run was killed: putting the host back first."
    host_undo || exit 1
  fi
}

# host_begin_leaving STATUS: nothing before the undo, nor in it, can end this: no error, no message, no further signal.
host_begin_leaving() {
  trap - EXIT ERR
  trap '' INT TERM HUP PIPE
  set +e
  progress_end
  disown -a
  (($1 <= 128)) || say "Interrupted: putting the host back."
}

# 1 if something could not be put back.
host_give_back() {
  local status=0
  cgroup_leave_harness
  host_restore_forced
  host_undo || status=1
  watch_end
  host_unlock
  return "$status"
}
