# shellcheck shell=bash
# What the sweep and the saturation test have in common: a run takes the host, measures, and gives it back.
# A kind of run (RUN_KIND: sweep, saturate) has the functions KIND_obstacles, KIND_plan (plan.csv on stdout), KIND_measure
# and KIND_options_json.

RUN_COMPLETE=no
RUN_MONITOR_RUNS=no
# Whether the monitor's group must be able to have limits.
RUN_LIMITS=no
# What was made for --out, the innermost first.
RUN_MADE_FOLDERS=()

# run_main ARGUMENT...: from checked options to the pictures; the arguments are those that exectax was given.
run_main() {
  refuse_surroundings
  exempt_join "$EXECTAX_ROOT/exectax" "$@"
  host_lock "$RUN_KIND into $OUT"
  trap 'leave 130' INT
  trap 'leave 143' TERM
  trap 'leave 129' HUP
  trap 'leave 141' PIPE
  trap run_leave EXIT
  watch_relieve
  if host_has_changes; then
    say "An earlier run was killed: putting the host back first."
    host_undo || exit 1
  fi
  run_check_tools
  refuse_host
  run_make_out
  watch_begin
  [[ $INSTALL == no ]] || run_install
  run_find_runnable
  : "${RUN_TAG:=x$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')}"
  export RUN_TAG
  "${RUN_KIND}_plan" >"$OUT/plan.csv"
  run_find_instruments
  manifest_begin "$OUT"
  disk_reserve "$OUT"
  run_isolate
  meter_find_helpers <<<"$(run_helpers | sort -u)"
  CELLS_TO_COUNT=()
  "${RUN_KIND}_measure"
  RUN_COMPLETE=yes
}

# The folders on the way to it must let through whom a run by way of sudo is given to.
run_make_out() {
  local folder=$OUT
  while [[ ! -e $folder ]]; do
    RUN_MADE_FOLDERS+=("$folder")
    folder=$(dirname -- "$folder")
  done
  (umask 022 && mkdir -p -- "$(dirname -- "$OUT")" && umask 077 && mkdir -p -- "$OUT") 2>/dev/null ||
    die_usage "--out: the folder $OUT can't be made, expected a new or empty folder"
}

# However a run ends: the host is put back first, then what was measured is made into tables and pictures. Nothing before the
# undo, nor in it, can end this: no error, no message, no further signal.
run_leave() {
  local status=$? folder
  trap - EXIT ERR
  trap '' INT TERM HUP PIPE
  set +e
  disown -a
  ((status <= 128)) || say "Interrupted: putting the host back."
  [[ $RUN_MONITOR_RUNS == no ]] || run_leave_monitor
  [[ $MONITOR_KEPT_ALL == yes ]] || status=1
  cgroup_leave_harness
  HOST_RESTORE=forced
  host_undo || status=1
  watch_end
  host_unlock
  trap - INT TERM HUP PIPE
  set -e
  if [[ -f $OUT/manifest.json ]]; then
    disk_release "$OUT"
    if [[ $RUN_COMPLETE == yes ]]; then
      manifest_end "$OUT" complete ""
    else
      manifest_end "$OUT" interrupted "$(run_reason "$status")"
    fi
    if [[ -n $(find "$OUT/cells" -name cell.json -print -quit 2>/dev/null) ]]; then
      run_report "$OUT" || status=1
    fi
    # A run by way of sudo belongs to who called it.
    [[ -z ${SUDO_UID:-} ]] || chown -R -P --no-dereference -- "$SUDO_UID:${SUDO_GID:-}" "$OUT"
  else
    for folder in "${RUN_MADE_FOLDERS[@]}"; do
      rmdir -- "$folder" 2>/dev/null || break
    done
  fi
  exit "$status"
}

# In a process of its own, so that nothing in it can end the leaving.
run_leave_monitor() {
  (run_stop_monitor && [[ $MONITOR_KEPT_ALL == yes ]]) || MONITOR_KEPT_ALL=no
}

# run_reason STATUS: why a run ended early.
run_reason() {
  if [[ -n $(died_of) ]]; then
    died_of
  elif (($1 > 128)); then
    echo "SIG$(kill -l "$1")"
  else
    echo "exit status $1"
  fi
}

# run_kind RUN: sweep or saturate.
run_kind() {
  jq -r '.kind // "sweep"' "$1/manifest.json"
}

# run_report RUN [RATE]: its tables and pictures, from its raw files; RATE is for a sweep's picture of the parts.
run_report() {
  case $(run_kind "$1") in
    saturate) saturation_make "$1" ;;
    *) results_make "$@" ;;
  esac
}

run_install() {
  local monitor
  for monitor in $MONITORS; do
    EXECTAX_ALLOW_UNVERIFIED=$ALLOW_UNVERIFIED monitor_call_install "$monitor" || warn "$monitor could not be installed; 'exectax list' says what it needs"
  done
}

run_check_tools() {
  local tool
  local -a missing=()
  for tool in pidstat gnuplot mlr jq flock pgrep; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  ((${#missing[@]} == 0)) || die "not installed: ${missing[*]} ('make install-deps' gets them)"
  for tool in execrate cpumeter logfollow; do
    [[ -x $BUILD/$tool ]] || die "$BUILD/$tool is not built ('make' does)"
  done
}

# RUNNABLE gets the monitors that can run here; SKIPPED[name] why the others can't.
run_find_runnable() {
  local monitor reason
  declare -gA SKIPPED=()
  RUNNABLE=("${ATTACHED[@]}")
  ((${#ATTACHED[@]} == 0)) || return 0
  for monitor in $MONITORS; do
    reason=$("${RUN_KIND}_obstacles" "$monitor")
    if [[ -n $reason ]]; then
      SKIPPED[$monitor]=$reason
      say "Skipping $monitor: $reason"
    else
      RUNNABLE+=("$monitor")
    fi
  done
}

# The helpers of all monitors of the run.
run_helpers() {
  local monitor
  if ((${#ATTACHED[@]})); then
    attach_helpers
  else
    for monitor in "${RUNNABLE[@]}"; do
      monitor_call "$monitor" monitor_helpers
    done
  fi
}

# What window B can use here; what it can't is said once.
run_find_instruments() {
  local reason
  CAN_PROFILE=yes CAN_METER_BPF=yes
  ((INSTRUMENTED > 0)) || return 0
  reason=$(profile_problem)
  if [[ -n $reason ]]; then
    CAN_PROFILE=no
    say "No profiles, and no second opinion on eBPF: $reason"
  fi
  if ! reason=$("$BUILD/cpumeter" --once --bpf --output /dev/null 2>&1); then
    CAN_METER_BPF=no
    say "No eBPF figures: $reason"
  fi
}

run_isolate() {
  # Undone backwards: first everything that runs is ended; audit's flags come last, since journald sets `enabled` when
  # it starts.
  if ((${#ATTACHED[@]} == 0)); then
    audit_isolate
    journald_isolate "$JOURNALD_AUDIT"
    host_make_scratch
    disk_reserve "$STATE_DIR/scratch"
  fi
  [[ $RUN_LIMITS == no ]] || limits_pass_on "${CGROUP_MOUNTS[0]}"
  host_record undo_cgroups
  cgroup_create load
  cgroup_create sampler
  ((${#ATTACHED[@]})) || cgroup_create "$MONITOR_CGROUP"
  [[ $RUN_LIMITS == no ]] || limits_pass_on "${CGROUP_MOUNTS[0]}/exectax"
}

# run_begin_block: from here on, another start of a monitor.
run_begin_block() {
  [[ $RUN_MONITOR_RUNS == no ]] || run_stop_monitor
  STARTS_OF_BLOCK=0
  BLOCK_PROBLEM=
}
declare -gi STARTS_OF_BLOCK

# run_cell DIR CELL RATE MONITOR BLOCK WHAT: one cell into DIR, under the tag of CELL; WHAT is a JSON object of what it
# is. A monitor that cannot be started, or dies, costs its own cells only. One that died is started again for the next cell.
# So is one whose log was taken away or had no room, since it may have given up writing. CELL_PROBLEM and CELL_STATUS say how it went.
run_cell() {
  local dir=$1 cell=$2 rate=$3 monitor=$4 block=$5 is=$6
  mkdir -p "$dir"
  CELL_STATUS=ok
  if [[ $RUN_MONITOR_RUNS == yes ]] && { ! monitor_is_alive || [[ $CELL_COUNTABLE == no ]]; }; then
    run_stop_monitor
  fi
  if [[ $RUN_MONITOR_RUNS == no && -z $BLOCK_PROBLEM ]]; then
    run_start_monitor "$monitor" "$block"
  fi
  CELL_PROBLEM=$BLOCK_PROBLEM
  if [[ -n $BLOCK_PROBLEM ]]; then
    CELL_STATUS=not-ready
  else
    cell_run "$dir" "$RUN_TAG.$cell" "$rate"
    if [[ $CELL_COUNTABLE == yes ]]; then
      CELLS_TO_COUNT+=("$cell,$dir")
    else
      rm -f "$dir/count.json"
    fi
    if [[ -n $CELL_PROBLEM ]]; then
      CELL_STATUS=failed
      warn "$monitor at $rate/s, repetition $block: $CELL_PROBLEM"
    fi
  fi
  [[ $CELL_PROBLEM != "$CELL_OUT_DISK_FULL"* ]] || disk_release "$OUT"
  jq -n --argjson cell "$cell" --argjson is "$is" --arg status "$CELL_STATUS" --arg reason "$CELL_PROBLEM" \
    '{$cell} + $is + {$status, $reason}' >"$dir/cell.json"
  [[ $CELL_PROBLEM != "$CELL_OUT_DISK_FULL"* ]] || die "$CELL_PROBLEM"
}

# run_start_monitor MONITOR BLOCK: BLOCK tells this start's files from those of other repetitions and turns.
run_start_monitor() {
  local monitor=$1 block=$2
  STARTS_OF_BLOCK+=1
  RUN_MONITOR_RUNS=yes
  if ((${#ATTACHED[@]})); then
    attach_begin "$monitor" "$OUT/monitors/$monitor"
    return
  fi
  audit_forget_ours
  if monitor_begin "$monitor" "$OUT/monitors/$monitor/$block-$STARTS_OF_BLOCK"; then
    # Some load rules of their own and set flags.
    audit_note_ours
  else
    BLOCK_PROBLEM=$MONITOR_PROBLEM
    warn "$monitor, repetition $block: $MONITOR_PROBLEM"
    run_stop_monitor
  fi
}

# Stop the monitor, then count: some write their last records only when they are stopped.
run_stop_monitor() {
  RUN_MONITOR_RUNS=no
  ((${#ATTACHED[@]})) || monitor_end
  [[ $MONITOR_RECORDS != exec ]] || run_count_cells
  CELLS_TO_COUNT=()
  ((${#ATTACHED[@]} == 0)) || return 0
  monitor_keep "$KEEP_LOGS"
  disk_reserve "$STATE_DIR/scratch"
}

# The final count of each cell of this start. Where the log is not what was written, nobody knows it, unless a cell had all of
# its records before.
run_count_cells() {
  local counts tag count entry
  local -A recorded=()
  monitor_look_at_logs
  counts=$(cells_count_tags "$RUN_TAG") || : "${MONITOR_LOG_FAULT:="its log can't be read: $(printf '%s ' "${MONITOR_LOGS[@]}")"}"
  while read -r tag count; do
    [[ -z $tag ]] || recorded[${tag##*.}]=$count
  done <<<"$counts"
  for entry in "${CELLS_TO_COUNT[@]}"; do
    if [[ -z $MONITOR_LOG_FAULT ]]; then
      printf '{"recorded": %d}\n' "${recorded[${entry%%,*}]:-0}" >"${entry#*,}/count.json"
    else
      run_fail_uncounted "${entry#*,}" "$MONITOR_LOG_FAULT"
    fi
  done
}

# run_fail_uncounted DIR REASON
run_fail_uncounted() {
  local dir=$1
  ! jq -e -n '[inputs] | length == 2 and .[0].recorded >= .[1].launched' "$dir/count.json" "$dir/load.json" >/dev/null 2>&1 || return 0
  rm -f "$dir/count.json"
  warn "$dir: $2"
  jq --arg reason "$2" 'if .status == "ok" then .status = "failed" | .reason = $reason else . end' "$dir/cell.json" >"$dir/cell.json.new" &&
    mv "$dir/cell.json.new" "$dir/cell.json"
}
