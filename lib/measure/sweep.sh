# shellcheck shell=bash
# The exec-rate sweep: every monitor at every rate, in passes.

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
    "warmup_s": "warmup", "reps": "reps", "seed": "seed", "journald_audit": "journald_audit",
    "keep_logs": "keep_logs", "precision_percent": "precision", "budget_s": "budget", "builds": "builds", "load_cpus": "load_cpus"}'
}

# The plan as a run begins: its first pass; of a run that goes on, what it has. Further passes are added as they begin.
sweep_plan() {
  local plan=${OPTIONS[out]}/plan.csv
  case ${OPTIONS[goes_on]:-} in
    resume) plan_resume "$plan" <<<"$RESUME_LEFT" ;;
    repeat) cat "$plan" ;;
    *)
      echo "$PLAN_HEADER"
      sweep_pass 1 | plan_number 0
      ;;
  esac
}

# sweep_pass PASS: its rows, without numbers of cells. Before it is known what can be measured here, of all that was asked for.
sweep_pass() {
  local -a monitors=("${RUN_MONITORS[@]}")
  ((${#monitors[@]})) || read -ra monitors <<<"${OPTIONS[monitors]}"
  plan_pass "${OPTIONS[seed]}" "$1" "${OPTIONS[rates]}" "${monitors[@]}"
}

# What is planned and not measured yet, and the passes that certainly follow: all of a run whose passes are counted, at least one of another.
sweep_coming() {
  local plan
  local -i pass begun until
  plan=$(sweep_plan)
  resume_rows <<<"$plan"
  read -r _ begun <<<"$(plan_last /dev/stdin <<<"$plan")"
  until=begun
  if passes_are_counted; then
    until=${OPTIONS[reps]}
  elif [[ ${OPTIONS[goes_on]:-} == repeat ]]; then
    until+=1
  fi
  for ((pass = begun + 1; pass <= until; pass++)); do
    sweep_pass "$pass" | plan_number 0
  done
}

# sweep_seconds ROWS: how long these of the plan will take.
sweep_seconds() {
  local -i seconds cells blocks detailed
  read -r cells blocks detailed <<<"$(awk -F, '
    NF { cells++; blocks += $2 FS $3 FS $5 != before; detailed += NF < 6 || $6; before = $2 FS $3 FS $5 }
    END { print cells + 0, blocks + 0, detailed + 0 }' <<<"$1")"
  seconds=$(plan_seconds "$cells" "$blocks" "$(cell_load_seconds no)")
  seconds+=$((detailed * OPTIONS[instrumented]))
  ! syscalls_is_asked || seconds+=$((blocks * $(syscalls_seconds)))
  [[ ${OPTIONS[side]} == 0 ]] || seconds+=$(sweep_side_seconds "$1")
  echo "$seconds"
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
  done <<<"$(awk -F, 'NF < 6 || $6 { print $3, $4 }' <<<"$1" | sort | uniq -c)"
  echo "$seconds"
}

# How many executions the run launches in all, and at most under one start of a monitor.
sweep_launches() {
  local -i all most
  all=$(sweep_coming | sweep_launches_of)
  if ! passes_are_counted; then
    most=$(tr ' ' '\n' <<<"${OPTIONS[rates]}" | awk -v seconds="${OPTIONS[budget]}" '{ sum += $1 } END { printf "%d", sum / NR * seconds }')
    all=$((all > most ? all : most))
  fi
  echo "$all" "$(sweep_block_launches)"
}

# sweep_load_seconds RATE DETAILED: how long a cell launches, which is detailed or not (1 or 0). What is attached to is not told to leave executions alone.
sweep_load_seconds() {
  local -i seconds
  seconds=$(options_sum warmup duration load_margin)
  if (($2)); then
    seconds+=${OPTIONS[instrumented]}
    ! monitor_is_ours || (($1 == 0)) || seconds+=$(side_window_seconds "$1")
  fi
  echo "$seconds"
}

# How many the rows of a plan on stdin launch.
sweep_launches_of() {
  local rate seconds=''
  for rate in ${OPTIONS[rates]}; do
    seconds+="$rate $(sweep_load_seconds "$rate" 0) $(sweep_load_seconds "$rate" 1) "
  done
  awk -F, -v seconds="$seconds" '
    BEGIN { count = split(seconds, part, " "); for (i = 1; i < count; i += 3) { plain[part[i]] = part[i + 1]; detailed[part[i]] = part[i + 2] } }
    NF { launches += $4 * (NF < 6 || $6 ? detailed[$4] : plain[$4]) }
    END { printf "%d\n", launches }'
}

# How many a block launches at most in which all rates are measured.
sweep_block_launches() {
  local -i launches=0 more most=0 rate
  for rate in ${OPTIONS[rates]}; do
    launches+=$((rate * $(sweep_load_seconds "$rate" 0)))
    more=$((rate * ($(sweep_load_seconds "$rate" 1) - $(sweep_load_seconds "$rate" 0))))
    most=$((more > most ? more : most))
  done
  echo $((launches + most))
}

# What a run sends to the monitors that it is attached to, in words.
sweep_sends() {
  local launches
  read -r launches _ <<<"$(sweep_launches)"
  attached_sends "$launches"
}

sweep_measure() {
  monitor_is_ours || say "$(sweep_sends)."
  say "Time: $(passes_how_long "$(sweep_coming)")."
  cores_tell
  passes_begin
  passes_run "${OPTIONS[out]}/plan.csv"
}

sweep_cell_folder() {
  echo "${OPTIONS[out]}/cells/$(plan_cell_folder "$@")"
}

# sweep_measure_cells ROWS: of the plan. What an interrupted session has left of a cell is removed first.
sweep_measure_cells() {
  local -i total seconds done=0
  local cell rep monitor rate turn detailed place folder session name block=
  [[ -n $1 ]] || return 0
  total=$(wc -l <<<"$1")
  seconds=$(sweep_seconds "$1")
  session=$(manifest_sessions "${OPTIONS[out]}")
  while IFS=, read -r cell rep monitor rate turn detailed place <&4; do
    name=$rep$(plan_turn_suffix "$turn")
    # Beside what the sessions before have left of this monitor.
    ((session == 1)) || name+=-session$session
    if [[ $block != "$monitor-$name" ]]; then
      block=$monitor-$name
      block_begin "$name"
    fi
    live_step "$done" "$total" $((seconds * (total - done) / total)) "pass $rep, $monitor at $rate/s" " of this pass$(sweep_left_of_budget)"
    folder=$(sweep_cell_folder "$monitor" "$rate" "$rep" "$turn")
    [[ ! -e $folder ]] || rm -rf -- "$folder"
    block_cell "$folder" "$cell" "$rate" "$monitor" "$(sweep_cell_facts "$monitor" "$rate" "$rep" "$turn" "$session")" "$place" "$detailed"
    live_cell "pass $rep, $monitor at $rate/s" "$folder"
    done+=1
  done 4<<<"$(awk -F, '{ print $0 (NF < 6 ? ",1" : "") }' <<<"$1" | plan_mark_last)"
  block_end
  progress_end
}

sweep_left_of_budget() {
  local -i left
  passes_are_counted && return
  left=$(passes_seconds_left)
  echo ", $(progress_duration $((left > 0 ? left : 0))) of --budget"
}

# sweep_cell_facts MONITOR RATE REP TURN SESSION
sweep_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" --argjson session "$5" '$ARGS.named'
}

sweep_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --argjson attached "$(monitor_is_ours && echo false || echo true)" \
    --arg rates "${OPTIONS[rates]}" --argjson duration_s "${OPTIONS[duration]}" --argjson instrumented_s "${OPTIONS[instrumented]}" --arg side_s "${OPTIONS[side]}" --argjson syscalls_s "${OPTIONS[syscalls]}" --argjson warmup_s "${OPTIONS[warmup]}" \
    --argjson reps "${OPTIONS[reps]:-null}" --argjson seed "${OPTIONS[seed]}" --arg journald_audit "${OPTIONS[journald_audit]}" \
    --arg keep_logs "${OPTIONS[keep_logs]}" --argjson passes "$(passes_options_json)" --argjson builds "$(builds_json)" --arg load_cpus "${OPTIONS[load_cpus]}" \
    '$ARGS.named | del(.passes) + .passes | .side_s |= if . == "auto" then . else tonumber end | if .builds == {} then del(.builds) else . end | if .load_cpus == "" then del(.load_cpus) else . end | .monitors |= split(" ") | .rates |= (split(" ") | map(tonumber))'
}
