# shellcheck shell=bash
# What works on the host besides processes that exectax has started: kernel threads, services.

# Kernel threads are children of kthreadd, pid 2.
kthread_pids() {
  pgrep --parent 2 --exact "$1" || true
}

unit_pids() {
  local group
  group=$(unit_cgroup "$1")
  [[ -z $group ]] || find /sys/fs/cgroup -path "*$group/cgroup.procs" -exec cat {} + | sort -nu
}

# Within a container systemd does not answer, but where it puts its services is known.
unit_cgroup() {
  systemctl show --property ControlGroup --value "$1" 2>/dev/null ||
    find /sys/fs/cgroup -maxdepth 3 -type d -path "*/system.slice/$1" -printf '/system.slice/%f\n' -quit
}

# The folder in which a unit's CPU time is counted; nothing where there is none.
unit_cpu_folder() {
  local group folder
  local -a folders
  group=$(unit_cgroup "$1")
  [[ -n $group ]] || return 0
  split_lines folders "$(find /sys/fs/cgroup -type d -path "*$group")"
  for folder in "${folders[@]}"; do
    if cgroup_counts_cpu "$folder"; then
      echo "$folder"
      return
    fi
  done
}
