# shellcheck shell=bash
# The exec-rate sweep: the whole run from the options to the pictures.

sweep_main() {
  sweep_options "$@"
  host_require_root "exectax sweep" "it changes audit rules, cgroups and services, and puts them back"
  if [[ $DRY_RUN == yes ]]; then
    sweep_dry_run
    return
  fi
  [[ $CHECK_OPTIONS == no ]] || return 0
  mkdir -p "$OUT" 2>/dev/null || die_usage "--out: the folder $OUT can't be made, expected a new or empty folder"
  host_lock "sweep into $OUT"
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  trap sweep_leave EXIT
  if host_has_changes; then
    say "An earlier run was killed: putting the host back first."
    host_undo || exit 1
  fi
  [[ $INSTALL == no ]] || sweep_install
  sweep_check_tools
  sweep_find_runnable
  RUN_TAG=x$(od -An -N4 -tx4 /dev/urandom | tr -d ' ')
  export RUN_TAG
  sweep_plan >"$OUT/plan.csv"
  sweep_find_instruments
  manifest_write "$OUT" started
  sweep_isolate
  meter_find_helpers < <(sweep_helpers)
  sweep_blocks
  SWEEP_COMPLETE=yes
}

SWEEP_COMPLETE=no
SWEEP_MONITOR_RUNS=no

# However a sweep ends: the host is put back first, then what was measured is made into tables and pictures.
sweep_leave() {
  local status=$?
  trap - EXIT
  trap '' INT TERM HUP
  disown -a
  if ((status > 128)); then
    say "Interrupted: putting the host back."
  fi
  [[ $SWEEP_MONITOR_RUNS == no ]] || sweep_stop_monitor || true
  host_undo || status=1
  if [[ -f $OUT/manifest.json ]]; then
    manifest_write "$OUT" "$([[ $SWEEP_COMPLETE == yes ]] && echo complete || echo interrupted)"
    if compgen -G "$OUT/cells/*/*/cell.json" >/dev/null; then
      results_make "$OUT" || status=1
    fi
    # A run by way of sudo belongs to whoever the checkout belongs to.
    chown -R --reference="$EXECTAX_ROOT" "$OUT"
  else
    rmdir --ignore-fail-on-non-empty "$OUT"
  fi
  host_unlock
  exit "$status"
}

sweep_install() {
  local monitor
  for monitor in $MONITORS; do
    monitor_call "$monitor" monitor_install || warn "$monitor could not be installed; 'exectax list' says what it needs"
  done
}

sweep_check_tools() {
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
sweep_find_runnable() {
  local monitor reason
  declare -gA SKIPPED=()
  RUNNABLE=("${ATTACHED[@]}")
  ((${#ATTACHED[@]} == 0)) || return 0
  for monitor in $MONITORS; do
    reason=$(monitor_obstacles "$monitor")
    if [[ -n $reason ]]; then
      SKIPPED[$monitor]=$reason
      say "Skipping $monitor: $reason"
    else
      RUNNABLE+=("$monitor")
    fi
  done
}

# The helpers of all monitors of the run.
sweep_helpers() {
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
sweep_find_instruments() {
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

sweep_plan() {
  plan_make "$SEED" "$REPS" "$RATES" "${RUNNABLE[@]}"
}

# sweep_seconds PLAN: how long all of it will take.
sweep_seconds() {
  plan_seconds "$(tail -n +2 <<<"$1" | wc -l)" "$(tail -n +2 <<<"$1" | cut -d, -f2,3,5 | uniq | wc -l)"
}

sweep_dry_run() {
  local plan
  sweep_find_runnable
  plan=$(sweep_plan)
  cat <<TEXT
Monitors:    ${RUNNABLE[*]}
Rates:       $RATES executions per second
Each cell:   $WARMUP s of warm-up, windows of $DURATION s and $INSTRUMENTED s; $REPS repetition(s); seed $SEED
Results in:  $OUT
Time:        about $(progress_duration "$(sweep_seconds "$plan")")
Order:
TEXT
  mlr --icsv --opprint cat <<<"$plan"
}

sweep_isolate() {
  # Undone backwards: first everything that runs is ended; audit's flags come last, since journald sets `enabled` when
  # it starts.
  cgroup_find_mounts
  if ((${#ATTACHED[@]} == 0)); then
    audit_isolate
    journald_isolate "$JOURNALD_AUDIT"
    host_make_scratch
  fi
  host_record undo_cgroups
  cgroup_create load
  cgroup_create sampler
  ((${#ATTACHED[@]})) || cgroup_create "$MONITOR_CGROUP"
}

sweep_blocks() {
  local -i total
  total=$(($(wc -l <"$OUT/plan.csv") - 1))
  CELLS_DONE=0 CELLS_TOTAL=$total
  CELLS_TO_COUNT=()
  local cell rep monitor rate turn block=
  while IFS=, read -r cell rep monitor rate turn <&4; do
    if [[ $block != "$monitor-$rep-$turn" ]]; then
      [[ $SWEEP_MONITOR_RUNS == no ]] || sweep_stop_monitor
      block=$monitor-$rep-$turn
      STARTS_OF_BLOCK=0
      BLOCK_PROBLEM=
    fi
    sweep_cell "$cell" "$rep" "$monitor" "$rate" "$turn"
    CELLS_DONE+=1
  done 4< <(tail -n +2 "$OUT/plan.csv")
  [[ $SWEEP_MONITOR_RUNS == no ]] || sweep_stop_monitor
  progress_clear
}
declare -i CELLS_DONE CELLS_TOTAL STARTS_OF_BLOCK

# A monitor that cannot be started, or dies, costs its own cells only. One that died is started again for the next cell.
sweep_cell() {
  local cell=$1 rep=$2 monitor=$3 rate=$4 turn=$5 status=ok dir
  dir=$OUT/cells/$(plan_cell_folder "$monitor" "$rate" "$rep" "$turn")
  mkdir -p "$dir"
  progress_step "$CELLS_DONE" "$CELLS_TOTAL" \
    $(((CELLS_TOTAL - CELLS_DONE) * $(plan_seconds 1 0))) "$monitor at $rate/s, repetition $rep"
  if [[ $SWEEP_MONITOR_RUNS == yes ]] && ! monitor_is_alive; then
    sweep_stop_monitor
  fi
  if [[ $SWEEP_MONITOR_RUNS == no && -z $BLOCK_PROBLEM ]]; then
    sweep_start_monitor "$monitor" "$rep$(plan_turn_suffix "$turn")"
  fi
  CELL_PROBLEM=$BLOCK_PROBLEM
  if [[ -n $BLOCK_PROBLEM ]]; then
    status=not-ready
  else
    cell_run "$dir" "$RUN_TAG.$cell" "$rate"
    CELLS_TO_COUNT+=("$cell,$dir")
    if [[ -n $CELL_PROBLEM ]]; then
      status=failed
      warn "$monitor at $rate/s, repetition $rep: $CELL_PROBLEM"
    fi
  fi
  jq -n --argjson cell "$cell" --arg test "$monitor" --argjson exec_per_sec "$rate" --argjson rep "$rep" --argjson turn "$turn" \
    --arg status "$status" --arg reason "$CELL_PROBLEM" '$ARGS.named' >"$dir/cell.json"
}

# sweep_start_monitor MONITOR BLOCK: BLOCK tells this start's files from those of other repetitions and turns.
sweep_start_monitor() {
  local monitor=$1 block=$2
  STARTS_OF_BLOCK+=1
  SWEEP_MONITOR_RUNS=yes
  if ((${#ATTACHED[@]})); then
    attach_begin "$monitor" "$OUT/monitors/$monitor"
    return
  fi
  if ! monitor_begin "$monitor" "$OUT/monitors/$monitor/$block-$STARTS_OF_BLOCK"; then
    BLOCK_PROBLEM=$MONITOR_PROBLEM
    warn "$monitor, repetition $block: $MONITOR_PROBLEM"
    sweep_stop_monitor
  fi
}

# Stop the monitor, then count: some write their last records only when they are stopped.
sweep_stop_monitor() {
  local tag count entry
  local -A recorded=()
  SWEEP_MONITOR_RUNS=no
  ((${#ATTACHED[@]})) || monitor_end
  if [[ $MONITOR_RECORDS == exec ]]; then
    while read -r tag count; do
      recorded[${tag##*.}]=$count
    done < <(cells_count_tags "$RUN_TAG")
    for entry in "${CELLS_TO_COUNT[@]}"; do
      printf '{"recorded": %d}\n' "${recorded[${entry%%,*}]:-0}" >"${entry#*,}/count.json"
    done
  fi
  CELLS_TO_COUNT=()
  if ((${#ATTACHED[@]})); then
    return
  elif [[ $KEEP_LOGS == yes ]]; then
    mv "$MONITOR_LOG_DIR" "$MONITOR_RUN_DIR/log"
  else
    rm -rf "$MONITOR_LOG_DIR"
  fi
}
