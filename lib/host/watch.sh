# shellcheck shell=bash
# A harness that is killed (kill -9, or the kernel for lack of memory) can put nothing back, nor can one that is stopped (Ctrl-Z, SIGSTOP). A
# watcher outside of its session and its cgroup then ends what it has left running, and has `exectax restore` do it.

WATCH_PID=
# For how long a harness may be stopped: before that is said, and before its run is ended.
WATCH_STOPPED_WARNING=${EXECTAX_STOPPED_WARNING_SECONDS:-60}
WATCH_STOPPED_LIMIT=${EXECTAX_STOPPED_LIMIT_SECONDS:-600}

# To be called with the host's lock held, everything put back, and nothing changed yet: killed before there is a watcher, the
# harness leaves nothing to undo.
watch_begin() {
  local folder
  local -a options=() restore=("$EXECTAX_ROOT/exectax" restore --force --wait 60)
  cgroup_find_mounts
  for folder in "${CGROUP_MOUNTS[@]}"; do
    options+=(--harness-cgroup "$folder/exectax/harness" --install-cgroup "$folder/exectax/install" --own-cgroup "$folder/exectax-watcher")
  done
  host_make_state_dir
  ! container_ends_all ||
    say "What ends this container ends the watcher, too, and then nobody puts the host back: it needs the host's processes and cgroups (docs/safety.md)."
  # bash keeps the longer of its texts in files.
  ! container_shares_processes || restore=(env TMPDIR="$HOST_STATE_DIR" "${restore[@]}")
  WATCH_PID=$(host_run "$BUILD/watcher" --pid $$ "${options[@]}" --journal "$HOST_JOURNAL" --log "$HOST_STATE_DIR/watcher.log" \
    --stopped-warning "$WATCH_STOPPED_WARNING" --stopped-limit "$WATCH_STOPPED_LIMIT" -- "${restore[@]}") || watch_die
  host_record undo_cgroups
  watch_enter_harness
}

# The same before anything is built: what building needs is installed.
watch_begin_unbuilt() {
  host_make_state_dir
  WATCH_PID=$(host_run setsid --fork "$EXECTAX_ROOT/lib/host/watch-unbuilt.sh" $$ "$WATCH_STOPPED_WARNING" "$WATCH_STOPPED_LIMIT")
  [[ -n $WATCH_PID ]] || watch_die
  host_record undo_cgroups
  # Where no groups can be made, it does without.
  ! cgroup_can_find_mounts || ! watch_runs || watch_enter_harness
}

watch_die() {
  die "the watcher that restores the host could not be started (see above)"
}

# Whoever ends a container that has the host's processes ends what is in its groups.
watch_enter_harness() {
  container_shares_processes || cgroup_enter_harness
}

# To be called before each measurement. A run without a watcher would leave the host as it is if it were killed.
watch_require() {
  [[ -z $WATCH_PID ]] || watch_runs || die "the watcher, process $WATCH_PID, does not run any more, and a kill would leave the host changed: ending the run"
}

# By its group: its pid could be another's by now. One that is stopped watches nothing.
watch_runs() {
  grep -qsx "$WATCH_PID" "${CGROUP_MOUNTS[0]}/exectax-watcher/cgroup.procs" && grep -qs '^State:.[^TZX]' "/proc/$WATCH_PID/status"
}

# An earlier run's watcher that has not put the host back yet, as it waits for an installation or for the lock: whoever has the
# lock does that instead, and it must not end what he starts.
watch_relieve() {
  cgroup_can_find_mounts || return 0
  wait_until 40 watch_is_relieved || die "an earlier run's watcher does not end: $(paste -sd ' ' "${CGROUP_MOUNTS[0]}/exectax-watcher/cgroup.procs")"
}

watch_is_relieved() {
  watch_tell_to_go
  watch_is_over
}

# watch_tell_to_go [PID]: whatever watches, or that process alone if it does; also if something has stopped it.
watch_tell_to_go() {
  # Where no groups can be made, there is none.
  ((${#CGROUP_MOUNTS[@]})) || return 0
  cgroup_signal_folder TERM "${CGROUP_MOUNTS[0]}/exectax-watcher" "${1:-}"
  cgroup_signal_folder CONT "${CGROUP_MOUNTS[0]}/exectax-watcher" "${1:-}"
}

# Everything is put back, so there is nothing to watch.
watch_end() {
  [[ -n $WATCH_PID ]] || return 0
  watch_tell_to_go "$WATCH_PID"
  wait_until 10 watch_is_over || warn "the watcher does not end (pid $WATCH_PID)"
}

watch_is_over() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax-watcher ]] || rmdir "$mount/exectax-watcher" 2>/dev/null || return 1
  done
}
