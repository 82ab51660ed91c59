#!/usr/bin/env bash
# watch-unbuilt.sh PID WARNING LIMIT: a watcher for when build/watcher is not built: while the packages that building needs are installed. It
# needs bash alone, and does what build/watcher --help says, with these two times in seconds; it looks once a second, as nothing is measured.
set -euo pipefail
EXECTAX_ROOT=$(realpath "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..")
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

WATCH_UNBUILT_PID=$1
WATCH_UNBUILT_STARTED=
WATCH_UNBUILT_STATE=

watch_unbuilt_report() {
  printf '%s watcher: %s\n' "$(date -u +%FT%TZ)" "$*" >&2 || true
}

# Its pid on stdout says that it is ready.
watch_unbuilt_become_daemon() {
  local file
  umask 077
  trap '' HUP INT QUIT PIPE XFSZ
  trap watch_unbuilt_leave EXIT
  # What the caller had open would be held, a lock included; 255 is what bash reads this from.
  for file in /proc/self/fd/*; do
    file=${file##*/}
    ((file <= 2 || file == 255)) || exec {file}>&-
  done
  watch_unbuilt_look
  watch_unbuilt_enter_cgroup
  exec </dev/null 2>>"$HOST_STATE_DIR/watcher.log"
  echo $$
  exec >&2
}

# Where no groups can be made, an installation and its watcher do without.
watch_unbuilt_enter_cgroup() {
  local mount
  cgroup_can_find_mounts || return 0
  for mount in "${CGROUP_MOUNTS[@]}"; do
    { mkdir -p "$mount/exectax-watcher" && echo $$ >"$mount/exectax-watcher/cgroup.procs"; } 2>/dev/null || {
      watch_unbuilt_leave
      return 0
    }
  done
}

# What was started again by putting the host back is in there, too.
watch_unbuilt_leave() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    cgroup_dissolve "$mount" exectax-watcher 2>/dev/null || true
  done
}

# Does it still run? Another process may have its number by now. The first look says when it was started.
watch_unbuilt_look() {
  local line=
  local -a words
  { read -r line <"/proc/$WATCH_UNBUILT_PID/stat"; } 2>/dev/null || return 1
  read -ra words <<<"${line##*) }"
  : "${WATCH_UNBUILT_STARTED:=${words[19]}}"
  WATCH_UNBUILT_STATE=${words[0]}
  [[ $WATCH_UNBUILT_STATE != [ZX] && $WATCH_UNBUILT_STARTED == "${words[19]}" ]]
}

# watch_unbuilt_wait WARNING LIMIT: until it has ended.
watch_unbuilt_wait() {
  local -i stopped=0
  while watch_unbuilt_look; do
    if [[ $WATCH_UNBUILT_STATE == T ]]; then
      stopped=$((stopped + 1))
    else
      stopped=0
    fi
    ((stopped != $1)) || watch_unbuilt_tell "$@"
    if ((stopped >= $2)) && host_has_changes; then
      watch_unbuilt_report "process $WATCH_UNBUILT_PID has been stopped for $2 s: killing it"
      kill -KILL "$WATCH_UNBUILT_PID" || true
    fi
    pause 1
  done
}

# watch_unbuilt_tell WARNING LIMIT: in the log, and on its terminal, which may be stopped as well. Not by this, the leader of a session: it
# would become its terminal.
watch_unbuilt_tell() {
  local terminal=/proc/$WATCH_UNBUILT_PID/fd/2
  watch_unbuilt_report "process $WATCH_UNBUILT_PID has been stopped for $1 s"
  [[ -c $terminal ]] || return 0
  # shellcheck disable=SC2016 # the inner shell expands it
  timeout 5 bash -c 'echo "$1" >"$2"' - "exectax: stopped for $1 s while the host is changed; \`fg\` or \`kill -CONT $WATCH_UNBUILT_PID\` goes on. Stopped for $2 s, it is killed, and the host is put back." \
    "$terminal" 2>/dev/null || true
}

watch_unbuilt_end_if_put_back() {
  host_has_changes || exit 0
}

watch_unbuilt_is_over() {
  install_is_over || ! host_has_changes
}

# SIGTERM, from whoever has the lock and puts the host back himself, ends this up to here.
watch_unbuilt_put_back() {
  local -i try
  host_lock "putting the host back" 60
  trap '' TERM
  host_restore_forced
  for ((try = 0; try <= 3; try++)); do
    ((try == 0)) || pause 1
    if host_undo; then
      host_unlock
      watch_unbuilt_report "the host is put back"
      return
    fi
  done
  watch_unbuilt_report "the host is not put back"
}

watch_unbuilt_main() {
  watch_unbuilt_become_daemon
  watch_unbuilt_wait "$@"
  watch_unbuilt_end_if_put_back
  watch_unbuilt_report "process $WATCH_UNBUILT_PID has ended without putting the host back"
  if ((${#CGROUP_MOUNTS[@]})); then
    cgroup_signal CONT install
    wait_until "$INSTALL_SECONDS" watch_unbuilt_is_over || true
    watch_unbuilt_end_if_put_back
    cgroup_kill harness
  fi
  watch_unbuilt_put_back
}

watch_unbuilt_main "$2" "$3"
exit
