# shellcheck shell=bash
# A harness that is killed (kill -9, or the kernel for lack of memory) can put nothing back. A watcher outside of its session
# and its cgroup then ends what it has left running, and has `exectax restore` do it.

WATCH_PID=

# To be called with the host's lock held, everything put back, and nothing changed yet: killed before there is a watcher, the
# harness leaves nothing to undo.
watch_begin() {
  local folder
  local -a options=()
  cgroup_find_mounts
  for folder in "${CGROUP_MOUNTS[@]}"; do
    options+=(--harness-cgroup "$folder/exectax/harness" --install-cgroup "$folder/exectax/install" --own-cgroup "$folder/exectax-watcher")
  done
  host_make_state_dir
  ! watch_goes_with_container ||
    warn "what ends this container ends the watcher, too, and then nobody puts the host back: expected the host's processes and cgroups (docs/safety.md)"
  # bash keeps the longer of its texts in files. Those of a container that is gone can't be written any more; the state folder can.
  WATCH_PID=$(host_run "$BUILD/watcher" --pid $$ "${options[@]}" --journal "$HOST_JOURNAL" --log "$HOST_STATE_DIR/watcher.log" -- \
    env TMPDIR="$HOST_STATE_DIR" "$EXECTAX_ROOT/exectax" restore --force --wait 60) || die "the watcher that restores the host could not be started (see above)"
  host_record undo_cgroups
  cgroup_enter_harness
}

# Is this a container with processes or cgroups of its own? Then whatever is started in it ends with it. In one with the host's, pid 1 is another
# root's, and its cgroup namespace ours; the hierarchies are whole.
watch_goes_with_container() {
  if [[ ! -e /proc/1/ns/mnt || /proc/1/ns/mnt -ef /proc/self/ns/mnt ]]; then
    # The kernel's own (PROC_PID_INIT_INO).
    (($(stat -L -c %i /proc/self/ns/pid) != 0xEFFFFFFC))
  else
    [[ ! /proc/1/ns/cgroup -ef /proc/self/ns/cgroup ]] || watch_has_part_of_hierarchy
  fi
}

# cgroup v1 is shown to a container from its own group on, unless it is given /sys/fs/cgroup of the host.
watch_has_part_of_hierarchy() {
  awk -v mounts="${CGROUP_MOUNTS[*]}" 'index(" " mounts " ", " " $5 " ") && $4 != "/" { found = 1 } END { exit !found }' /proc/self/mountinfo
}

# An earlier run's watcher that has not put the host back yet, as it waits for an installation or for the lock: whoever has the
# lock does that instead, and it must not end what he starts.
watch_relieve() {
  cgroup_find_mounts
  wait_until 40 watch_is_relieved || die "an earlier run's watcher does not end: $(paste -sd ' ' "${CGROUP_MOUNTS[0]}/exectax-watcher/cgroup.procs")"
}

watch_is_relieved() {
  local pid folder=${CGROUP_MOUNTS[0]}/exectax-watcher
  local -a pids=()
  [[ ! -d $folder ]] || split_lines pids "$(<"$folder/cgroup.procs")"
  for pid in "${pids[@]}"; do
    kill -TERM "$pid" 2>/dev/null || true
  done
  watch_is_over
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
}

watch_is_over() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax-watcher ]] || rmdir "$mount/exectax-watcher" 2>/dev/null || return 1
  done
}
