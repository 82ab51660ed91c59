# shellcheck shell=bash
# The exec-rate sweep: every monitor at every rate, several times.

# Why MONITOR can't be swept here, on one line; nothing when it can.
sweep_obstacles() {
  monitor_obstacles "$1"
}

# The whole plan, of a run that goes on that of the run before as well.
sweep_plan() {
  local plan=${OPTIONS[out]}/plan.csv
  case ${OPTIONS[goes_on]:-} in
    resume) plan_resume "$plan" <<<"$RESUME_LEFT" ;;
    repeat) plan_repeat "$plan" "${OPTIONS[reps]}" "${OPTIONS[seed]}" "${OPTIONS[rates]}" "${RUN_MONITORS[@]}" ;;
    *) plan_make "${OPTIONS[seed]}" "${OPTIONS[reps]}" "${OPTIONS[rates]}" "${RUN_MONITORS[@]}" ;;
  esac
}

# sweep_seconds ROWS: how long these of the plan will take.
sweep_seconds() {
  local -i seconds
  seconds=$(plan_seconds "$(grep -c . <<<"$1")" "$(cut -d, -f2,3,5 <<<"$1" | uniq | grep -c .)" "$(options_sum warmup duration instrumented)")
  [[ ${OPTIONS[side]} == 0 ]] || seconds+=$(($(sweep_side_cells "$1") * $(side_seconds)))
  echo "$seconds"
}

# sweep_side_cells ROWS: how many of them have a window S.
sweep_side_cells() {
  local monitor
  local -i cells=0 of_monitor
  while read -r of_monitor monitor; do
    [[ -z $monitor ]] || ! monitor_is_ours || [[ -z $(monitor_fact "$monitor" side) ]] || cells+=$((of_monitor))
  done <<<"$(cut -d, -f3 <<<"$1" | sort | uniq -c)"
  echo "$cells"
}

# How many executions the run launches in all, and at most under one start of a monitor.
sweep_launches() {
  local -i each=0 rate monitors seconds reps=${OPTIONS[reps]}
  seconds=$(options_sum warmup duration instrumented load_margin)
  # What is attached to is not told to leave executions alone.
  ! monitor_is_ours || seconds+=${OPTIONS[side]}
  if resume_is_asked; then
    sweep_plan | resume_rows | awk -F, -v seconds="$seconds" '
      { launches = $4 * seconds; all += launches; start[$2, $3, $5] += launches; if (start[$2, $3, $5] > most) most = start[$2, $3, $5] }
      END { printf "%d %d\n", all, most }'
    return
  fi
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
  local plan=${OPTIONS[out]}/plan.csv disturbed rows
  local -i pass passes=${OPTIONS[repeat_disturbed]} from=$RESUME_KEPT
  monitor_is_ours || say "$(sweep_sends)."
  calibration_make "$(resume_rows <"$plan")"
  sweep_measure_cells "$(resume_rows <"$plan")"
  for ((pass = 1; pass <= passes; pass++)); do
    disturbed=$(sweep_disturbed "$(plan_once_more "$plan" "$from" "$passes")")
    [[ -n $disturbed ]] || break
    say "Measuring again what the hypervisor disturbed: $(wc -l <<<"$disturbed") cells."
    rows=$(plan_again "$plan" <<<"$disturbed")
    from=$((${rows%%,*} - 1))
    { cat "$plan" && echo "$rows"; } | manifest_write "$plan"
    sweep_measure_cells "$rows"
  done
}

# sweep_disturbed ROWS: those rows of the plan whose cells went well but for the hypervisor.
sweep_disturbed() {
  local cell rep monitor rate turn
  while IFS=, read -r cell rep monitor rate turn; do
    [[ -z $cell ]] || ! jq -e '.status == "ok" and .disturbed' "$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")/cell.json" >/dev/null ||
      echo "$cell,$rep,$monitor,$rate,$turn"
  done <<<"$1"
}

sweep_cell_folder() {
  echo "${OPTIONS[out]}/cells/$(plan_cell_folder "$@")"
}

# sweep_measure_cells ROWS: of the plan. What an interrupted session has left of a cell is removed first.
sweep_measure_cells() {
  local -i total seconds done=0
  local cell rep monitor rate turn folder session name block=
  [[ -n $1 ]] || return 0
  total=$(wc -l <<<"$1")
  seconds=$(sweep_seconds "$1")
  session=$(manifest_sessions "${OPTIONS[out]}")
  while IFS=, read -r cell rep monitor rate turn <&4; do
    name=$rep$(plan_turn_suffix "$turn")
    # Beside what the sessions before have left of this monitor.
    ((session == 1)) || name+=-session$session
    if [[ $block != "$monitor-$name" ]]; then
      block=$monitor-$name
      block_begin "$name"
    fi
    progress_step "$done" "$total" $((seconds * (total - done) / total)) "$monitor at $rate/s, repetition $rep"
    folder=$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")
    [[ ! -e $folder ]] || rm -rf -- "$folder"
    block_cell "$folder" "$cell" "$rate" "$monitor" "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn" "$session")"
    done+=1
  done 4<<<"$1"
  block_end
  progress_clear
}

# sweep_cell_facts MONITOR RATE REP TURN SESSION
sweep_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" --argjson session "$5" '$ARGS.named'
}

sweep_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --argjson attached "$(monitor_is_ours && echo false || echo true)" \
    --arg rates "${OPTIONS[rates]}" --argjson duration_s "${OPTIONS[duration]}" --argjson instrumented_s "${OPTIONS[instrumented]}" --argjson side_s "${OPTIONS[side]}" --argjson calibrate_s "${OPTIONS[calibrate]}" --argjson warmup_s "${OPTIONS[warmup]}" \
    --argjson reps "${OPTIONS[reps]}" --argjson repeat_disturbed "${OPTIONS[repeat_disturbed]}" --argjson seed "${OPTIONS[seed]}" --arg journald_audit "${OPTIONS[journald_audit]}" \
    --arg keep_logs "${OPTIONS[keep_logs]}" \
    '$ARGS.named | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
