# shellcheck shell=bash
# Monitors that are there already: measured as they run, and left alone. Each is measured in turn, at rest and under every
# rate; the others, if there are several, run on meanwhile.

ATTACHED=()
declare -A ATTACHED_GROUP=() ATTACHED_PID=() ATTACHED_LOGS=()

# attach_add unit:NAME|cgroup:PATH|pid:N|container:ID: what is attached to gets a name that fits into a file name.
attach_add() {
  local spec=$1 value=${1#*:} group='' name=$1
  case $spec in
    unit:?*)
      group=$(unit_cpu_folder "$value")
      [[ -n $group ]] || die_usage "--attach $spec: expected a running unit with a cgroup of its own (systemctl status $value)"
      ;;
    cgroup:/*)
      group=$(realpath -m -- "$value")
      cgroup_counts_cpu "$group" || die_usage "--attach $spec: expected the folder of a cgroup that counts CPU time (cpuacct.usage, or cpu.stat)"
      name=cgroup:${group##*/}
      ;;
    container:?*)
      [[ $value =~ ^[0-9a-f]{6,64}$ ]] || die_usage "--attach $spec: expected a container's id, at least 6 hexadecimal digits"
      group=$(container_cpu_folder "$value")
      [[ -n $group ]] || die_usage "--attach $spec: found no cgroup of one running container with that id"
      name=container:${value:0:12}
      ;;
    pid:*)
      [[ $value =~ ^[1-9][0-9]{0,9}$ && -d /proc/$value ]] || die_usage "--attach $spec: expected the pid of a running process"
      ATTACHED_PID[$name]=$value
      ;;
    *) die_usage "--attach is '$spec', expected unit:NAME, cgroup:/PATH, pid:N or container:ID" ;;
  esac
  [[ " ${ATTACHED[*]} " != *" $name "* ]] || die_usage "--attach $spec: '$name' is attached already"
  [[ $name =~ ^[A-Za-z0-9:@._-]+$ ]] || die_usage "--attach $spec: expected a name of letters, digits and :@._-"
  ATTACHED+=("$name")
  ATTACHED_GROUP[$name]=$group
}

# attach_log FILE: a log of the one that was attached last.
attach_log() {
  ((${#ATTACHED[@]})) || die_usage "--log $1: expected after the --attach whose log it is"
  [[ -r $1 ]] || die_usage "--log $1: expected a file that can be read"
  ATTACHED_LOGS[${ATTACHED[-1]}]+=$1$'\n'
}

# The cgroup of the one container whose id begins with ID, however its engine names cgroups. conmon, which watches over a
# container of Podman or CRI-O, has one of that id as well.
container_cpu_folder() {
  local folder
  local -a folders found=()
  split_lines folders "$(find /sys/fs/cgroup -type d -regextype posix-extended -regex ".*[/-]$1[0-9a-f]*(\.scope)?" -not -name '*conmon-*' | sort)"
  for folder in "${folders[@]}"; do
    ! cgroup_counts_cpu "$folder" || found+=("$folder")
  done
  if ((${#found[@]} == 1)); then
    echo "${found[0]}"
  fi
}

# What monitor_begin does for a monitor that we start.
attach_begin() {
  local name=$1 log
  export MONITOR_NAME=$name MONITOR_RUN_DIR=$2
  mkdir -p "$MONITOR_RUN_DIR"
  MONITOR_LOGS=()
  while IFS= read -r log; do
    [[ -z $log ]] || MONITOR_LOGS+=("$log")
  done <<<"${ATTACHED_LOGS[$name]:-}"
  MONITOR_RECORDS=nothing
  ((${#MONITOR_LOGS[@]} == 0)) || MONITOR_RECORDS="exec"
  if [[ -n ${ATTACHED_PID[$name]:-} ]]; then
    METER_SUBJECT=(--pid "monitor=${ATTACHED_PID[$name]}")
    METER_BPF_OWNER=(--bpf-owner "pid=${ATTACHED_PID[$name]}")
  else
    METER_SUBJECT=(--cgroup "monitor=${ATTACHED_GROUP[$name]}")
    METER_BPF_OWNER=(--bpf-owner "cgroup=${ATTACHED_GROUP[$name]}")
  fi
}

attach_pids() {
  if [[ -n ${ATTACHED_PID[$MONITOR_NAME]:-} ]]; then
    [[ ! -d /proc/${ATTACHED_PID[$MONITOR_NAME]} ]] || echo "${ATTACHED_PID[$MONITOR_NAME]}"
  else
    find "${ATTACHED_GROUP[$MONITOR_NAME]}" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -nu
  fi
}

# Whoever may be working for it. What they do at rest is taken off.
attach_helpers() {
  local unit
  echo "kthread kauditd"
  for unit in systemd-journald.service rsyslog.service; do
    [[ " ${ATTACHED[*]} " == *" unit:$unit "* || -z $(unit_cgroup "$unit") ]] || echo "unit $unit"
  done
}

attach_losses() {
  ! audit_is_usable || echo "kernel_audit_lost $(audit_status lost)"
}
