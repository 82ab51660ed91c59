# shellcheck shell=bash
# One cell: one (monitor, rate, repetition).
#
#   load starts | warm-up | window: measured | load stops | drain
#
# Writes raw files only; lib/results.sh makes figures of them.

DRAIN_QUIET_SECONDS=2
DRAIN_DEADLINE_SECONDS=60
# The load goes on this long after the window's nominal end, so that the samplers' own start-up is covered.
LOAD_MARGIN_SECONDS=2

# cell_run DIR TAG RATE: the monitor of MONITOR_* is running. CELL_PROBLEM says what went wrong, if anything.
cell_run() {
  local dir=$1 tag=$2 rate=$3 load_pid pidstat_pid pids load_start
  local -i load_seconds=$((WARMUP + DURATION + LOAD_MARGIN_SECONDS))
  CELL_PROBLEM=
  mkdir -p "$dir"
  cell_snapshot >"$dir/before.json"
  # Before the load, beside which it can take long on a small host.
  monitor_pids >"$dir/pids.csv"
  pids=$(cut -d, -f1 "$dir/pids.csv" | paste -sd,)
  load_start=$(now_us)
  host_spawn load "$BUILD/execrate" --rate "$rate" --duration "$load_seconds" --tag "$tag" \
    --json "$dir/load.json" --launches "$dir/launches.csv" 2>"$dir/load.stderr"
  load_pid=$!
  wait_for_clock $((load_start + WARMUP * 1000000))

  cell_counters >"$dir/window-start.json"
  if [[ -n $pids ]]; then
    LC_ALL=C S_TIME_FORMAT=ISO host_spawn sampler pidstat -h -u -p "$pids" 1 "$DURATION" >"$dir/pidstat.txt" 2>&1
    pidstat_pid=$!
    wait "$pidstat_pid" || true
  else
    pause "$DURATION"
  fi
  cell_counters >"$dir/window-end.json"
  monitor_pids >"$dir/pids-after.csv"

  wait "$load_pid" || CELL_PROBLEM="the load generator ended with status $?: $(tail -n 1 "$dir/load.stderr")"
  [[ -n $CELL_PROBLEM ]] || cell_check_window "$dir"
  cell_drain "$dir" "$tag"
  cell_snapshot >"$dir/after.json"
  gzip -f "$dir/launches.csv" 2>/dev/null || true
  cell_check_monitor
}

# Counters that are read outside the window, since reading them takes long.
cell_snapshot() {
  jq -nc --argjson losses "$(monitor_losses_json)" '{$losses}'
}

# Counters at an end of the window: clock, the monitor's cgroup, the whole machine in USER_HZ ticks.
cell_counters() (
  read -ra ticks </proc/stat
  printf '{"time_us": %s, "cgroup_cpu_us": %s, "machine_ticks": [%s], "user_hz": %s, "cpus": %s}\n' \
    "$(now_us)" "$(cgroup_cpu_usec "$MONITOR_CGROUP")" "$(IFS=, && echo "${ticks[*]:1}")" "$(getconf CLK_TCK)" "$(nproc --all)"
)

# The window must lie inside the load: on a host so slow that it does not, its figures would be those of an idle monitor.
cell_check_window() {
  local dir=$1
  jq -se '.[0].start_real_ns / 1000 <= .[1].time_us and (.[0].start_real_ns / 1000 + .[0].duration_s * 1e6) >= .[2].time_us' \
    "$dir/load.json" "$dir/window-start.json" "$dir/window-end.json" >/dev/null ||
    CELL_PROBLEM="the window did not lie within the load: this host is too slow, or something stopped it"
}

# Until every launch has been recorded, or no further one was for DRAIN_QUIET_SECONDS. (The log as a whole never rests:
# a monitor records the harness's own commands, too.)
cell_drain() {
  local dir=$1 tag=$2
  local -i launched recorded=-1 last=-2 quiet_since deadline=$((SECONDS + DRAIN_DEADLINE_SECONDS))
  [[ -n $(monitor_call "$MONITOR_NAME" monitor_log) ]] || return 0
  # A load that failed left no result.
  launched=$(jq '.launched // 0' "$dir/load.json" 2>/dev/null || echo 0)
  while recorded=$(cells_count_tags "$tag" | awk '{ print $2 }') && ((recorded < launched)); do
    if ((recorded != last)); then
      last=recorded
      quiet_since=SECONDS
    fi
    ((SECONDS - quiet_since <= DRAIN_QUIET_SECONDS)) || break
    if ((SECONDS >= deadline)); then
      CELL_PROBLEM="still wrote records $DRAIN_DEADLINE_SECONDS s after the load had stopped"
      break
    fi
    pause 0.2
  done
}

# Did the monitor live through the cell, and did it keep what it must have to itself?
cell_check_monitor() {
  if ! monitor_is_alive; then
    CELL_PROBLEM="died$(monitor_last_words)"
  elif [[ " $(monitor_fact "$MONITOR_NAME" uses) " == *" audit "* ]] && ! audit_owned_by_cgroup "$MONITOR_CGROUP"; then
    CELL_PROBLEM="lost the audit socket: enabled $(audit_status enabled)"
    CELL_PROBLEM+=", owner pid $(audit_owner)"
  fi
}

# cells_count_tags TAG: distinct executions in the monitor's log whose tag is TAG or begins with TAG and a dot,
# `CELL_TAG COUNT` a line.
cells_count_tags() {
  monitor_call "$MONITOR_NAME" monitor_log | while IFS= read -r file; do
    [[ ! -e $file ]] || LC_ALL=C grep -aoE -- "$1(\.[0-9]+)?-[0-9]+" "$file" || true
  done | LC_ALL=C sort -u | cut -d- -f1 | uniq -c | awk '{ print $2, $1 }'
}
