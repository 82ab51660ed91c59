# shellcheck shell=bash
# A run in a container. One that sees the host's processes, as a pod with hostPID does, can leave something on the host that outlives it.

# What pid 1 has for its root.
CONTAINER_HOST_ROOT=/proc/1/root

# Is this a container with the host's processes? Then pid 1 has another root. A pod may not be able to look at that.
container_shares_processes() {
  if [[ -d $CONTAINER_HOST_ROOT/. ]]; then
    [[ ! $CONTAINER_HOST_ROOT/. -ef /. ]]
  else
    [[ -n ${KUBERNETES_SERVICE_HOST:-} ]]
  fi
}

# container_host_file FILE: that of the host, as seen from here; in a container that can't see it, one of that name in the state folder, which it has
# from its node. What a container writes elsewhere goes with it.
container_host_file() {
  if ! container_shares_processes; then
    echo "$1"
  elif [[ -d $CONTAINER_HOST_ROOT/. ]]; then
    echo "$CONTAINER_HOST_ROOT$1"
  else
    echo "$HOST_STATE_DIR/${1##*/}"
  fi
}

# Does whatever is started in this container end with it? One with processes of its own ends them all; of one with cgroups of its own, the engine does.
container_ends_all() {
  if container_shares_processes; then
    [[ -e /proc/1/ns/cgroup && ! /proc/1/ns/cgroup -ef /proc/self/ns/cgroup ]] || container_has_part_of_hierarchy
  else
    # The kernel's own (PROC_PID_INIT_INO).
    (($(stat -L -c %i /proc/self/ns/pid) != 0xEFFFFFFC))
  fi
}

# cgroup v1 is shown to a container from its own group on, unless it is given /sys/fs/cgroup of the host.
container_has_part_of_hierarchy() {
  awk -v mounts="${CGROUP_MOUNTS[*]}" 'index(" " mounts " ", " " $5 " ") && $4 != "/" { found = 1 } END { exit !found }' /proc/self/mountinfo
}
