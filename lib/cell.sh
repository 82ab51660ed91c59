# shellcheck shell=bash
# One cell: one (monitor, rate, repetition).
#
#   load starts | warm-up | window A: measured | window B: instrumented | load stops | drain
#
# Writes raw files only; lib/results.sh makes figures of them.

DRAIN_QUIET_SECONDS=2
# A monitor with little CPU time and large buffers can have minutes of work left.
DRAIN_DEADLINE_SECONDS=300
# The load goes on this long after the windows' nominal end, so that the samplers' own start-up is covered.
LOAD_MARGIN_SECONDS=3
# Further options of execrate.
LOAD_OPTIONS=()

# cell_run DIR TAG RATE: the monitor of MONITOR_* is running. CELL_PROBLEM says what went wrong, if anything.
cell_run() {
  local dir=$1 tag=$2 rate=$3 load_pid load_start
  local -i load_seconds=$((WARMUP + DURATION + INSTRUMENTED + LOAD_MARGIN_SECONDS))
  CELL_PROBLEM=
  mkdir -p "$dir"
  cell_snapshot >"$dir/before.json"
  # Before the load, beside which it can take long on a small host.
  monitor_pids >"$dir/pids.csv"
  meter_find_sources "$dir/pids.csv"
  cell_count_events "$dir"
  # By now it has started, which a limit can make long.
  [[ $RUN_LIMITS == no ]] || limits_counters_json >"$dir/limits-start.json"
  load_start=$(now_us)
  # At rest there is no load.
  if ((rate > 0)); then
    host_spawn load "$BUILD/execrate" --rate "$rate" --duration "$load_seconds" --tag "$tag" "${LOAD_OPTIONS[@]}" \
      --json "$dir/load.json" --launches "$dir/launches.csv" 2>"$dir/load.stderr"
    load_pid=$!
  fi
  wait_for_clock $((load_start + WARMUP * 1000000))

  cell_window_a "$dir"
  ((INSTRUMENTED == 0)) || cell_window_b "$dir" "$tag"

  if ((rate > 0)); then
    wait "$load_pid" || cell_problem "the load generator ended with status $?: $(tail -n 1 "$dir/load.stderr")"
    [[ -n $CELL_PROBLEM ]] || cell_check_window_a "$dir"
    cell_count_events "$dir"
    cell_drain "$dir" "$tag" "$load_pid"
  fi
  cell_end_instruments "$dir"
  cell_snapshot >"$dir/after.json"
  gzip -f "$dir/launches.csv" 2>/dev/null || true
  cell_check_monitor
}

# The first problem is the one that is told.
cell_problem() {
  : "${CELL_PROBLEM:=$1}"
}

# How many events the monitor has seen by now, of any kind: `time_us,events` a line, before the load and after it.
cell_count_events() {
  [[ ${MONITOR_COUNTS_EVENTS:-no} == no ]] || printf '%s,%s\n' "$(now_us)" "$(monitor_call "$MONITOR_NAME" monitor_events)" >>"$1/events.csv"
}

# What is read outside the windows, since reading it takes long.
cell_snapshot() {
  jq -nc --argjson losses "$(monitor_losses_json)" --argjson helpers "$(monitor_helpers_json)" '{$losses, $helpers}'
}

# Window A, undisturbed: cpumeter at its two ends, pidstat once a second.
cell_window_a() {
  local dir=$1 pids meter_pid pidstat_pid log_bytes
  pids=$(cut -d, -f1 "$dir/pids.csv" | paste -sd,)
  log_bytes=$(monitor_log_bytes)
  meter_window "$dir/window-a.csv" "$DURATION"
  meter_pid=$!
  if [[ -n $pids ]]; then
    LC_ALL=C S_TIME_FORMAT=ISO host_spawn sampler pidstat -h -u -p "$pids" 1 "$DURATION" >"$dir/pidstat.txt" 2>&1
    pidstat_pid=$!
    wait "$pidstat_pid" || true
  fi
  wait "$meter_pid" || cell_problem "cpumeter ended with status $?: $(tail -n 1 "$dir/window-a.csv.stderr")"
  printf '{"start": %d, "end": %d}\n' "$log_bytes" "$(monitor_log_bytes)" >"$dir/log-bytes.json"
  monitor_pids >"$dir/pids-after.csv"
}

# Window B, with what would disturb window A: run-time statistics of BPF programs, perf, a reader of the log.
cell_window_b() {
  local dir=$1 tag=$2 meter_pid profile_pid=
  CELL_LOGFOLLOW_PID=
  if [[ $MONITOR_RECORDS == exec ]]; then
    host_spawn sampler "$BUILD/logfollow" --tag "$tag" --output "$dir/delivery.csv" "${MONITOR_LOGS[@]}" 2>"$dir/delivery.stderr"
    CELL_LOGFOLLOW_PID=$!
  fi
  if [[ $CAN_PROFILE == yes ]]; then
    profile_record "$dir" "$INSTRUMENTED"
    profile_pid=$!
  fi
  local -a bpf=()
  if [[ $CAN_METER_BPF == yes ]]; then
    bpf=("${METER_BPF_OWNER[@]}")
    # Without it, no programs and programs that can't be read look the same.
    touch "$dir/bpf-metered"
  fi
  meter_window "$dir/window-b.csv" "$INSTRUMENTED" "${bpf[@]}"
  meter_pid=$!
  wait "$meter_pid" || cell_problem "cpumeter ended with status $?: $(tail -n 1 "$dir/window-b.csv.stderr")"
  [[ -z $profile_pid ]] || wait "$profile_pid" || warn "perf record failed: $(tail -n 1 "$dir/perf.txt")"
}

# After the drain: the reader of the log has had the chance to see the last record, and nothing is measured any more.
cell_end_instruments() {
  local dir=$1
  if [[ -n ${CELL_LOGFOLLOW_PID:-} ]]; then
    kill -TERM "$CELL_LOGFOLLOW_PID" 2>/dev/null || true
    wait "$CELL_LOGFOLLOW_PID" || warn "the reader of the log failed: $(tail -n 1 "$dir/delivery.stderr")"
    CELL_LOGFOLLOW_PID=
    [[ ! -e $dir/delivery.csv ]] || gzip -f "$dir/delivery.csv"
  fi
  [[ ! -e $dir/perf.data ]] || profile_fold "$dir" || warn "perf's samples can't be read: $(tail -n 1 "$dir/perf.txt")"
}

# Window A must lie inside the load: on a host so slow that it doesn't, its figures would be those of an idle monitor.
# (Those of window B are all per execution, so lib/cell.jq can do with a part of it.)
cell_check_window_a() {
  jq -e --argjson window "$(results_window "$1/window-a.csv")" \
    '.start_real_ns <= $window.from_ns and .start_real_ns + .duration_s * 1e9 >= $window.to_ns' "$1/load.json" >/dev/null ||
    cell_problem "window A did not lie within the load: this host is too slow, or something stopped it"
}

# Until every launch has been recorded, or no further one was for DRAIN_QUIET_SECONDS. (The log as a whole never rests:
# a monitor records the harness's own commands, too.) drain.json says when the last one was seen to be.
cell_drain() {
  local dir=$1 tag=$2 parent=$3
  local -i launched recorded last=-1 last_record_us quiet_since deadline=$((SECONDS + DRAIN_DEADLINE_SECONDS))
  ((${#MONITOR_LOGS[@]})) || return 0
  # A load that failed left no result.
  launched=$(jq '.launched // 0' "$dir/load.json" 2>/dev/null || echo 0)
  while recorded=$(cell_recorded "$tag" "$parent"); do
    if ((recorded != last)); then
      last=recorded last_record_us=$(now_us) quiet_since=SECONDS
    fi
    ((recorded < launched)) || break
    ((SECONDS - quiet_since <= DRAIN_QUIET_SECONDS)) || break
    if ((SECONDS >= deadline)); then
      cell_problem "still wrote records $DRAIN_DEADLINE_SECONDS s after the load had stopped"
      break
    fi
    pause 0.2
  done
  printf '{"last_record_us": %d}\n' "$last_record_us" >"$dir/drain.json"
  # Later, another process may have the parent's pid.
  if [[ $MONITOR_RECORDS == count ]]; then
    printf '{"recorded": %d}\n' "$recorded" >"$dir/count.json"
  fi
}

# cell_recorded TAG PARENT: how many of the cell's executions are recorded by now, told apart by their tag, or, where the
# records have no arguments, by their parent.
cell_recorded() {
  if [[ $MONITOR_RECORDS == count ]]; then
    monitor_call "$MONITOR_NAME" monitor_count "$2"
  else
    cells_count_tags "$1" | awk '{ print $2 }'
  fi
}

# Did the monitor live through the cell, and did it keep what it must have to itself?
cell_check_monitor() {
  if ! monitor_is_alive; then
    # Whatever else went wrong is because of that.
    CELL_PROBLEM="died$(monitor_last_words)"
  elif ((${#ATTACHED[@]} == 0)) && [[ " $(monitor_fact "$MONITOR_NAME" uses) " == *" audit "* ]] && ! audit_owned_by_cgroup "$MONITOR_CGROUP"; then
    local enabled
    enabled=$(audit_status enabled)
    cell_problem "lost the audit socket: enabled $enabled, owner pid $(audit_owner)"
  fi
}

# cells_count_tags TAG: distinct executions in the monitor's log whose tag is TAG or begins with TAG and a dot,
# `CELL_TAG COUNT` a line.
cells_count_tags() {
  local file
  for file in "${MONITOR_LOGS[@]}"; do
    [[ ! -e $file ]] || LC_ALL=C grep -aoE -- "$1(\.[0-9]+)?-[0-9]+" "$file" || true
  done | LC_ALL=C sort -u | cut -d- -f1 | uniq -c | awk '{ print $2, $1 }'
}
