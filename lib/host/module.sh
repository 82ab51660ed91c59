# shellcheck shell=bash
# A kernel module that a monitor reads from. It is in the kernel for as long as that monitor runs; one that was there
# before stays.

module_load() {
  [[ ! -d /sys/module/$1 ]] || return 0
  host_record undo_module "$1"
  modprobe "$1"
}

# Only what module_load has loaded.
module_unload() {
  ! grep -qs " undo_module $1 \$" "$HOST_JOURNAL" || undo_module "$1"
}

# While something reads from it, it can't be removed.
undo_module() {
  [[ -d /sys/module/$1 ]] || return 0
  ((${#CGROUP_MOUNTS[@]})) || cgroup_find_mounts
  cgroup_kill "$CGROUP_MONITOR"
  modprobe --remove "$1"
}
