# shellcheck shell=bash
# The exec-rate sweep: every monitor at every rate, several times.

# Why MONITOR can't be swept here, on one line; nothing when it can.
sweep_obstacles() {
  monitor_obstacles "$1"
}

# Of a run that goes on: what is left of it, what its plan can have (`monitor,rate` a line), and what options of its manifest are called here (null: not
# taken from there).
sweep_find_left() {
  resume_find_left "$1"
}

sweep_asked() {
  local monitor rate
  for monitor in ${OPTIONS[monitors]}; do
    for rate in ${OPTIONS[rates]}; do
      echo "$monitor,$rate"
    done
  done
}

sweep_option_names() {
  echo '{"monitors": "monitors", "attached": null, "rates": "rates", "duration_s": "duration", "instrumented_s": "instrumented", "side_s": "side", "syscalls_s": "syscalls",
    "calibrate_s": "calibrate", "warmup_s": "warmup", "reps": null, "repeat_disturbed": "repeat_disturbed", "seed": "seed", "journald_audit": "journald_audit",
    "keep_logs": "keep_logs", "precision_percent": "precision", "budget_s": "budget", "builds": "builds", "load_cpus": "load_cpus"}'
}

# The whole plan, of a run that goes on that of the run before as well.
sweep_plan() {
  local plan=${OPTIONS[out]}/plan.csv
  case ${OPTIONS[goes_on]:-} in
    resume) plan_resume "$plan" <<<"$RESUME_LEFT" ;;
    repeat)
      if auto_is_asked; then
        cat "$plan"
      else
        plan_repeat "$plan" "${OPTIONS[reps]}" "${OPTIONS[seed]}" "${OPTIONS[rates]}" "${RUN_MONITORS[@]}"
      fi
      ;;
    *) plan_make "${OPTIONS[seed]}" "${OPTIONS[reps]}" "${OPTIONS[rates]}" "${RUN_MONITORS[@]}" ;;
  esac
}

# sweep_seconds ROWS: how long these of the plan will take.
sweep_seconds() {
  local -i seconds blocks
  blocks=$(cut -d, -f2,3,5 <<<"$1" | uniq | awk NF | wc -l)
  seconds=$(plan_seconds "$(awk NF <<<"$1" | wc -l)" "$blocks" "$(cell_load_seconds)")
  ! syscalls_is_asked || seconds+=$((blocks * $(syscalls_seconds)))
  [[ ${OPTIONS[side]} == 0 ]] || seconds+=$(sweep_side_seconds "$1")
  echo "$seconds"
}

# sweep_time ROWS: how long a run takes that begins with these of the plan, in words.
sweep_time() {
  local time calibration
  if auto_is_asked; then
    time=$(auto_time "$1")
  else
    time="about $(progress_duration "$(sweep_seconds "$1")"), longer if the hypervisor disturbs cells"
  fi
  calibration=$(calibration_seconds "$1")
  echo "$time$( ((calibration == 0)) || echo "; before that $(progress_duration "$calibration") of calibration")"
}

# sweep_side_seconds ROWS: how long the windows S of these will take.
sweep_side_seconds() {
  local monitor rate
  local -i seconds=0 cells
  local -A sides=()
  monitor_is_ours || set -- ''
  while read -r cells monitor rate; do
    ((${rate:-0} > 0)) || continue
    [[ -v sides[$monitor] ]] || sides[$monitor]=$(monitor_fact "$monitor" side)
    [[ -z ${sides[$monitor]} ]] || seconds+=$((cells * $(side_seconds "$rate")))
  done <<<"$(cut -d, -f3,4 --output-delimiter=' ' <<<"$1" | sort | uniq -c)"
  echo "$seconds"
}

# How many executions the run launches in all, and at most under one start of a monitor.
sweep_launches() {
  local -i all at_once
  if resume_is_asked; then
    read -r all at_once <<<"$(sweep_plan | resume_rows | sweep_launches_of)"
  else
    at_once=$(sweep_block_launches)
    all=$((at_once * OPTIONS[reps] * $(sweep_blocks)))
  fi
  if auto_is_asked; then
    at_once=$(sweep_block_launches)
    all=$(auto_launches "$all")
  fi
  echo "$all" "$at_once"
}

# sweep_load_seconds RATE: how long a cell launches. What is attached to is not told to leave executions alone.
sweep_load_seconds() {
  local -i seconds
  seconds=$(options_sum warmup duration instrumented load_margin)
  ! monitor_is_ours || (($1 == 0)) || seconds+=$(side_window_seconds "$1")
  echo "$seconds"
}

# The same two numbers, of the rows of a plan on stdin.
sweep_launches_of() {
  local rate seconds=''
  for rate in ${OPTIONS[rates]}; do
    seconds+="$rate $(sweep_load_seconds "$rate") "
  done
  awk -F, -v seconds="$seconds" '
    BEGIN { count = split(seconds, part, " "); for (i = 1; i < count; i += 2) seconds_at[part[i]] = part[i + 1] }
    { launches = $4 * seconds_at[$4]; all += launches; start[$2, $3, $5] += launches; if (start[$2, $3, $5] > most) most = start[$2, $3, $5] }
    END { printf "%d %d\n", all, most }'
}

# How many a block launches in which all rates are measured.
sweep_block_launches() {
  local -i launches=0 rate
  for rate in ${OPTIONS[rates]}; do
    launches+=$((rate * $(sweep_load_seconds "$rate")))
  done
  echo "$launches"
}

# How many blocks a repetition has: the baseline has one for every few monitors.
sweep_blocks() {
  local -i monitors
  monitors=$(wc -w <<<"${OPTIONS[monitors]}")
  ! monitor_is_ours || monitors+=$((monitors / PLAN_MONITORS_PER_BASELINE))
  echo "$monitors"
}

# What a run sends to the monitors that it is attached to, in words.
sweep_sends() {
  local launches
  read -r launches _ <<<"$(sweep_launches)"
  attached_sends "$launches" "${OPTIONS[repeat_disturbed]}"
}

# The plan; then, for as long as the option says and there are any, the cells that the hypervisor disturbed once more. A run that goes on by
# itself has those among what is not known well enough.
sweep_measure() {
  local plan=${OPTIONS[out]}/plan.csv disturbed rows
  local -i pass passes=${OPTIONS[repeat_disturbed]} from=$RESUME_KEPT
  monitor_is_ours || say "$(sweep_sends)."
  rows=$(resume_rows <"$plan")
  say "Time: $(sweep_time "$rows")."
  calibration_make "$rows"
  cores_tell
  auto_begin
  sweep_measure_cells "$rows"
  auto_measured "$rows"
  if auto_is_asked; then
    auto_rounds "$plan"
    return
  fi
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
    [[ -z $cell ]] || ! jq -e '.status == "ok" and (.disturbed or .misplaced)' "$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")/cell.json" >/dev/null ||
      echo "$cell,$rep,$monitor,$rate,$turn"
  done <<<"$1"
}

sweep_cell_folder() {
  echo "${OPTIONS[out]}/cells/$(plan_cell_folder "$@")"
}

# sweep_measure_cells ROWS: of the plan. What an interrupted session has left of a cell is removed first.
sweep_measure_cells() {
  local -i total seconds done=0
  local cell rep monitor rate turn place folder session name block=
  [[ -n $1 ]] || return 0
  total=$(wc -l <<<"$1")
  seconds=$(sweep_seconds "$1")
  session=$(manifest_sessions "${OPTIONS[out]}")
  while IFS=, read -r cell rep monitor rate turn place <&4; do
    name=$rep$(plan_turn_suffix "$turn")
    # Beside what the sessions before have left of this monitor.
    ((session == 1)) || name+=-session$session
    if [[ $block != "$monitor-$name" ]]; then
      block=$monitor-$name
      block_begin "$name"
    fi
    live_step "$done" "$total" $((seconds * (total - done) / total)) "$monitor at $rate/s, repetition $rep"
    folder=$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")
    [[ ! -e $folder ]] || rm -rf -- "$folder"
    block_cell "$folder" "$cell" "$rate" "$monitor" "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn" "$session")" "$place"
    live_cell "$monitor at $rate/s, repetition $rep" "$folder"
    done+=1
  done 4<<<"$(plan_mark_last <<<"$1")"
  block_end
  progress_end
}

# sweep_cell_facts MONITOR RATE REP TURN SESSION
sweep_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" --argjson session "$5" '$ARGS.named'
}

sweep_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --argjson attached "$(monitor_is_ours && echo false || echo true)" \
    --arg rates "${OPTIONS[rates]}" --argjson duration_s "${OPTIONS[duration]}" --argjson instrumented_s "${OPTIONS[instrumented]}" --arg side_s "${OPTIONS[side]}" --argjson syscalls_s "${OPTIONS[syscalls]}" --argjson calibrate_s "${OPTIONS[calibrate]}" --argjson warmup_s "${OPTIONS[warmup]}" \
    --argjson reps "${OPTIONS[reps]}" --argjson repeat_disturbed "${OPTIONS[repeat_disturbed]}" --argjson seed "${OPTIONS[seed]}" --arg journald_audit "${OPTIONS[journald_audit]}" \
    --arg keep_logs "${OPTIONS[keep_logs]}" --argjson auto "$(auto_options_json)" --argjson builds "$(builds_json)" --arg load_cpus "${OPTIONS[load_cpus]}" \
    '$ARGS.named | del(.auto) + .auto | .side_s |= if . == "auto" then . else tonumber end | if .builds == {} then del(.builds) else . end | if .load_cpus == "" then del(.load_cpus) else . end | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
