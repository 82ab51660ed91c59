# shellcheck shell=bash
# A monitor that the run starts, and stops again. Its configuration, output and logs are in the scratch folder, where nobody
# but root can read or change them.

STARTED_READY_SECONDS=${EXECTAX_READY_SECONDS:-60}
STARTED_STOP_SECONDS=30
STARTED_NAME=
STARTED_PID=
STARTED_SCRATCH=
# Where what is kept of it comes to lie.
STARTED_KEPT=
STARTED_PROBLEM=
# Looked up once a start: the facts of its script.
STARTED_USES_AUDIT=no
STARTED_COUNTS_EVENTS=no
STARTED_SIDE=
STARTED_START_MS=

# started_call FUNCTION [ARGUMENT...]: of the script of the monitor that was started, which is told where its files are.
started_call() {
  MONITOR_PID=$STARTED_PID MONITOR_RUN_DIR=$STARTED_SCRATCH/run MONITOR_LOG_DIR=$STARTED_SCRATCH/log monitor_call "$STARTED_NAME" "$@"
}

started_version() {
  monitor_call "$1" monitor_version 2>/dev/null | head -n 1
}

started_records() {
  monitor_fact "$1" records
}

# started_begin NAME FOLDER: start it and wait until its script says that it is ready.
started_begin() {
  local -i begun now
  STARTED_NAME=$1 STARTED_KEPT=$2 STARTED_SCRATCH=$HOST_STATE_DIR/scratch/${2##*/}-$1
  STARTED_PID='' STARTED_PROBLEM=''
  STARTED_USES_AUDIT=$([[ " $(monitor_fact "$1" uses) " == *" audit "* ]] && echo yes || echo no)
  STARTED_COUNTS_EVENTS=$(monitor_fact "$1" events)
  STARTED_SIDE=$(monitor_fact "$1" side)
  mkdir -p "$STARTED_SCRATCH/run" "$STARTED_SCRATCH/log"
  cgroup_create "$CGROUP_MONITOR"
  audit_forget_ours
  clock_cs begun
  MONITOR_RUN_DIR=$STARTED_SCRATCH/run MONITOR_LOG_DIR=$STARTED_SCRATCH/log monitor_spawn "$1" monitor_start \
    >"$STARTED_SCRATCH/run/stdout.txt" 2>"$STARTED_SCRATCH/run/stderr.txt"
  STARTED_PID=$!
  # Its end is seen by its cgroup; bash need not report it.
  disown "$STARTED_PID"
  wait_until "$STARTED_READY_SECONDS" started_is_ready_or_dead || started_fail "not ready after $STARTED_READY_SECONDS s"
  clock_cs now
  STARTED_START_MS=$(((now - begun) * 10))
  monitor_is_alive || started_fail "ended before it was ready"
  # Some load rules of their own and set flags.
  [[ -n $STARTED_PROBLEM ]] || audit_note_ours
}

started_start_ms() {
  echo "$STARTED_START_MS"
}

# started_fail PROBLEM: the first one is what is told.
started_fail() {
  : "${STARTED_PROBLEM:="$1$(started_last_words)"}"
}

started_is_ready_or_dead() {
  ! monitor_is_alive || started_call monitor_ready >/dev/null 2>&1
}

# What records nothing has no log that could be complete.
started_logs() {
  [[ $MONITOR_RECORDS == nothing ]] || started_call monitor_log
}

# Executions are shown to it until it has recorded one.
started_check_records() {
  local canary
  [[ $MONITOR_RECORDS != nothing ]] || return 0
  if ((${#LOGS_FILES[@]} == 0)); then
    started_fail "records, but its script names no log"
    return
  fi
  canary=x$(od -An -N4 -tx4 /dev/urandom | tr -d ' ').canary
  wait_until "$STARTED_READY_SECONDS" started_sees_canary "$canary" ||
    started_fail "runs, but recorded none of the executions it was shown in $STARTED_READY_SECONDS s"
}

# started_sees_canary TAG: an earlier try's will do: some monitors write with a delay.
started_sees_canary() {
  local parent
  monitor_is_alive || return 1
  "$BUILD/execrate" --rate 1000 --duration 0.001 --tag "$1" --json /dev/null &
  parent=$!
  wait_for_pid "$parent" 10 || return 1
  if [[ $MONITOR_RECORDS == count ]]; then
    wait_until 2 started_has_counted "$parent"
  else
    wait_until 2 logs_have "$1-0"
  fi
}

started_has_counted() {
  (($(monitor_count "$1") > 0))
}

started_problem() {
  echo "$STARTED_PROBLEM"
}

started_subject() {
  echo "cgroup $(cgroup_cpu_folder "$CGROUP_MONITOR") ${CGROUP_MOUNTS[0]}/exectax/$CGROUP_MONITOR"
}

started_limit_counters() {
  local -a folders
  split_lines folders "$(cgroup_folders "$CGROUP_MONITOR")"
  limits_counters_json "${folders[@]}"
}

started_pids() {
  cgroup_pids "$CGROUP_MONITOR"
}

started_helpers() {
  monitor_call "$1" monitor_helpers
}

started_losses() {
  started_call monitor_losses
}

started_counts_events() {
  [[ $STARTED_COUNTS_EVENTS == yes ]]
}

started_side() {
  echo "$STARTED_SIDE"
}

# Does it have the audit subsystem, where it needs it, and nobody else where it does not?
started_audit_problem() {
  local enabled
  if [[ $STARTED_USES_AUDIT == yes ]]; then
    enabled=$(audit_status enabled) || true
    if [[ -z $enabled ]]; then
      echo "auditctl -s gave no answer, so whether the monitor had the audit socket is not known"
    elif ! audit_owned_by_cgroup "$CGROUP_MONITOR"; then
      echo "lost the audit socket: enabled $enabled, owner pid $(audit_owner)"
    fi
  elif [[ -d $AUDIT_SAVED ]] && audit_has_owner; then
    echo "somebody has taken the audit socket, so audit was not off: pid $(audit_owner)"
  fi
}

started_last_words() {
  local words
  words=$(tail -qn 1 "$STARTED_SCRATCH/run/stderr.txt" "$STARTED_SCRATCH/run/stdout.txt" | tr -d '\r' | sed '/^$/d' | tail -n 1 | cut -c 1-200)
  [[ -z $words ]] || printf '; its last words: %s' "$words"
}

# Nothing on the host but what the run has set up for it is at stake.
started_guard() { :; }

# Stop it as its script says, and end what is left.
started_end() {
  started_call monitor_stop 2>/dev/null || (($? != WAIT_TIMED_OUT)) ||
    warn "$STARTED_NAME: its script had not finished stopping it after $MONITOR_CALL_SECONDS s"
  wait_until "$STARTED_STOP_SECONDS" cgroup_is_empty "$CGROUP_MONITOR" ||
    warn "$STARTED_NAME did not stop within $STARTED_STOP_SECONDS s of being asked to; killed"
  cgroup_kill "$CGROUP_MONITOR"
  ! audit_is_usable || audit_quiesce
}

started_keep() {
  local result=0
  mkdir -p "$STARTED_KEPT"
  cp -R -P "$STARTED_SCRATCH/run/." "$STARTED_KEPT/" || warn "the configuration and output of $STARTED_NAME could not be kept"
  [[ $1 == no ]] || cp -R -P "$STARTED_SCRATCH/log" "$STARTED_KEPT/log" || {
    warn "the log of $STARTED_NAME could not be kept"
    rm -rf "$STARTED_KEPT/log"
    result=1
  }
  rm -rf "$STARTED_SCRATCH"
  disk_reserve "$HOST_STATE_DIR/scratch"
  return "$result"
}
