# shellcheck shell=bash
# A harness that is killed (kill -9, or the kernel for lack of memory) can put nothing back. A watcher outside of its session
# and its cgroup then ends what it has left running, and has `exectax restore` do it.

WATCH_PID=

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
  WATCH_PID=$(host_run "$BUILD/watcher" --pid $$ "${options[@]}" --journal "$HOST_JOURNAL" --log "$HOST_STATE_DIR/watcher.log" -- \
    "${restore[@]}") || die "the watcher that restores the host could not be started (see above)"
  host_record undo_cgroups
  # Whoever ends a container that has the host's processes ends what is in its groups.
  container_shares_processes || cgroup_enter_harness
}

# An earlier run's watcher that has not put the host back yet, as it waits for an installation or for the lock: whoever has the
# lock does that instead, and it must not end what he starts.
watch_relieve() {
  cgroup_find_mounts
  wait_until 40 watch_is_relieved || die "an earlier run's watcher does not end: $(paste -sd ' ' "${CGROUP_MOUNTS[0]}/exectax-watcher/cgroup.procs")"
}

watch_is_relieved() {
  cgroup_signal_folder TERM "${CGROUP_MOUNTS[0]}/exectax-watcher"
  watch_is_over
}

# Everything is put back, so there is nothing to watch.
watch_end() {
  [[ -n $WATCH_PID ]] || return 0
  cgroup_signal_folder TERM "${CGROUP_MOUNTS[0]}/exectax-watcher" "$WATCH_PID"
  wait_until 10 watch_is_over || warn "the watcher does not end (pid $WATCH_PID)"
}

watch_is_over() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax-watcher ]] || rmdir "$mount/exectax-watcher" 2>/dev/null || return 1
  done
}
