# shellcheck shell=bash
# Monitors that are there already: measured as they run, and left alone. Each is measured in turn, at rest and under every
# rate; the others, if there are several, run on meanwhile.

# What is attached to passes on what it records, perhaps to a pipeline that others depend on. The run ends when less of a file
# system than that is left (of the logs', of /var/log), or more of the time is lost to waiting for disk or memory (in %, PSI).
ATTACHED_FREE_PERCENT=${EXECTAX_ATTACH_FREE_PERCENT:-5}
ATTACHED_FREE_MIB=${EXECTAX_ATTACH_FREE_MIB:-512}
ATTACHED_PRESSURE_PERCENT=${EXECTAX_ATTACH_PRESSURE_PERCENT:-50}
# A look at the file systems takes a process, so under load there is one every so often.
ATTACHED_DISK_SECONDS=5
ATTACHED_DISK_DUE=0
# Of what is recorded of an execution, in all its records together.
ATTACHED_EXECUTION_BYTES=1500

ATTACHED_NAMES=()
declare -gA ATTACHED_GROUP=() ATTACHED_PID=() ATTACHED_LOGS=()

# attached_add unit:NAME|cgroup:PATH|pid:N|container:ID: what is attached to gets a name that fits into a file name.
attached_add() {
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
      group=$(attached_container_folder "$value")
      [[ -n $group ]] || die_usage "--attach $spec: found no cgroup of one running container with that id"
      name=container:${value:0:12}
      ;;
    pid:*)
      [[ $value =~ ^[1-9][0-9]{0,9}$ && -d /proc/$value ]] || die_usage "--attach $spec: expected the pid of a running process"
      ATTACHED_PID[$name]=$value
      ;;
    *) die_usage "--attach is '$spec', expected unit:NAME, cgroup:/PATH, pid:N or container:ID" ;;
  esac
  [[ " ${ATTACHED_NAMES[*]} " != *" $name "* ]] || die_usage "--attach $spec: '$name' is attached already"
  [[ $name =~ ^[A-Za-z0-9:@._-]+$ ]] || die_usage "--attach $spec: expected a name of letters, digits and :@._-"
  ATTACHED_NAMES+=("$name")
  ATTACHED_GROUP[$name]=$group
}

# attached_add_log FILE: a log of the one that was attached last.
attached_add_log() {
  ((${#ATTACHED_NAMES[@]})) || die_usage "--log $1: expected after the --attach whose log it is"
  [[ -r $1 ]] || die_usage "--log $1: expected a file that can be read"
  ATTACHED_LOGS[${ATTACHED_NAMES[-1]}]+=$1$'\n'
}

# The cgroup of the one container whose id begins with ID, however its engine names cgroups. conmon, which watches over a
# container of Podman or CRI-O, has one of that id as well.
attached_container_folder() {
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

attached_records() {
  if [[ -n ${ATTACHED_LOGS[$1]:-} ]]; then
    echo exec
  else
    echo nothing
  fi
}

# attached_begin NAME FOLDER: there is nothing to begin.
attached_begin() {
  mkdir -p "$2"
}

attached_logs() {
  printf '%s' "${ATTACHED_LOGS[$MONITOR_NAME]:-}"
}

# What it records of its own load is left to whoever gave its log.
attached_check_records() { :; }

attached_problem() { :; }

attached_subject() {
  if [[ -n ${ATTACHED_PID[$MONITOR_NAME]:-} ]]; then
    echo "pid ${ATTACHED_PID[$MONITOR_NAME]}"
  else
    echo "cgroup ${ATTACHED_GROUP[$MONITOR_NAME]} ${ATTACHED_GROUP[$MONITOR_NAME]}"
  fi
}

attached_pids() {
  if [[ -n ${ATTACHED_PID[$MONITOR_NAME]:-} ]]; then
    [[ ! -d /proc/${ATTACHED_PID[$MONITOR_NAME]} ]] || echo "${ATTACHED_PID[$MONITOR_NAME]}"
  else
    find "${ATTACHED_GROUP[$MONITOR_NAME]}" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -nu
  fi
}

# Whoever may be working for it. What they do at rest is taken off.
attached_helpers() {
  local unit
  echo "kthread kauditd"
  for unit in systemd-journald.service rsyslog.service; do
    [[ " ${ATTACHED_NAMES[*]} " == *" unit:$unit "* || -z $(unit_cgroup "$unit") ]] || echo "unit $unit"
  done
}

attached_losses() {
  ! audit_is_usable || echo "kernel_audit_lost $(audit_status lost)"
}

attached_counts_events() {
  return 1
}

# It is not touched.
attached_side() { :; }

# There was no start of it.
attached_start_ms() { :; }

# Audit is as its owner has set it up.
attached_audit_problem() { :; }

attached_last_words() { :; }

# It runs on, and its files are its own.
attached_end() { :; }
attached_keep() { :; }

attached_check_thresholds() {
  options_check_number EXECTAX_ATTACH_FREE_PERCENT "$ATTACHED_FREE_PERCENT" 0 100 "a percentage, a whole number"
  options_check_number EXECTAX_ATTACH_FREE_MIB "$ATTACHED_FREE_MIB" 0 1000000000 "whole MiB"
  options_check_number EXECTAX_ATTACH_PRESSURE_PERCENT "$ATTACHED_PRESSURE_PERCENT" 0 100 "a percentage, a whole number"
}

# attached_sends LAUNCHES REPEATS: how much that is in the logs, and wherever they are passed on to. At most REPEATS times as much
# comes on top.
attached_sends() {
  printf '%s will have %d executions to record and to pass on, about %s' "${ATTACHED_NAMES[*]}" "$1" \
    "$(numfmt --to=si --suffix=B $(($1 * ATTACHED_EXECUTION_BYTES)))"
  (($2 == 0)) || printf ' (and at most %d times as much again for --repeat-disturbed)' "$2"
}

# attached_guard [now]: end the run if a threshold is passed. The file systems are looked at now, or if that is due.
attached_guard() {
  local problem
  local -i clock
  attached_find_pressure /proc/pressure problem
  clock_cs clock
  if [[ -z $problem ]] && { [[ ${1:-} == now ]] || ((clock >= ATTACHED_DISK_DUE)); }; then
    problem=$(attached_disk_problem)
    ATTACHED_DISK_DUE=$((clock + ATTACHED_DISK_SECONDS * 100))
  fi
  [[ -z $problem ]] || die "the run ends here, to protect what it is attached to: $problem"
}

# attached_find_pressure FOLDER VARIABLE: why the pressure in FOLDER (/proc/pressure) is too high; nothing if it is not, or the kernel
# does not tell. No process is started for it.
attached_find_pressure() {
  local attach_of attach_line
  printf -v "$2" ''
  for attach_of in io memory; do
    { read -r _ && read -r attach_line; } 2>/dev/null <"$1/$attach_of" || continue
    if [[ $attach_line =~ ^full\ avg10=([0-9]+)\.([0-9]+) ]] &&
      ((10#${BASH_REMATCH[1]}${BASH_REMATCH[2]} > ATTACHED_PRESSURE_PERCENT * 100)); then
      printf -v "$2" '%s' "everything waited for $attach_of in ${BASH_REMATCH[1]}.${BASH_REMATCH[2]} % of the last 10 s, more than $ATTACHED_PRESSURE_PERCENT %"
    fi
  done
}

# Which of the file systems is nearly full; nothing if none is.
attached_disk_problem() {
  local name
  local -a logs files=(/var/log)
  for name in "${!ATTACHED_LOGS[@]}"; do
    split_lines logs "${ATTACHED_LOGS[$name]%$'\n'}"
    files+=("${logs[@]}")
  done
  stat -f -c '%a %b %S %n' -- "${files[@]}" 2>/dev/null | awk -v percent="$ATTACHED_FREE_PERCENT" -v mib="$ATTACHED_FREE_MIB" '{
    free = $1 * $3 / 1048576
    wanted = $2 * $3 / 1048576 * percent / 100
    if (wanted < mib) wanted = mib
    if (free < wanted && !told++) {
      sub(/^[0-9]+ [0-9]+ [0-9]+ /, "")
      printf "%d MiB are free on the file system of %s, less than %d\n", free, $0, wanted
    }
  }' || true
}
