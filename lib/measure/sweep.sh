# shellcheck shell=bash
# The exec-rate sweep: every monitor at every rate, several times.

sweep_main() {
  RUN_KIND=sweep
  sweep_options "$@"
  host_require_root "exectax sweep" "it changes audit rules, cgroups and services, and puts them back"
  if [[ $DRY_RUN == yes ]]; then
    sweep_dry_run
    return
  fi
  [[ $CHECK_OPTIONS == no ]] || return 0
  run_main sweep "$@"
}

# Why MONITOR can't be swept here, on one line; nothing when it can.
sweep_obstacles() {
  monitor_obstacles "$1"
}

sweep_plan() {
  plan_make "$SEED" "$REPS" "$RATES" "${RUNNABLE[@]}"
}

# sweep_seconds PLAN: how long all of it will take.
sweep_seconds() {
  plan_seconds "$(tail -n +2 <<<"$1" | wc -l)" "$(tail -n +2 <<<"$1" | cut -d, -f2,3,5 | uniq | wc -l)"
}

# How many executions the run launches in all, and at most under one start of a monitor.
sweep_launches() {
  local -i seconds=$((WARMUP + DURATION + INSTRUMENTED + LOAD_MARGIN_SECONDS)) each=0 rate monitors
  monitors=$(wc -w <<<"${ATTACHED[*]:-$MONITORS}")
  for rate in $RATES; do
    each=$((each + rate * seconds))
  done
  # The baseline has a block for every few monitors.
  echo $((each * REPS * (monitors + monitors / PLAN_MONITORS_PER_BASELINE))) "$each"
}

sweep_dry_run() {
  local plan
  run_find_runnable
  plan=$(sweep_plan)
  cat <<TEXT
Monitors:    ${RUNNABLE[*]}
Rates:       $RATES executions per second
Each cell:   $WARMUP s of warm-up, windows of $DURATION s and $INSTRUMENTED s; $REPS repetition(s); seed $SEED
Results in:  $OUT
Time:        about $(progress_duration "$(sweep_seconds "$plan")"), longer if the hypervisor disturbs cells
${ATTACHED:+Sends:       $(attach_sends)
}Order:
TEXT
  mlr --icsv --opprint cat <<<"$plan"
}

# The plan; then, for as long as the option says and there are any, the cells that the hypervisor disturbed once more.
sweep_measure() {
  local rows disturbed
  local -i pass
  rows=$(tail -n +2 "$OUT/plan.csv")
  ((${#ATTACHED[@]} == 0)) || say "$(attach_sends)."
  sweep_measure_cells "$rows"
  for ((pass = 1; pass <= REPEAT_DISTURBED; pass++)); do
    disturbed=$(sweep_disturbed "$rows")
    [[ -n $disturbed ]] || break
    say "Measuring again what the hypervisor disturbed: $(wc -l <<<"$disturbed") cells."
    rows=$(plan_again "$OUT/plan.csv" <<<"$disturbed")
    echo "$rows" >>"$OUT/plan.csv"
    sweep_measure_cells "$rows"
  done
}

# sweep_disturbed ROWS: those rows of the plan whose cells the hypervisor disturbed.
sweep_disturbed() {
  local cell rep monitor rate turn
  while IFS=, read -r cell rep monitor rate turn; do
    results_cell "$OUT/cells/$(plan_cell_folder "$monitor" "$rate" "$rep" "$turn")" |
      jq -e -L "$EXECTAX_ROOT/lib/report/figures" 'include "disturbed"; is_disturbed' >/dev/null || continue
    echo "$cell,$rep,$monitor,$rate,$turn"
  done <<<"$1"
}

# sweep_measure_cells ROWS: of the plan.
sweep_measure_cells() {
  local -i total done=0
  local cell rep monitor rate turn block=
  total=$(wc -l <<<"$1")
  while IFS=, read -r cell rep monitor rate turn <&4; do
    if [[ $block != "$monitor-$rep-$turn" ]]; then
      block=$monitor-$rep-$turn
      run_begin_block
    fi
    progress_step "$done" "$total" $(((total - done) * $(plan_seconds 1 0))) "$monitor at $rate/s, repetition $rep"
    run_cell "$OUT/cells/$(plan_cell_folder "$monitor" "$rate" "$rep" "$turn")" "$cell" "$rate" "$monitor" \
      "$rep$(plan_turn_suffix "$turn")" "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn")"
    done+=1
  done 4<<<"$1"
  [[ $RUN_MONITOR_RUNS == no ]] || run_stop_monitor
  progress_clear
}

# sweep_cell_facts MONITOR RATE REP TURN
sweep_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" '$ARGS.named'
}

sweep_options_json() {
  jq -n --arg monitors "${ATTACHED[*]:-$MONITORS}" --argjson attached "$( ((${#ATTACHED[@]})) && echo true || echo false)" \
    --arg rates "$RATES" --argjson duration_s "$DURATION" --argjson instrumented_s "$INSTRUMENTED" --argjson warmup_s "$WARMUP" \
    --argjson reps "$REPS" --argjson repeat_disturbed "$REPEAT_DISTURBED" --argjson seed "$SEED" --arg journald_audit "$JOURNALD_AUDIT" \
    '$ARGS.named | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
