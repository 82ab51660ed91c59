# shellcheck shell=bash
# Control groups: one for everything that is started, so that it can be found, counted and ended.
# Groups are made as exectax/NAME in the unified hierarchy where there is one, and in the v1 hierarchies of
# cpu, cpuacct and memory where those are mounted: v2, v1 and hybrid hosts all work.

CGROUP_MOUNTS=()
# The group of the monitor that is measured.
CGROUP_MONITOR=monitor

cgroup_find_mounts() {
  split_lines CGROUP_MOUNTS "$(awk '
    # In a container, one may lie over another.
    seen[$2, $3]++ { next }
    $3 == "cgroup2" { print $2; next }
    $3 == "cgroup" && "," $4 "," ~ /,(cpu|cpuacct|memory),/ { v1[++n] = $2 }
    END { for (i = 1; i <= n; i++) print v1[i] }' /proc/self/mounts)"
  ((${#CGROUP_MOUNTS[@]})) || die "no cgroup hierarchy is mounted (looked for cgroup2, or cgroup with cpu, cpuacct or memory)"
}

# Where there may be none: finds them, or is 1.
cgroup_can_find_mounts() {
  (cgroup_find_mounts) 2>/dev/null && cgroup_find_mounts
}

cgroup_create() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    mkdir -p "$mount/exectax/$1"
  done
}

# Move the calling process.
cgroup_enter() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    printf '%d\n' "$BASHPID" >"$mount/exectax/$1/cgroup.procs"
  done
}

cgroup_pids() {
  local file=${CGROUP_MOUNTS[0]}/exectax/$1/cgroup.procs
  [[ ! -e $file ]] || sort -n "$file"
}

cgroup_is_empty() {
  [[ -z $(cgroup_pids "$1") ]]
}

# The folder in which the group's CPU time is counted (cpu.stat, or cpuacct.usage): all its tasks, dead ones included.
cgroup_cpu_folder() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    if cgroup_counts_cpu "$mount/exectax/$1"; then
      echo "$mount/exectax/$1"
      return
    fi
  done
  return 1
}

# cgroup_folders NAME: of our group of that name, in every hierarchy.
cgroup_folders() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax/$1 ]] || echo "$mount/exectax/$1"
  done
}

# cgroup_folders_like FOLDER: those of the group whose folder in one of the hierarchies that is, in every one.
cgroup_folders_like() {
  local mount path=
  ((${#CGROUP_MOUNTS[@]})) || cgroup_find_mounts
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ $1 != "$mount"/* ]] || path=${1#"$mount"}
  done
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ -z $path || ! -d $mount$path ]] || echo "$mount$path"
  done
}

# cgroup_folders_of_process PID: those of the group that it is in.
cgroup_folders_of_process() {
  local mount
  ((${#CGROUP_MOUNTS[@]})) || cgroup_find_mounts
  for mount in "${CGROUP_MOUNTS[@]}"; do
    cgroup_of_process "$1" "$mount"
  done
}

cgroup_counts_cpu() {
  [[ -e $1/cpuacct.usage ]] || grep -qs '^usage_usec' "$1/cpu.stat"
}

# The harness, and with it what it starts, in a group of its own, until cgroup_leave_harness.
cgroup_enter_harness() {
  local mount
  for mount in "${CGROUP_MOUNTS[@]}"; do
    CGROUP_CAME_FROM[$mount]=$(cgroup_of_harness "$mount")
  done
  cgroup_create harness
  cgroup_enter harness
}
declare -gA CGROUP_CAME_FROM=()

# Back to the group that it came from; to the hierarchy's root if that is gone.
cgroup_leave_harness() {
  local mount
  for mount in "${!CGROUP_CAME_FROM[@]}"; do
    { echo $$ >"${CGROUP_CAME_FROM[$mount]}/cgroup.procs" || echo $$ >"$mount/cgroup.procs"; } 2>/dev/null || true
  done
}

# cgroup_of_harness MOUNT: the folder of its group in that hierarchy.
cgroup_of_harness() {
  cgroup_of_process $$ "$1"
}

# cgroup_of_process PID MOUNT: likewise.
cgroup_of_process() {
  awk -v mount="$2" '
    FNR == NR { if ($2 == mount) { options = "," $4 ","; unified = $3 == "cgroup2" } next }
    {
      split($0, part, ":")
      count = split(part[2], controllers, ",")
      for (i = 1; i <= count; i++) if (index(options, "," controllers[i] ",")) found = 1
      if (part[1] == 0 && unified) found = 1
      if (found) { print mount substr($0, length(part[1] part[2]) + 3); exit }
    }' /proc/self/mounts "/proc/$1/cgroup"
}

# cgroup_signal SIGNAL NAME [PID]: to whatever is in the group; to PID alone, if it is in there.
cgroup_signal() {
  cgroup_signal_folder "$1" "${CGROUP_MOUNTS[0]}/exectax/$2" "${3:-}"
}

# cgroup_signal_folder SIGNAL FOLDER [PID]: likewise. The group is read for it: whose a pid is that was noted earlier, nobody knows.
cgroup_signal_folder() {
  local pid
  local -a pids=()
  [[ ! -e $2/cgroup.procs ]] || split_lines pids "$(<"$2/cgroup.procs")"
  for pid in "${pids[@]}"; do
    [[ -n ${3:-} && $pid != "$3" ]] || kill -s "$1" "$pid" 2>/dev/null || true
  done
}

# End whatever is left in the group.
cgroup_kill() {
  cgroup_is_empty "$1" && return 0
  cgroup_signal CONT "$1"
  wait_until 10 cgroup_kill_round "$1" || warn "processes in cgroup exectax/$1 do not die: $(cgroup_pids "$1" | tr '\n' ' ')"
}

cgroup_kill_round() {
  cgroup_signal KILL "$1"
  cgroup_is_empty "$1"
}

# cgroup_dissolve MOUNT GROUP: what is in it goes to the hierarchy's root, and it is removed.
cgroup_dissolve() {
  local pid
  [[ -d $1/$2 ]] || return 0
  while IFS= read -r pid; do
    echo "$pid" >"$1/cgroup.procs" || true
  done <"$1/$2/cgroup.procs" 2>/dev/null
  rmdir "$1/$2"
}

# Fails while there are processes, and for a moment after the last one is listed: its threads still die then.
cgroup_remove_all() {
  local mount result=0
  for mount in "${CGROUP_MOUNTS[@]}"; do
    [[ ! -d $mount/exectax ]] || find "$mount/exectax" -depth -type d -exec rmdir {} + 2>/dev/null || result=1
    # A watcher that still runs is in its own; it removes that itself.
    rmdir "$mount/exectax-watcher" 2>/dev/null || true
  done
  return "$result"
}

# What does not die, waiting for a device say, keeps its group, and the undo is tried again by the next.
undo_cgroups() {
  local group
  ((${#CGROUP_MOUNTS[@]})) || cgroup_can_find_mounts || return 0
  for group in "${CGROUP_MOUNTS[0]}"/exectax/*/; do
    [[ ! -d $group ]] || cgroup_kill "$(basename "$group")"
  done
  wait_until 10 cgroup_remove_all || {
    warn "the cgroups exectax can't be removed, in ${CGROUP_MOUNTS[*]}"
    return 1
  }
}
