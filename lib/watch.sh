# shellcheck shell=bash
# A harness that is killed (kill -9, or the kernel for lack of memory) can put nothing back. A watcher outside of its session
# and its cgroup then ends what it has left running, and has `exectax restore` do it.

WATCH_PID=

# The journal has what is made for it. To be called with the host's lock held and everything put back.
watch_begin() {
  local folder
  local -a options=()
  host_record undo_cgroups
  cgroup_find_mounts
  cgroup_enter_harness
  for folder in "${CGROUP_MOUNTS[@]}"; do
    mkdir -p "$folder/exectax-watcher"
    options+=(--harness-cgroup "$folder/exectax/harness" --install-cgroup "$folder/exectax/install" --own-cgroup "$folder/exectax-watcher")
  done
  WATCH_PID=$(host_run "$BUILD/watcher" --pid $$ "${options[@]}" --journal "$HOST_JOURNAL" --log "$STATE_DIR/watcher.log" -- \
    "$EXECTAX_ROOT/exectax" restore --force --wait 60) || die "nobody can watch over this run (see above)"
}

# Everything is put back, so there is nothing to watch.
watch_end() {
  local mount
  [[ -n $WATCH_PID ]] || return 0
  # By its group: its pid could be another's by now.
  for mount in "${CGROUP_MOUNTS[@]}"; do
    ! grep -qsx "$WATCH_PID" "$mount/exectax-watcher/cgroup.procs" || kill -TERM "$WATCH_PID"
    break
  done
  wait_until 10 watch_is_over || warn "the watcher does not end (pid $WATCH_PID)"
  [[ -s $STATE_DIR/watcher.log ]] || rm -f "$STATE_DIR/watcher.log"
  rmdir "$STATE_DIR" 2>/dev/null || true
}

watch_is_over() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax-watcher ]] || rmdir "$mount/exectax-watcher" 2>/dev/null || return 1
  done
}
