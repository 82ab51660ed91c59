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
  run_main
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

sweep_dry_run() {
  local plan
  run_find_runnable
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

sweep_measure() {
  local -i total done=0
  local cell rep monitor rate turn block=
  total=$(($(wc -l <"$OUT/plan.csv") - 1))
  while IFS=, read -r cell rep monitor rate turn <&4; do
    if [[ $block != "$monitor-$rep-$turn" ]]; then
      block=$monitor-$rep-$turn
      run_begin_block
    fi
    progress_step "$done" "$total" $(((total - done) * $(plan_seconds 1 0))) "$monitor at $rate/s, repetition $rep"
    run_cell "$OUT/cells/$(plan_cell_folder "$monitor" "$rate" "$rep" "$turn")" "$cell" "$rate" "$monitor" \
      "$rep$(plan_turn_suffix "$turn")" "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn")"
    done+=1
  done 4< <(tail -n +2 "$OUT/plan.csv")
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
    --argjson reps "$REPS" --argjson seed "$SEED" --arg journald_audit "$JOURNALD_AUDIT" \
    '$ARGS.named | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
