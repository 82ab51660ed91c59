# shellcheck shell=bash
# One cell: one (monitor, rate, repetition).
#
#   load starts | warm-up | window A: measured | window B: instrumented | load stops | drain | window S: side by side
#
# Windows B and S are in detailed cells alone. The last one under a start of a monitor has a window T after these (lib/measure/syscalls.sh).
#
# Writes raw files only; the report makes figures of them.

# How long the load and what measures may take to end, once they are due.
CELL_END_SECONDS=${EXECTAX_END_SECONDS:-120}
CELL_DRAIN_QUIET_SECONDS=2
# A monitor with little CPU time and large buffers can have minutes of work left.
CELL_DRAIN_SECONDS=300
# What went wrong, if anything, and how the cell ended: ok, failed, or not-ready.
CELL_PROBLEM=
CELL_STATUS=ok
# Whether what the monitor recorded in the last cell can be told from its log.
CELL_COUNTABLE=yes
# Whether cpumeter's sources are to be looked for again, since one may have been started again meanwhile.
CELL_FIND_HELPERS=no
CELL_LOGFOLLOW_PID=
CELL_MIX_PID=
# What cell_settle found.
CELL_RECORDED=0
CELL_LAST_RECORD_US=0
CELL_IS_SETTLED=1
# The hypervisor disturbs a cell by taking more of a CPU than that, in %.
CELL_STEAL_PERCENT=5
# With less than that left, a log may be incomplete: auditd as Debian sets it up stops writing at 50 MiB.
CELL_LOG_DISK_MIB=64
CELL_OUT_DISK_MIB=1
CELL_OUT_DISK_FULL="the disk of the results is full"

# cell_load_seconds [DETAILED]: how long the load of a cell lasts that is detailed or not (yes or no). It goes on after the windows' nominal end, so that the samplers' own start-up is covered:
# in an emulated machine that takes longer (EXECTAX_LOAD_MARGIN_SECONDS).
cell_load_seconds() {
  if [[ ${1:-yes} == yes ]]; then
    options_sum warmup duration instrumented load_margin
  else
    options_sum warmup duration load_margin
  fi
}

# cell_run DIR TAG RATE [DETAILED]: under the monitor that runs. CELL_PROBLEM says what went wrong, if anything. CELL_COUNTABLE is
# no if the number of recorded executions is not the monitor's doing then.
cell_run() {
  local dir=$1 tag=$2 rate=$3 detailed=${4:-yes} load_pid load_start clock_before clock_after
  local -a load
  CELL_PROBLEM='' CELL_STATUS=ok CELL_COUNTABLE=yes
  mkdir -p "$dir"
  monitor_guard now
  clock_offset_us clock_before
  cell_write "$dir/before.json" cell_snapshot "$detailed"
  # Before the load, beside which it can take long on a small host.
  cell_write "$dir/pids.csv" monitor_pids
  [[ $CELL_FIND_HELPERS == no ]] || meter_find_helpers_again
  meter_find_sources "$dir/pids.csv"
  cell_count_events "$dir"
  cores_begin "$dir"
  # By now it has started, which a limit can make long.
  [[ ${OPTIONS[limits]} == no ]] || cell_write "$dir/limits-start.json" monitor_limit_counters "$MONITOR_NAME"
  clock_cs load_start
  # At rest there is no load.
  if ((rate > 0)); then
    load=("$BUILD/execrate" --rate "$rate" --duration "$(cell_load_seconds "$detailed")" --tag "$tag" --json "$dir/load.json" --launches "$dir/launches.csv")
    [[ -z ${OPTIONS[load_cpus]:-} ]] || load+=(--cpus "${OPTIONS[load_cpus]}")
    [[ -z ${EXECTAX_COMMAND:-} ]] || load+=(--command "$EXECTAX_COMMAND")
    [[ -z ${OPTIONS[actions]} ]] || load+=(--action "${OPTIONS[actions]// /,}")
    host_spawn load "${load[@]}" 2>"$dir/load.stderr"
    load_pid=$!
    cell_begin_mix "$dir" "$rate" "$detailed"
  fi
  cell_rest_after "$load_start" warmup

  cell_window_a "$dir"
  [[ $detailed == no || ${OPTIONS[instrumented]} == 0 ]] || cell_window_b "$dir" "$tag"

  if ((rate > 0)); then
    cell_await "the load generator" "$load_pid" "${OPTIONS[load_margin]}" "$dir/load.stderr"
    cell_end_mix "$dir"
    [[ -n $CELL_PROBLEM ]] || cell_check_window_a "$dir"
    cell_count_events "$dir"
    cell_drain "$dir" "$tag" "$load_pid"
  fi
  cell_end_instruments "$dir" "${load_pid:-}"
  cell_check_readings "$dir"
  cell_write "$dir/after.json" cell_snapshot "$detailed"
  clock_offset_us clock_after
  cell_write "$dir/clock.json" printf '{"before_us": %d, "after_us": %d}\n' "$clock_before" "$clock_after"
  [[ ! -e $dir/launches.csv ]] || gzip -f "$dir/launches.csv" || cell_problem "the list of launches can't be packed"
  cell_check_monitor
  cell_check_log
  cell_check_disk "$dir"
  [[ -z $CELL_PROBLEM ]] || CELL_STATUS=failed
  if [[ $CELL_STATUS == ok && $detailed == yes && ${OPTIONS[side]} != 0 ]] && ((rate > 0)); then
    side_run "$dir" "${tag/./s.}" "$rate" "${OPTIONS[seed]}$(printf %06d "${tag##*.}")"
    cell_check_log
  fi
  cores_end "$dir"
  [[ -z $CELL_PROBLEM ]] || CELL_STATUS=failed
}

# cell_begin_mix DIR RATE DETAILED: what is done besides executing, as often, where the run has that. It is a load of its own: nothing of it is launched,
# recorded or lost in the figures of executions.
cell_begin_mix() {
  CELL_MIX_PID=
  [[ -n ${OPTIONS[mix]:-} ]] || return 0
  host_spawn load "$BUILD/execrate" ${OPTIONS[load_cpus]:+--cpus "${OPTIONS[load_cpus]}"} --rate "$2" --duration "$(cell_load_seconds "$3")" --action "${OPTIONS[mix]// /,}" --json "$1/mix.json" 2>"$1/mix.stderr"
  CELL_MIX_PID=$!
}

# cell_end_mix DIR
cell_end_mix() {
  [[ -n $CELL_MIX_PID ]] || return 0
  cell_await "the load generator of the mix" "$CELL_MIX_PID" "${OPTIONS[load_margin]}" "$1/mix.stderr"
  [[ -n $CELL_PROBLEM ]] || jq -e '.failed == 0 and .missed == 0' "$1/mix.json" >/dev/null ||
    say "$1: of what is done besides executing, $(jq -r '"\(.failed) failed and \(.missed) of \(.asked) were not started in time"' "$1/mix.json")"
}

# cell_not_ready PROBLEM: there is no monitor to run it under.
cell_not_ready() {
  CELL_PROBLEM=$1 CELL_STATUS=not-ready CELL_COUNTABLE=yes
}

# cell_write_outcome DIR CELL WHAT: cell.json, the last of its files; WHAT is a JSON object of what the cell is. 1 if there is no room for
# it. What a log shows to be recorded may be more once the monitor has been stopped: until then it is not counted.
cell_write_outcome() {
  local counted=true
  [[ $MONITOR_RECORDS != exec || ! -e $1/count.json ]] || counted=false
  jq -n --argjson cell "$2" --argjson is "$3" --arg status "$CELL_STATUS" --arg reason "$CELL_PROBLEM" \
    --argjson disturbed "$(cell_is_disturbed "$1/window-a.csv" && echo true || echo false)" \
    --argjson counted "$counted" \
    '{$cell} + $is + {$status, $reason, $disturbed, $counted}' >"$1/cell.json.new" &&
    mv "$1/cell.json.new" "$1/cell.json"
}

# cell_is_disturbed FILE: has the hypervisor taken more of a CPU than a cell can stand, in the window of cpumeter's FILE?
cell_is_disturbed() {
  [[ -s $1 ]] && awk -F, -v percent="$CELL_STEAL_PERCENT" '
    $2 == "clock" && $3 == "monotonic" { if (clock_from == "") clock_from = $4; clock_to = $4 }
    $2 == "host" && $3 == "steal" { if (steal_from == "") steal_from = $4; steal_to = $4 }
    END { exit !((steal_to - steal_from) * 100 > percent * (clock_to - clock_from)) }' "$1"
}

# The first problem is the one that is told.
cell_problem() {
  : "${CELL_PROBLEM:=$1}"
}

# Whatever else went wrong is because of that, missing records too.
cell_uncountable() {
  CELL_PROBLEM=$1 CELL_COUNTABLE=no
}

# cell_write FILE COMMAND...: its output becomes FILE.
cell_write() {
  local file=$1
  shift
  "$@" >"$file" || cell_problem "${file##*/} could not be written"
}

# cell_rest CS: until clock_cs is at CS. Nothing of ours runs meanwhile, but for a look at what an attached monitor fills.
cell_rest() {
  local -i now
  if ! monitor_is_ours; then
    clock_cs now
    while ((now + 100 < $1)); do
      wait_for_clock $((now + 100))
      monitor_guard
      clock_cs now
    done
  fi
  wait_for_clock "$1"
}

# cell_rest_after CS OPTION: until the seconds of that option have passed since clock_cs was at CS.
cell_rest_after() {
  local -i seconds=${OPTIONS[$2]}
  cell_rest $(($1 + seconds * 100))
}

# cell_await WHAT PID SECONDS FILE: until PID, a child that is due in SECONDS, has ended; its last words are in FILE.
cell_await() {
  local what=$1 pid=$2 file=$4 state status=0
  wait_for_pid "$pid" $(($3 + CELL_END_SECONDS)) || status=$?
  if ((status == WAIT_TIMED_OUT)); then
    child_state "$pid" state
    cell_problem "$what did not end within $CELL_END_SECONDS s of when it was due$([[ $state != T ]] || echo ': something stopped it (SIGSTOP)')"
    child_signal KILL "$pid"
    wait_for_pid "$pid" 10 || true
  elif ((status)); then
    cell_problem "$what ended with status $status: $(tail -n 1 "$file")"
  fi
}

# How many events the monitor has seen by now, of any kind: `time_us,events` a line, before the load and after it.
cell_count_events() {
  local now
  monitor_counts_events || return 0
  clock_cs now
  printf '%s0000,%s\n' "$now" "$(monitor_events)" >>"$1/events.csv" || cell_problem "events.csv could not be written"
}

# cell_snapshot DETAILED: what is read outside the windows, since reading it takes long.
cell_snapshot() {
  local losses helpers side=''
  losses=$(monitor_losses_json) || {
    cell_problem "its loss counters can't be read"
    losses={}
  }
  helpers=$(monitor_helpers_json)
  [[ $1 == no || ${OPTIONS[side]} == 0 ]] || side=$(side_way)
  jq -nc --argjson losses "$losses" --argjson helpers "$helpers" --arg side "$side" '{$losses, $helpers, $side}'
}

# Window A, undisturbed: cpumeter at its two ends, pidstat once a second. Where memory is to be seen over time, cpumeter reads in between, too.
cell_window_a() {
  local dir=$1 pids meter_pid pidstat_pid='' log_bytes log_us
  local -a between=()
  local -i now
  pids=$(cut -d, -f1 "$dir/pids.csv" | paste -sd,)
  log_bytes=$(logs_bytes) log_us=$(now_us)
  [[ -z ${OPTIONS[read_every]:-} ]] || between=(--interval "${OPTIONS[read_every]}")
  meter_window "$dir/window-a.csv" "${OPTIONS[duration]}" "${between[@]}"
  meter_pid=$!
  clock_cs now
  if [[ -n $pids ]]; then
    LC_ALL=C S_TIME_FORMAT=ISO host_spawn sampler pidstat -h -u -p "$pids" 1 "${OPTIONS[duration]}" >"$dir/pidstat.txt" 2>&1
    pidstat_pid=$!
  fi
  cell_rest_after "$now" duration
  [[ -z $pidstat_pid ]] || cell_await pidstat "$pidstat_pid" 0 "$dir/pidstat.txt"
  cell_await cpumeter "$meter_pid" 0 "$dir/window-a.csv.stderr"
  cell_write "$dir/log-bytes.json" printf '{"start": %d, "end": %d, "start_real_us": %s, "end_real_us": %s}\n' "$log_bytes" "$(logs_bytes)" "$log_us" "$(now_us)"
  cell_write "$dir/pids-after.csv" monitor_pids
}

# Window B, with what would disturb window A: run-time statistics of BPF programs, perf, a reader of the log.
cell_window_b() {
  local dir=$1 tag=$2 meter_pid profile_pid='' counters_pid=''
  local -i now
  CELL_LOGFOLLOW_PID=
  if [[ $MONITOR_RECORDS == exec ]]; then
    host_spawn sampler "$BUILD/logfollow" --tag "$tag" --output "$dir/delivery.csv" "${LOGS_FILES[@]}" 2>"$dir/delivery.stderr"
    CELL_LOGFOLLOW_PID=$!
  fi
  if [[ $PROFILE_POSSIBLE == yes ]]; then
    profile_record "$dir" "${OPTIONS[instrumented]}"
    profile_pid=$!
  fi
  if [[ $INSTRUCTIONS_POSSIBLE == yes ]]; then
    instructions_count "$dir" "${OPTIONS[instrumented]}"
    counters_pid=$!
  fi
  local -a bpf=()
  if [[ $METER_BPF == yes ]]; then
    bpf=("${METER_BPF_OWNER[@]}")
    # Without it, no programs and programs that can't be read look the same.
    touch "$dir/bpf-metered"
  fi
  meter_window "$dir/window-b.csv" "${OPTIONS[instrumented]}" "${bpf[@]}"
  meter_pid=$!
  clock_cs now
  cell_rest_after "$now" instrumented
  cell_await cpumeter "$meter_pid" 0 "$dir/window-b.csv.stderr"
  [[ -z $profile_pid ]] || cell_await "perf record" "$profile_pid" 0 "$dir/perf.txt"
  [[ -z $counters_pid ]] || cell_await "perf stat" "$counters_pid" 0 "$dir/instructions.stderr"
}

# cell_end_instruments DIR LOAD_PID: after the drain: the reader of the log has had the chance to see the last record, and nothing is measured any more.
cell_end_instruments() {
  local dir=$1
  if [[ -n ${CELL_LOGFOLLOW_PID:-} ]]; then
    child_signal TERM "$CELL_LOGFOLLOW_PID"
    cell_await "the reader of the log" "$CELL_LOGFOLLOW_PID" 0 "$dir/delivery.stderr"
    CELL_LOGFOLLOW_PID=
    [[ ! -e $dir/delivery.csv ]] || gzip -f "$dir/delivery.csv" || cell_problem "the times of delivery can't be packed"
  fi
  [[ ! -e $dir/perf.data ]] || profile_fold "$dir" "$2" || cell_problem "perf's samples can't be read: $(tail -n 1 "$dir/perf.txt")"
  [[ ! -e $dir/instructions.txt ]] || instructions_read "$dir" "${OPTIONS[instrumented]}" || cell_problem "instructions could not be counted: $(tail -n 1 "$dir/instructions.txt")"
}

# Window A must lie inside the load: on a host so slow that it doesn't, its figures would be those of an idle monitor.
# (Those of window B are all per execution, so the report can do with a part of it.)
cell_check_window_a() {
  jq -e --argjson window "$(meter_span "$1/window-a.csv")" \
    '.start_mono_ns <= $window.from_ns and .start_mono_ns + .duration_s * 1e9 >= $window.to_ns' "$1/load.json" >/dev/null ||
    cell_problem "window A did not lie within the load: this host is too slow, or something stopped it"
}

# What cpumeter read must have been there from one end of the window to the other. Where it was not, or cpumeter did not find
# it, the next cell looks for it again.
cell_check_readings() {
  local dir=$1 window fault
  for window in a b; do
    [[ -e $dir/window-$window.csv ]] || continue
    fault=$(meter_fault "$dir/window-$window.csv")
    [[ -z $fault ]] || cell_problem "in window ${window^^}, $fault"
  done
  CELL_FIND_HELPERS=$([[ -z $CELL_PROBLEM ]] && echo no || echo yes)
}

# Until every launch has been recorded, or no further one was for CELL_DRAIN_QUIET_SECONDS. (The log as a whole never rests:
# a monitor records the harness's own commands, too.) drain.json says when the last one was seen to be, count.json how many:
# of a monitor that tells executions apart by their parent that is final, since another process may have its pid later.
cell_drain() {
  local dir=$1
  local -i launched
  ((${#LOGS_FILES[@]})) || return 0
  # A load that failed left no result.
  launched=$(jq '.launched // 0' "$dir/load.json" 2>/dev/null || echo 0)
  cell_settle "$2" "$3" "$launched" || {
    cell_uncountable "its log can't be read: $(printf '%s ' "${LOGS_FILES[@]}")"
    return 0
  }
  ((CELL_IS_SETTLED)) || cell_problem "still wrote records $CELL_DRAIN_SECONDS s after the load had stopped"
  cell_write "$dir/drain.json" printf '{"last_record_us": %d}\n' "$CELL_LAST_RECORD_US"
  cell_write "$dir/count.json" printf '{"recorded": %d}\n' "$CELL_RECORDED"
}

# cell_settle TAG PARENT LAUNCHED: until that many executions are recorded, or the log has none that it had not before. Sets
# CELL_RECORDED, CELL_LAST_RECORD_US (CLOCK_REALTIME), and CELL_IS_SETTLED: 0 if there was no end of them. 1 if the log can't be read.
cell_settle() {
  local -i last=-1 now quiet_since deadline
  CELL_RECORDED=0 CELL_LAST_RECORD_US=0 CELL_IS_SETTLED=1
  clock_cs now
  quiet_since=now deadline=$((now + CELL_DRAIN_SECONDS * 100))
  while true; do
    CELL_RECORDED=$(cell_recorded "$1" "$2") || return 1
    clock_cs now
    if ((CELL_RECORDED != last)); then
      last=$CELL_RECORDED CELL_LAST_RECORD_US=$(now_us) quiet_since=now
    fi
    ((CELL_RECORDED < $3)) || break
    ((now - quiet_since <= CELL_DRAIN_QUIET_SECONDS * 100)) || break
    if ((now >= deadline)); then
      CELL_IS_SETTLED=0
      break
    fi
    pause 0.2
  done
}

# cell_recorded TAG PARENT: how many of the cell's executions are recorded by now, told apart by their tag, or, where the
# records have no arguments, by their parent. 1 if the log can't be read.
cell_recorded() {
  if [[ $MONITOR_RECORDS == count ]]; then
    monitor_count "$2"
  else
    logs_count_tags "$1" | awk '{ count = $2 } END { print count + 0 }'
  fi
}

# Did the monitor live through the cell, and did it keep what it must have to itself?
cell_check_monitor() {
  local problem
  if ! monitor_is_alive; then
    # Whatever else went wrong is because of that.
    CELL_PROBLEM="died$(monitor_last_words)"
  else
    problem=$(monitor_audit_problem)
    [[ -z $problem ]] || CELL_PROBLEM=$problem
  fi
}

# A log that was taken away or cut, or that found no room, lacks what the monitor has recorded.
cell_check_log() {
  logs_look
  [[ -z $LOGS_FAULT ]] || cell_uncountable "$LOGS_FAULT"
}

cell_check_disk() {
  local -i free
  if ((${#LOGS_FILES[@]})) && monitor_is_ours; then
    free=$(disk_free_mib "$HOST_STATE_DIR")
    if ((free < CELL_LOG_DISK_MIB)); then
      disk_release "$HOST_STATE_DIR/scratch"
      cell_uncountable "the disk of its log is full: $free MiB are free in $HOST_STATE_DIR, expected $CELL_LOG_DISK_MIB"
    fi
  fi
  free=$(disk_free_mib "$1")
  ((free >= CELL_OUT_DISK_MIB)) || cell_uncountable "$CELL_OUT_DISK_FULL: less than $CELL_OUT_DISK_MIB MiB is free in ${OPTIONS[out]}"
}
