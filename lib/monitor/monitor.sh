# shellcheck shell=bash
# The monitors from outside: which there are, whether they can run here, and one being started, watched, stopped.
# Their functions run in a process each (lib/monitor/call.sh); what they may rely on is passed in MONITOR_* variables.

export MONITOR_CGROUP=monitor
MONITOR_READY_SECONDS=${EXECTAX_READY_SECONDS:-60}
MONITOR_STOP_SECONDS=30
# Whether all logs that were to be kept were.
MONITOR_KEPT_ALL=yes
# For one call into a monitor's script. An installation takes longer and has deadlines of its own.
MONITOR_CALL_SECONDS=${EXECTAX_CALL_SECONDS:-120}

# Names of all monitors, `none` first.
monitor_names() {
  local folder file
  echo none
  for folder in "$EXECTAX_ROOT/monitors" ${EXECTAX_MONITORS:+"$EXECTAX_MONITORS"}; do
    for file in "$folder"/*.sh; do
      [[ ! -f $file || $file == */none.sh ]] || basename "$file" .sh
    done
  done
}

monitor_exists() {
  [[ $'\n'$(monitor_names)$'\n' == *$'\n'"$1"$'\n'* ]]
}

# monitor_call NAME CALL [ARGUMENT...]: result WAIT_TIMED_OUT if it did not come to an end in MONITOR_CALL_SECONDS.
monitor_call() {
  timeout --kill-after=5 "$MONITOR_CALL_SECONDS" bash "$EXECTAX_ROOT/lib/monitor/call.sh" "$@"
}

# monitor_call_install NAME
monitor_call_install() {
  bash "$EXECTAX_ROOT/lib/monitor/call.sh" "$1" monitor_install
}

# monitor_fact NAME description|uses|records|actions|events|verified_by|knobs: the fact's values, one a line. 2 if a monitor
# has no fact of that name.
monitor_fact() {
  local facts
  facts=$(monitor_call "$1" facts) || return
  awk -v fact="$2" '$1 == fact { known = 1; if (sub(/^[^ ]+ /, "")) print } END { exit !known }' <<<"$facts" || {
    echo "monitor_fact: '$2' is no fact of a monitor" >&2
    return 2
  }
}

# Its knobs, `NAME VALUE,VALUE... WHAT` a line; the first value is what it has unless another is asked for.
monitor_knobs() {
  monitor_fact "$1" knobs
}

# monitor_knob_takes NAME KNOB VALUE: where N is among a knob's values, any whole number is.
monitor_knob_takes() {
  local values
  values=,$(monitor_knobs "$1" | awk -v knob="$2" '$1 == knob { print $2 }'),
  [[ $values == *",$3,"* || ($values == *,N,* && $3 =~ ^[1-9][0-9]{0,9}$) ]]
}

monitor_has_knob() {
  monitor_knobs "$1" | awk -v knob="$2" '$1 == knob { found = 1 } END { exit !found }'
}

# Why NAME can't run here, on one line; nothing when it can.
monitor_obstacles() {
  local -a obstacles
  split_lines obstacles "$(monitor_call "$1" obstacles || echo "what it needs could not be looked at (its script ended with status $?)")"
  printf '%s\n' "${obstacles[@]}" | paste -sd ';' | sed 's/;/; /g'
}

# monitor_begin NAME FOLDER: start it and wait until it records. Its configuration, output and logs are in the scratch folder, where
# nobody but root can read or change them; monitor_keep takes the first two to FOLDER. Sets MONITOR_*; on failure MONITOR_PROBLEM
# says what happened, result 1.
monitor_begin() {
  MONITOR_KEPT_DIR=$2 MONITOR_SCRATCH=$STATE_DIR/scratch/${2##*/}-$1
  export MONITOR_NAME=$1 MONITOR_RUN_DIR=$MONITOR_SCRATCH/run MONITOR_LOG_DIR=$MONITOR_SCRATCH/log
  export MONITOR_PID=
  MONITOR_CANARY=$RUN_TAG.canary$RANDOM$RANDOM
  MONITOR_PROBLEM=
  MONITOR_LOGS=() MONITOR_LOGS_SEEN=() MONITOR_LOG_FAULT=
  MONITOR_RECORDS=$(monitor_fact "$1" records)
  MONITOR_COUNTS_EVENTS=$(monitor_fact "$1" events)
  METER_BPF_OWNER=(--bpf-owner "cgroup=${CGROUP_MOUNTS[0]}/exectax/$MONITOR_CGROUP" --bpf-since "$(bpf_newest_program)")
  mkdir -p "$MONITOR_RUN_DIR" "$MONITOR_LOG_DIR"
  cgroup_create "$MONITOR_CGROUP"
  METER_SUBJECT=(--cgroup "monitor=$(cgroup_cpu_folder "$MONITOR_CGROUP")")
  host_spawn "$MONITOR_CGROUP" bash "$EXECTAX_ROOT/lib/monitor/call.sh" "$1" monitor_start \
    >"$MONITOR_RUN_DIR/stdout.txt" 2>"$MONITOR_RUN_DIR/stderr.txt"
  MONITOR_PID=$!
  # Its end is seen by its cgroup; bash need not report it.
  disown "$MONITOR_PID"
  if ! wait_until "$MONITOR_READY_SECONDS" monitor_is_ready_or_dead || ! monitor_is_alive; then
    MONITOR_PROBLEM=$(monitor_is_alive && echo "not ready after $MONITOR_READY_SECONDS s" || echo "ended before it was ready")
    MONITOR_PROBLEM+=$(monitor_last_words)
    return 1
  fi
  # What records nothing has no log that could be complete.
  [[ $MONITOR_RECORDS == nothing ]] || split_lines MONITOR_LOGS "$(monitor_call "$1" monitor_log)"
  if ((${#MONITOR_LOGS[@]})) && ! wait_until "$MONITOR_READY_SECONDS" monitor_sees_canary; then
    MONITOR_PROBLEM="runs, but recorded none of the executions it was shown in $MONITOR_READY_SECONDS s$(monitor_last_words)"
    return 1
  fi
  monitor_look_at_logs
}

# monitor_keep yes|no: what is kept of a monitor that has ended, its logs or not; the rest is removed.
monitor_keep() {
  mkdir -p "$MONITOR_KEPT_DIR"
  cp -R -P "$MONITOR_RUN_DIR/." "$MONITOR_KEPT_DIR/" || warn "the configuration and output of $MONITOR_NAME could not be kept"
  [[ $1 == no ]] || cp -R -P "$MONITOR_LOG_DIR" "$MONITOR_KEPT_DIR/log" || {
    warn "the log of $MONITOR_NAME could not be kept"
    rm -rf "$MONITOR_KEPT_DIR/log"
    MONITOR_KEPT_ALL=no
  }
  rm -rf "$MONITOR_SCRATCH"
}

monitor_is_alive() {
  [[ -n $(monitor_own_pids) ]]
}

monitor_own_pids() {
  if ((${#ATTACHED[@]})); then
    attach_pids
  else
    cgroup_pids "$MONITOR_CGROUP"
  fi
}

# monitor_ask helpers|losses: as its script says; a monitor that was there already has none.
monitor_ask() {
  if ((${#ATTACHED[@]})); then
    "attach_$1"
  else
    monitor_call "$MONITOR_NAME" "monitor_$1"
  fi
}

monitor_is_ready_or_dead() {
  ! monitor_is_alive || monitor_call "$MONITOR_NAME" monitor_ready >/dev/null 2>&1
}

# An execution, looked for in the log by a tag of this start. An earlier try's will do: some monitors write with a delay.
monitor_sees_canary() {
  local parent
  monitor_is_alive || return 1
  "$BUILD/execrate" --rate 1000 --duration 0.001 --tag "$MONITOR_CANARY" --json /dev/null &
  parent=$!
  wait_for_pid "$parent" 10 || return 1
  if [[ $MONITOR_RECORDS == count ]]; then
    wait_until 2 monitor_has_counted "$parent"
  else
    wait_until 2 monitor_log_has "$MONITOR_CANARY-0"
  fi
}

monitor_has_counted() {
  (($(monitor_call "$MONITOR_NAME" monitor_count "$1") > 0))
}

monitor_log_has() {
  local file
  for file in "${MONITOR_LOGS[@]}"; do
    ! grep -qaF -- "$1" "$file" 2>/dev/null || return 0
  done
  return 1
}

# Sets MONITOR_LOG_FAULT where a log is gone, or is another or shorter one than before: what it had recorded is not in it then.
# That remains so until the monitor is started again. A log that has not been there yet may come.
monitor_look_at_logs() {
  local file before now
  for file in "${MONITOR_LOGS[@]}"; do
    before=${MONITOR_LOGS_SEEN[$file]:-}
    now=$(stat -L -c '%d:%i %s' -- "$file" 2>/dev/null) || true
    if [[ -n $before && -z $now ]]; then
      : "${MONITOR_LOG_FAULT:="its log $file is gone"}"
    elif [[ -n $before && ${now% *} != "${before% *}" ]]; then
      : "${MONITOR_LOG_FAULT:="its log $file was replaced by another file"}"
    elif [[ -n $before ]] && ((${now#* } < ${before#* })); then
      : "${MONITOR_LOG_FAULT:="its log $file shrank from ${before#* } to ${now#* } bytes"}"
    fi
    MONITOR_LOGS_SEEN[$file]=$now
  done
}
declare -gA MONITOR_LOGS_SEEN=()

# Size of all its logs together.
monitor_log_bytes() {
  local file
  for file in "${MONITOR_LOGS[@]}"; do
    [[ ! -e $file ]] || stat -L -c %s -- "$file"
  done | awk '{ sum += $1 } END { printf "%d\n", sum }'
}

monitor_last_words() {
  local words
  ((${#ATTACHED[@]} == 0)) || return 0
  words=$(tail -qn 1 "$MONITOR_RUN_DIR/stderr.txt" "$MONITOR_RUN_DIR/stdout.txt" | tr -d '\r' | sed '/^$/d' | tail -n 1 | cut -c 1-200)
  [[ -z $words ]] || printf '; its last words: %s' "$words"
}

# Stop it as its script says, and end what is left. The audit subsystem is quiet again afterwards.
monitor_end() {
  monitor_call "$MONITOR_NAME" monitor_stop 2>/dev/null || (($? != WAIT_TIMED_OUT)) ||
    warn "$MONITOR_NAME: its script was not done with stopping it after $MONITOR_CALL_SECONDS s"
  wait_until "$MONITOR_STOP_SECONDS" cgroup_is_empty "$MONITOR_CGROUP" ||
    warn "$MONITOR_NAME did not stop within $MONITOR_STOP_SECONDS s of being asked to; killed"
  cgroup_kill "$MONITOR_CGROUP"
  ! audit_is_usable || audit_quiesce
}

# Its loss counters as a JSON object; it fails if one of them has no value.
monitor_losses_json() {
  { monitor_ask losses 2>/dev/null || (($? != WAIT_TIMED_OUT)); } |
    jq -Rnc '[inputs | split(" ") | {(.[0]): (.[1] | tonumber)}] | add // {}' 2>/dev/null
}

# The names of its helpers as a JSON list.
monitor_helpers_json() {
  monitor_ask helpers | jq -Rnc '[inputs | split(" ")[1]]'
}

# Every pid that works for the monitor: `pid,role,name` a line, role daemon or helper.
monitor_pids() {
  local pid kind name
  for pid in $(monitor_own_pids); do
    echo "$pid,daemon,$(cat "/proc/$pid/comm" 2>/dev/null || echo gone)"
  done
  monitor_ask helpers | while read -r kind name; do
    case $kind in
      kthread) kthread_pids "$name" ;;
      unit) unit_pids "$name" ;;
    esac | while read -r pid; do
      echo "$pid,helper,$(cat "/proc/$pid/comm" 2>/dev/null || echo gone)"
    done
  done
}

# Kernel threads are children of kthreadd, pid 2.
kthread_pids() {
  pgrep --parent 2 --exact "$1" || true
}

unit_pids() {
  local group
  group=$(unit_cgroup "$1")
  [[ -z $group ]] || find /sys/fs/cgroup -path "*$group/cgroup.procs" -exec cat {} + | sort -nu
}

unit_cgroup() {
  systemctl show --property ControlGroup --value "$1" 2>/dev/null || true
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
