# shellcheck shell=bash
# The exec-rate sweep: every monitor at every rate, several times.

# Why MONITOR can't be swept here, on one line; nothing when it can.
sweep_obstacles() {
  monitor_obstacles "$1"
}

sweep_plan() {
  plan_make "${OPTIONS[seed]}" "${OPTIONS[reps]}" "${OPTIONS[rates]}" "${RUN_MONITORS[@]}"
}

# What a cell takes besides what the plan adds.
sweep_cell_seconds() {
  options_sum warmup duration instrumented
}

# sweep_seconds PLAN: how long all of it will take.
sweep_seconds() {
  plan_seconds "$(tail -n +2 <<<"$1" | wc -l)" "$(tail -n +2 <<<"$1" | cut -d, -f2,3,5 | uniq | wc -l)" "$(sweep_cell_seconds)"
}

# How many executions the run launches in all, and at most under one start of a monitor.
sweep_launches() {
  local -i each=0 rate monitors seconds reps=${OPTIONS[reps]}
  seconds=$(cell_load_seconds)
  monitors=$(wc -w <<<"${OPTIONS[monitors]}")
  for rate in ${OPTIONS[rates]}; do
    each=$((each + rate * seconds))
  done
  if monitor_is_ours; then
    # The baseline has a block for every few monitors.
    monitors=$((monitors + monitors / PLAN_MONITORS_PER_BASELINE))
  fi
  echo $((each * reps * monitors)) "$each"
}

# What a run sends to the monitors that it is attached to, in words.
sweep_sends() {
  local launches
  read -r launches _ <<<"$(sweep_launches)"
  attached_sends "$launches" "${OPTIONS[repeat_disturbed]}"
}

# The plan; then, for as long as the option says and there are any, the cells that the hypervisor disturbed once more.
sweep_measure() {
  local plan=${OPTIONS[out]}/plan.csv rows disturbed
  local -i pass passes=${OPTIONS[repeat_disturbed]}
  rows=$(tail -n +2 "$plan")
  monitor_is_ours || say "$(sweep_sends)."
  sweep_measure_cells "$rows"
  for ((pass = 1; pass <= passes; pass++)); do
    disturbed=$(sweep_disturbed "$rows")
    [[ -n $disturbed ]] || break
    say "Measuring again what the hypervisor disturbed: $(wc -l <<<"$disturbed") cells."
    rows=$(plan_again "$plan" <<<"$disturbed")
    echo "$rows" >>"$plan"
    sweep_measure_cells "$rows"
  done
}

# sweep_disturbed ROWS: those rows of the plan whose cells went well but for the hypervisor.
sweep_disturbed() {
  local cell rep monitor rate turn
  while IFS=, read -r cell rep monitor rate turn; do
    ! jq -e '.status == "ok" and .disturbed' "$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")/cell.json" >/dev/null ||
      echo "$cell,$rep,$monitor,$rate,$turn"
  done <<<"$1"
}

sweep_cell_folder() {
  echo "${OPTIONS[out]}/cells/$(plan_cell_folder "$@")"
}

# sweep_measure_cells ROWS: of the plan.
sweep_measure_cells() {
  local -i total done=0
  local cell rep monitor rate turn block=
  total=$(wc -l <<<"$1")
  while IFS=, read -r cell rep monitor rate turn <&4; do
    if [[ $block != "$monitor-$rep-$turn" ]]; then
      block=$monitor-$rep-$turn
      block_begin "$rep$(plan_turn_suffix "$turn")"
    fi
    progress_step "$done" "$total" $(((total - done) * $(plan_seconds 1 0 "$(sweep_cell_seconds)"))) "$monitor at $rate/s, repetition $rep"
    block_cell "$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")" "$cell" "$rate" "$monitor" \
      "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn")"
    done+=1
  done 4<<<"$1"
  block_end
  progress_clear
}

# sweep_cell_facts MONITOR RATE REP TURN
sweep_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" '$ARGS.named'
}

sweep_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --argjson attached "$(monitor_is_ours && echo false || echo true)" \
    --arg rates "${OPTIONS[rates]}" --argjson duration_s "${OPTIONS[duration]}" --argjson instrumented_s "${OPTIONS[instrumented]}" --argjson warmup_s "${OPTIONS[warmup]}" \
    --argjson reps "${OPTIONS[reps]}" --argjson repeat_disturbed "${OPTIONS[repeat_disturbed]}" --argjson seed "${OPTIONS[seed]}" --arg journald_audit "${OPTIONS[journald_audit]}" \
    '$ARGS.named | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
