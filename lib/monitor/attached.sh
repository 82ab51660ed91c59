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
# Why the one that was begun with can't be measured, on one line.
ATTACHED_PROBLEM=''
ATTACHED_CANARY_SECONDS=0.001
declare -gA ATTACHED_GROUP=() ATTACHED_PID=() ATTACHED_LOGS=()
# Of pods: what the cluster tells (pods_find), with the namespace; the containers whose logs are its logs, one a line; how many containers ran when it
# was attached to; which ones when it was begun with.
declare -gA ATTACHED_POD=() ATTACHED_POD_LOGS=() ATTACHED_POD_SIZE=() ATTACHED_POD_RUNS=()
# How long a pod may take until as many of its containers run again as did, and any of them until its log has what it is shown.
ATTACHED_READY_SECONDS=${EXECTAX_READY_SECONDS:-60}

# attached_add unit:NAME|cgroup:PATH|pid:N|container:ID|pod:NAMESPACE/SELECTOR: what is attached to gets a name that fits into a file name.
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
    pod:*)
      attached_find_pod "$spec"
      name=$(attached_pod_name "$spec")
      group=$(pods_cpu_folder "$(jq -r .uid <<<"$ATTACHED_FOUND_POD")")
      [[ -n $group ]] || die_usage "--attach $spec: found no cgroup of the pod $(jq -r .name <<<"$ATTACHED_FOUND_POD") below $PODS_GROUPS, expected to be on its node, with the host's cgroups"
      ATTACHED_POD[$name]=$ATTACHED_FOUND_POD
      ATTACHED_POD_SIZE[$name]=$(pods_containers "$group" | wc -w)
      ;;
    pid:*)
      [[ $value =~ ^[1-9][0-9]{0,9}$ && -d /proc/$value ]] || die_usage "--attach $spec: expected the pid of a running process"
      ATTACHED_PID[$name]=$value
      ;;
    *) die_usage "--attach is '$spec', expected unit:NAME, cgroup:/PATH, pid:N, container:ID or pod:NAMESPACE/LABEL=VALUE" ;;
  esac
  [[ " ${ATTACHED_NAMES[*]} " != *" $name "* ]] || die_usage "--attach $spec: '$name' is attached already"
  [[ $name =~ ^[A-Za-z0-9:@._-]+$ ]] || die_usage "--attach $spec: expected a name of letters, digits and :@._-"
  ATTACHED_NAMES+=("$name")
  ATTACHED_GROUP[$name]=$group
}

# The pod that attached_find_pod has found.
ATTACHED_FOUND_POD=

# attached_find_pod pod:NAMESPACE/SELECTOR
attached_find_pod() {
  local value=${1#*:} found
  [[ $value =~ ^[a-z0-9]([a-z0-9-]*[a-z0-9])?/[A-Za-z0-9][A-Za-z0-9./_-]*=[A-Za-z0-9._-]+(,[A-Za-z0-9][A-Za-z0-9./_-]*=[A-Za-z0-9._-]+)*$ ]] ||
    die_usage "--attach is '$1', expected pod:NAMESPACE/LABEL=VALUE"
  command -v kubectl >/dev/null || die_usage "--attach $1: expected kubectl, which finds the pod"
  found=$(pods_find "${value%%/*}" "${value#*/}") || die_usage "--attach $1: kubectl can't list the pods: $found"
  [[ -n $found && $found != *$'\n'* ]] ||
    die_usage "--attach $1: expected one running pod with that label on the node $(pods_node) (EXECTAX_NODE), found $(jq -rs 'if . == [] then "none" else "\(length): \(map(.name) | join(" "))" end' <<<"$found")"
  [[ $(jq -c .idle <<<"$found") == '[]' ]] ||
    die_usage "--attach $1: expected all containers of the pod to run, these do not: $(jq -r '.idle | join(" ")' <<<"$found")"
  ATTACHED_FOUND_POD=$(jq -c --arg namespace "${value%%/*}" '{$namespace} + .' <<<"$found")
}

# attached_pod_name SPEC: of the pod that was found, the same for each of those that come after it: its owner's, or the value of its label.
attached_pod_name() {
  jq -r --arg value "${1##*=}" '"pod:\(.namespace).\(if .owner == "" then $value else .owner end)"' <<<"$ATTACHED_FOUND_POD"
}

# attached_add_log FILE|container:NAME: a log of the one that was attached last.
attached_add_log() {
  local name
  ((${#ATTACHED_NAMES[@]})) || die_usage "--log $1: expected after the --attach whose log it is"
  name=${ATTACHED_NAMES[-1]}
  if [[ $1 == container:* ]]; then
    [[ -n ${ATTACHED_POD[$name]:-} ]] || die_usage "--log $1: expected after --attach pod:, whose container it is"
    jq -e --arg container "${1#*:}" '.containers | index($container)' <<<"${ATTACHED_POD[$name]}" >/dev/null ||
      die_usage "--log $1: the pod has no such container, expected one of: $(jq -r '.containers | join(" ")' <<<"${ATTACHED_POD[$name]}")"
    [[ -r $(attached_pod_log "$name" "${1#*:}") ]] || die_usage "--log $1: found no log of it below $PODS_LOGS, expected that folder of the node"
    ATTACHED_POD_LOGS[$name]+=${1#*:}$'\n'
  else
    [[ -r $1 ]] || die_usage "--log $1: expected a file that can be read"
    ATTACHED_LOGS[$name]+=$1$'\n'
  fi
}

# attached_pod_log NAME CONTAINER
attached_pod_log() {
  local namespace pod uid
  read -r namespace pod uid <<<"$(jq -r '"\(.namespace) \(.name) \(.uid)"' <<<"${ATTACHED_POD[$1]}")"
  pods_log "$namespace" "$pod" "$uid" "$2"
}

# attached_has_log NAME
attached_has_log() {
  [[ -n ${ATTACHED_LOGS[$1]:-}${ATTACHED_POD_LOGS[$1]:-} ]]
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

# What it is of is told of a pod alone.
attached_version() {
  [[ -z ${ATTACHED_POD[$1]:-} ]] || jq -r '.images | join(", ")' <<<"${ATTACHED_POD[$1]}"
}

attached_records() {
  if attached_has_log "$1"; then
    echo exec
  else
    echo nothing
  fi
}

# attached_begin NAME FOLDER: there is nothing to begin; but a pod's containers that have ended are started again by its kubelet.
attached_begin() {
  ATTACHED_PROBLEM=''
  mkdir -p "$2"
  [[ -n ${ATTACHED_POD[$1]:-} ]] || return 0
  wait_until "$ATTACHED_READY_SECONDS" attached_pod_is_whole "$1" || true
  ATTACHED_POD_RUNS[$1]=$(pods_containers "${ATTACHED_GROUP[$1]}")
}

# attached_pod_is_whole NAME: do as many containers run as at first?
attached_pod_is_whole() {
  (($(pods_containers "${ATTACHED_GROUP[$1]}" | wc -w) >= ${ATTACHED_POD_SIZE[$1]}))
}

# attached_pod_has_changed NAME: since it was begun with, has one of its containers ended, or been started again?
attached_pod_has_changed() {
  [[ -n ${ATTACHED_POD_RUNS[$1]:-} && $(pods_containers "${ATTACHED_GROUP[$1]}") != "${ATTACHED_POD_RUNS[$1]}" ]]
}

attached_logs() {
  attached_logs_of "$MONITOR_NAME"
}

# attached_logs_of NAME: a container that was started again has another log.
attached_logs_of() {
  local container
  printf '%s' "${ATTACHED_LOGS[$1]:-}"
  for container in ${ATTACHED_POD_LOGS[$1]:-}; do
    attached_pod_log "$1" "$container"
  done
}

# attached_logs_have TEXT: is that in any of the logs, as they are now?
attached_logs_have() {
  local name log
  local -a logs
  for name in "${ATTACHED_NAMES[@]}"; do
    split_lines logs "$(attached_logs_of "$name")"
    for log in "${logs[@]}"; do
      ! grep -qsaF -- "$1" "$log" || return 0
    done
  done
  return 1
}

# What the load will do is shown to it until its log has some of it: it may have been deployed just now.
attached_check_records() {
  local canary
  attached_has_log "$MONITOR_NAME" || return 0
  canary=x$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')
  ATTACHED_CANARY_SECONDS=0.001
  wait_until "$ATTACHED_READY_SECONDS" attached_sees_canary "$canary" ||
    ATTACHED_PROBLEM="its log has nothing of what it was shown in $ATTACHED_READY_SECONDS s"
}

# attached_sees_canary TAG: is any event of TAG in the log, after some more? The first try makes one, each later one a hundred, which push out what
# the monitor may hold in a buffer.
attached_sees_canary() {
  attached_guard now
  "$BUILD/execrate" ${EXECTAX_COMMAND:+--command "$EXECTAX_COMMAND"} ${OPTIONS[actions]:+--action "${OPTIONS[actions]// /,}"} \
    --rate 1000 --duration "$ATTACHED_CANARY_SECONDS" --tag "$1" --json /dev/null &
  wait_for_pid $! 10 || return 1
  ATTACHED_CANARY_SECONDS=0.1
  wait_until 2 attached_logs_have_tag "$1"
}

# attached_logs_have_tag TAG
attached_logs_have_tag() {
  [[ -n $(logs_count_tags "$1") ]]
}

attached_problem() {
  local -i running
  if [[ -n $ATTACHED_PROBLEM ]]; then
    echo "$ATTACHED_PROBLEM"
    return
  fi
  [[ -n ${ATTACHED_POD[$MONITOR_NAME]:-} ]] || return 0
  running=$(wc -w <<<"${ATTACHED_POD_RUNS[$MONITOR_NAME]:-}")
  ((running >= ${ATTACHED_POD_SIZE[$MONITOR_NAME]})) ||
    echo "$running of the ${ATTACHED_POD_SIZE[$MONITOR_NAME]} containers of its pod run, the pod's own included"
}

# attached_limits NAME: those that it has: `CPUS MEMORY`, - is none. A pod of which not every container has one has none of its own: then it is those of
# its containers, together.
attached_limits() {
  local cpus memory of_containers_cpus=- of_containers_memory=-
  local -a folders
  split_lines folders "$(attached_folders "$1")"
  read -r cpus memory <<<"$(limits_in_force "${folders[@]}")"
  if [[ -n ${ATTACHED_POD[$1]:-} ]]; then
    split_lines folders "$(attached_container_folders "$1")"
    read -r of_containers_cpus of_containers_memory <<<"$(limits_in_force "${folders[@]}")"
  fi
  echo "${cpus/#-/$of_containers_cpus} ${memory/#-/$of_containers_memory}"
}

# attached_folders NAME: of its group, in all hierarchies.
attached_folders() {
  if [[ -n ${ATTACHED_PID[$1]:-} ]]; then
    cgroup_folders_of_process "${ATTACHED_PID[$1]}" 2>/dev/null
  else
    cgroup_folders_like "${ATTACHED_GROUP[$1]}"
  fi
}

# attached_container_folders NAME: of the groups of a pod's containers.
attached_container_folders() {
  local -a folders
  split_lines folders "$(attached_folders "$1")"
  ((${#folders[@]})) || return 0
  find "${folders[@]}" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sort
}

# What limits did is counted of groups, so of one process nobody knows whether it was killed, but by its end. The containers of a pod have limits and times of
# their own, which may be the same time as the pod's: they are told apart. In cgroup v1, what was killed in a container that is gone is forgotten.
attached_limit_counters() {
  local counters
  local -a folders
  split_lines folders "$(attached_folders "$1")"
  counters=$(limits_counters_json "${folders[@]}")
  if [[ -n ${ATTACHED_POD[$1]:-} ]]; then
    split_lines folders "$(attached_container_folders "$1")"
    counters=$(jq -c --argjson containers "$(limits_counters_json "${folders[@]}")" \
      '.below_throttled_us = $containers.throttled_us | .below_throttled_periods = $containers.throttled_periods' <<<"$counters")
  fi
  if [[ -n ${ATTACHED_PID[$1]:-} ]] || { attached_pod_has_changed "$1" && [[ ! -e ${ATTACHED_GROUP[$1]}/memory.events ]]; }; then
    counters=$(jq -c '.oom_kills = null' <<<"$counters")
  fi
  echo "$counters"
}

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
  elif ! attached_pod_has_changed "$MONITOR_NAME"; then
    find "${ATTACHED_GROUP[$MONITOR_NAME]}" -name cgroup.procs -exec cat {} + 2>/dev/null | sort -nu
  fi
}

# Whoever may be working for it. What they do at rest is taken off. The output of a pod's containers is written to their logs by their engine.
attached_helpers() {
  local unit
  echo "kthread kauditd"
  for unit in systemd-journald.service rsyslog.service ${ATTACHED_POD[$1]:+containerd.service crio.service}; do
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

attached_last_words() {
  ! attached_pod_has_changed "$MONITOR_NAME" || printf ': a container of its pod has ended, or was started again'
}

# It runs on, and its files are its own.
attached_end() { :; }
attached_keep() { :; }

attached_check_thresholds() {
  options_check_number EXECTAX_ATTACH_FREE_PERCENT "$ATTACHED_FREE_PERCENT" 0 100 "a percentage, a whole number"
  options_check_number EXECTAX_ATTACH_FREE_MIB "$ATTACHED_FREE_MIB" 0 1000000000 "whole MiB"
  options_check_number EXECTAX_ATTACH_PRESSURE_PERCENT "$ATTACHED_PRESSURE_PERCENT" 0 100 "a percentage, a whole number"
}

# attached_sends LAUNCHES [WHAT]: how much that is in the logs, and wherever they are passed on to.
attached_sends() {
  printf '%s will have %s to record and to pass on, about %s' "${ATTACHED_NAMES[*]}" "${2:-$1 executions}" \
    "$(numfmt --to=si --suffix=B $(($1 * ATTACHED_EXECUTION_BYTES)))"
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
  ((${#ATTACHED_POD_LOGS[@]} == 0)) || files+=("$PODS_LOGS")
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
