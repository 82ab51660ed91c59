# shellcheck shell=bash
# How much each monitor takes before it loses events. A search is one start of one monitor under one combination of limits
# and knobs, from the first round to the highest rate that it holds. Its rounds are cells as those of the sweep.

# The number of the last round or soak of the run, and of the last round of the search that is under way.
SATURATE_CELLS=0
SATURATE_ROUNDS=0
# The highest rate that a round of this search has reached without loss, a whole number.
SATURATE_LOSSLESS=0
# A soak is at so many % of it.
SATURATE_SOAK_PERCENT=80
# So many events follow a round of which records are missing, in a second.
SATURATE_FOLLOWING_EVENTS=100

# Why MONITOR can't be saturated here, on one line; nothing when it can.
saturate_obstacles() {
  local action actions
  if [[ $(monitor_fact "$1" records) == nothing ]]; then
    echo "records nothing that could be lost"
    return
  fi
  actions=$(monitor_fact "$1" actions)
  for action in ${OPTIONS[actions]}; do
    if [[ " $actions " != *" $action "* ]]; then
      echo "is not made to record $action here, only: $actions"
      return
    fi
  done
  monitor_obstacles "$1"
}

# How many events the run makes in all, and at most under one start of a monitor. Of rates beyond what a CPU can do, little is
# reached; doubling up to one and looking for it takes about four times its own round.
saturate_launches() {
  if ! monitor_is_ours; then
    saturate_attached_launches
    return
  fi
  local -i top=25000 highest=${OPTIONS[max_rate]} soak=${OPTIONS[soak]} searches start
  [[ ${OPTIONS[actions]} != exec ]] || top=2500
  top=$((top * $(nproc)))
  top=$((highest < top ? highest : top))
  start=$((4 * top * $(cell_load_seconds) + top * soak * SATURATE_SOAK_PERCENT / 100))
  if resume_is_asked; then
    searches=$(awk NF <<<"$RESUME_LEFT" | wc -l)
  else
    searches=$((OPTIONS[repeat] * $(wc -w <<<"${OPTIONS[monitors]}") * $(wc -w <<<"${OPTIONS[limit_cpus]}") * $(wc -w <<<"${OPTIONS[limit_memory]}")))
  fi
  echo $((start * searches)) "$start"
}

# The same two numbers, of which nothing is more: all rates on the way up to the highest, then as many rounds near that one as halve the interval
# until it is narrow enough, what a round is followed by where records are missing, and the soak. All of them have the events of all searches.
saturate_attached_launches() {
  local -i rate highest=${OPTIONS[max_rate]} rates=0 rounds=0 halvings=1 percent search soak=${OPTIONS[soak]}
  for ((rate = OPTIONS[start]; ; rate = rate * 2 < highest ? rate * 2 : highest)); do
    rates+=rate rounds+=1
    ((rate < highest)) || break
  done
  for ((percent = 100; percent > OPTIONS[precision]; percent = (percent + 1) / 2)); do
    halvings+=1
  done
  search=$(((rates + halvings * highest) * $(cell_load_seconds) + (rounds + halvings) * SATURATE_FOLLOWING_EVENTS))
  ((soak == 0)) || search+=$((highest * ($(options_sum soak warmup load_margin instrumented)) * SATURATE_SOAK_PERCENT / 100))
  echo $((search * OPTIONS[repeat] * ${#ATTACHED_NAMES[@]})) "$search"
}

# What a run sends to the monitors that it is attached to, in words.
saturate_sends() {
  local launches
  read -r launches _ <<<"$(saturate_attached_launches)"
  attached_sends "$launches" "at most $launches events of the load"
}

# CSV `search,rep,test,monitor,cpus,memory,knobs`, in a new order in each repetition. test names the combination. That of a run that goes on stays
# as it is, since no search is compared with the one beside it.
saturate_plan() {
  local line
  local -i search=0 rep repeat=${OPTIONS[repeat]}
  local -a order runnable
  if resume_is_asked; then
    cat "${OPTIONS[out]}/plan.csv"
    return
  fi
  saturate_find_combinations runnable
  RANDOM=${OPTIONS[seed]}
  echo "search,rep,test,monitor,cpus,memory,knobs"
  for ((rep = 1; rep <= repeat; rep++)); do
    order=("${runnable[@]}")
    plan_shuffle order
    for line in "${order[@]}"; do
      search+=1
      echo "$search,$rep,$line"
    done
  done
}

# saturate_find_combinations ARRAY: of all combinations those that can run here: a knob's value can ask for more than its monitor does.
saturate_find_combinations() {
  local -n find_combinations_array=$1
  local line test monitor knobs reason
  local -a all
  find_combinations_array=()
  if ! monitor_is_ours; then
    split_lines find_combinations_array "$(saturate_attached_combinations)"
    return
  fi
  split_lines all "$(saturate_combinations)"
  for line in "${all[@]}"; do
    IFS=, read -r test monitor _ _ knobs <<<"$line"
    reason=$(saturate_set_knobs "$knobs" && monitor_obstacles "$monitor")
    if [[ -n $reason ]]; then
      run_skip "$test" "$reason"
    else
      find_combinations_array+=("$line")
    fi
  done
}

# Every monitor under every limit with all its knobs: `test,monitor,cpus,memory,knobs` a line, - is no limit.
saturate_combinations() {
  local monitor cpus memory knobs test
  local -a lines
  for monitor in "${RUN_MONITORS[@]}"; do
    # Without knobs there is one line, which is empty.
    mapfile -t lines <<<"$(saturate_knobs "$monitor")"
    for cpus in ${OPTIONS[limit_cpus]}; do
      for memory in ${OPTIONS[limit_memory]}; do
        for knobs in "${lines[@]}"; do
          test=$monitor
          [[ $cpus == - ]] || test+="+cpus=$cpus"
          [[ $memory == - ]] || test+="+memory=$memory"
          [[ -z $knobs ]] || test+="+${knobs// /+}"
          echo "$test,$monitor,$cpus,$memory,$knobs"
        done
      done
    done
  done
}

# What is attached to, under the limits that it has now.
saturate_attached_combinations() {
  local name limits
  for name in "${RUN_MONITORS[@]}"; do
    limits=$(attached_limits "$name")
    echo "$name,$name,${limits/ /,},"
  done
}

# saturate_varied: the knobs that were asked for, one a line.
saturate_varied() {
  local option
  for option in "${!OPTIONS[@]}"; do
    [[ $option != vary_* ]] || echo "${option#vary_}"
  done | sort
}

# saturate_knobs MONITOR: every combination of the values asked for, of those knobs that it has: `knob=value knob=value` a line.
saturate_knobs() {
  local knob value line
  local -a lines=("") longer varied
  split_lines varied "$(saturate_varied)"
  for knob in "${varied[@]}"; do
    monitor_has_knob "$1" "$knob" || continue
    longer=()
    for line in "${lines[@]}"; do
      for value in ${OPTIONS[vary_$knob]}; do
        longer+=("${line:+$line }$knob=$value")
      done
    done
    lines=("${longer[@]}")
  done
  printf '%s\n' "${lines[@]}"
}

# saturate_rows: of the plan on stdin, the searches that are to be made: all, unless the run goes on.
saturate_rows() {
  if resume_is_asked; then
    awk -F, -v left="$(paste -sd ' ' <<<"$RESUME_LEFT")" 'BEGIN { split(left, numbers, " "); for (i in numbers) is_left[numbers[i]] } $1 in is_left'
  else
    tail -n +2
  fi
}

# saturate_find_left RUN: the searches of its plan that did not come to their end, or of which a round is missing or can't be read. What a round
# has recorded is known when the search is over, so one that was cut off is made again from its first round on.
saturate_find_left() (
  local rounds
  rounds=$(view_table "$1" rounds.csv) || exit 1
  mlr --icsv --ojson cut -f search,search_rounds,status <<<"$rounds" | jq -s 'flatten | group_by(.search)[]
    | select(all(.status != "unreadable") and length == (map(.search_rounds | numbers) | max)) | .[0].search' |
    awk -F, 'FILENAME != ARGV[2] { is_complete[$1]; next } FNR > 1 && !($1 in is_complete) { print $1 }' - "$1/plan.csv"
)

# What the plan can have, `test,monitor,cpus,memory,knobs` a line.
saturate_asked() {
  saturate_combinations
}

# What options of the manifest are called here; null: not taken from there.
saturate_option_names() {
  echo '{"monitors": "monitors", "attached": null, "actions": "action", "start_per_sec": "start", "max_per_sec": "max_rate", "round_s": "round", "load_s": null,
    "precision_percent": "precision", "reps": "repeat", "seed": "seed", "soak_s": "soak", "soak_percent": null, "profile": "profile", "limit_cpus": "limit_cpus",
    "limit_memory": "limit_memory", "journald_audit": "journald_audit", "keep_logs": "keep_logs", "vary": "vary", "load_cpus": "load_cpus"}'
}

saturate_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --arg actions "${OPTIONS[actions]}" --argjson start_per_sec "${OPTIONS[start]}" --argjson max_per_sec "${OPTIONS[max_rate]}" \
    --argjson round_s "${OPTIONS[round]}" --argjson load_s "$(cell_load_seconds)" --argjson precision_percent "${OPTIONS[precision]}" --argjson reps "${OPTIONS[repeat]}" --argjson seed "${OPTIONS[seed]}" \
    --argjson soak_s "${OPTIONS[soak]}" --argjson soak_percent "$SATURATE_SOAK_PERCENT" --arg profile "${OPTIONS[profile]}" \
    --arg limit_cpus "${OPTIONS[limit_cpus]}" --arg limit_memory "${OPTIONS[limit_memory]}" --arg journald_audit "${OPTIONS[journald_audit]}" \
    --arg keep_logs "${OPTIONS[keep_logs]}" --argjson vary "$(saturate_varied_json)" \
    --arg load_cpus "${OPTIONS[load_cpus]}" --argjson attached "$(monitor_is_ours && echo false || echo true)" \
    '$ARGS.named | .monitors |= split(" ") | .actions |= split(" ") | if .profile == "" then .profile = null else . end
      | if .attached then . else del(.attached) end | if .load_cpus == "" then del(.load_cpus) else . end'
}

# saturate_varied_json: the knobs that were asked for, each with its values.
saturate_varied_json() {
  local knob
  for knob in $(saturate_varied); do
    jq -nc --arg knob "$knob" --arg values "${OPTIONS[vary_$knob]}" '{($knob): ($values | split(" "))}'
  done | jq -sc 'add // {}'
}

saturate_measure() {
  local search rep test monitor cpus memory knobs limit problem facts rows session
  local -i searches left
  monitor_is_ours || say "$(saturate_sends)."
  for limit in cpus memory; do
    [[ ${OPTIONS[limits]} != yes ]] || problem=$(limits_problem "$limit")
    [[ -z ${problem:-} ]] || die "$problem"
  done
  (($(wc -l <"${OPTIONS[out]}/plan.csv") > 1)) || die "none of these monitors can run here with the given options (see above)"
  [[ -z ${OPTIONS[profile]} ]] || published_keep "${OPTIONS[profile]}" "${OPTIONS[out]}"
  rows=$(saturate_rows <"${OPTIONS[out]}/plan.csv")
  [[ -n $rows ]] || return 0
  searches=$(wc -l <<<"$rows") left=searches
  session=$(manifest_sessions "${OPTIONS[out]}")
  saturate_go_on_counting
  ! monitor_is_ours || saturate_ceilings
  while IFS=, read -r search rep test monitor cpus memory knobs <&4; do
    saturate_clear "$test" "$rep"
    # Beside what the sessions before have left of this search.
    block_begin "search-$search$( ((session == 1)) || echo "-session$session")"
    saturate_set_knobs "$knobs"
    ! monitor_is_ours || limits_set "$cpus" "$memory" || die "the kernel rejects the limits cpus=$cpus memory=$memory"
    SATURATE_ROUNDS=0 SATURATE_LOSSLESS=0
    facts=$(saturate_search_facts "$search" "$rep" "$test" "$monitor" "$cpus" "$memory" "$knobs" "$session")
    search_lossless "${OPTIONS[start]}" "${OPTIONS[max_rate]}" "${OPTIONS[precision]}" \
      saturate_round "$test" "$rep" "$monitor" "$left/$searches" "$facts"
    [[ ${OPTIONS[soak]} == 0 ]] || saturate_soak "$test" "$rep" "$monitor" "$left/$searches" "$facts"
    block_end
    ! monitor_is_ours || limits_lift
    saturate_note_end "$(saturate_round_folder "$test" "$rep")"
    left=$((left - 1))
  done 4<<<"$rows"
}

# Rounds and soaks of sessions before keep their numbers.
saturate_go_on_counting() {
  SATURATE_CELLS=$(find "${OPTIONS[out]}/cells" "${OPTIONS[out]}/soaks" -mindepth 3 -maxdepth 3 -name cell.json -exec sed -nE 's/^.*"cell": *([0-9]+).*$/\1/p' {} + 2>/dev/null | sort -n | tail -n 1 || true)
  SATURATE_CELLS=${SATURATE_CELLS:-0}
}

# saturate_clear TEST REP: what is left of such a search that was cut off.
saturate_clear() {
  rm -rf -- "${OPTIONS[out]}/cells/$1/$2"-[0-9]* "${OPTIONS[out]}/soaks/$1/$2"
}

# saturate_note_end DIR: the round in DIR was the last one of its search, all of which has been counted.
saturate_note_end() {
  jq --argjson search_rounds "$SATURATE_ROUNDS" '. + $ARGS.named' "$1/cell.json" >"$1/cell.json.new" && mv "$1/cell.json.new" "$1/cell.json"
}

# saturate_round_folder TEST REP: of the round that is under way.
saturate_round_folder() {
  printf '%s/cells/%s/%s-%02d\n' "${OPTIONS[out]}" "$1" "$2" "$SATURATE_ROUNDS"
}

# What the load reaches without a monitor: of each action alone, and of the mix; as far as no session before has measured it. A load that had no
# room for more launches (status 3) has told so, and its rate is that of the time until then.
saturate_ceilings() {
  local action file status
  local -a each
  read -ra each <<<"${OPTIONS[actions]}"
  ((${#each[@]} == 1)) || each+=("${OPTIONS[actions]// /,}")
  for action in "${each[@]}"; do
    file=${OPTIONS[out]}/ceiling-${action//,/-}.json
    ! jq -en 'input.achieved_hz' "$file" >/dev/null 2>&1 || continue
    say "Without a monitor: $action"
    host_spawn load "$BUILD/execrate" ${OPTIONS[load_cpus]:+--cpus "${OPTIONS[load_cpus]}"} --max --action "$action" --duration "${OPTIONS[round]}" --tag "$BLOCK_TAG.0" --json "$file"
    status=0
    wait_for_pid $! $(($(options_sum round) + CELL_END_SECONDS)) || status=$?
    ((status == 0 || status == 3)) || die "the load generator can't do $action here (see above)"
  done
}

# saturate_set_knobs "KNOB=VALUE ...": these, and no other search's, for the monitor's script (see `knob` in lib/monitor/call.sh).
saturate_set_knobs() {
  local knob pair
  local -a given
  for knob in $(saturate_varied); do
    unset "EXECTAX_KNOB_${knob^^}"
  done
  read -ra given <<<"$1"
  for pair in "${given[@]}"; do
    knob=${pair%%=*}
    export "EXECTAX_KNOB_${knob^^}"="${pair#*=}"
  done
}

# saturate_search_facts SEARCH REP TEST MONITOR CPUS MEMORY KNOBS SESSION: what each of its rounds has in common.
saturate_search_facts() {
  jq -nc --argjson search "$1" --argjson rep "$2" --arg test "$3" --arg monitor "$4" --arg cpus "$5" --arg memory "$6" --arg knobs "$7" --argjson session "$8" '$ARGS.named'
}

# saturate_round TEST REP MONITOR LEFT/SEARCHES FACTS RATE ramp|bisect: measures at RATE, and tells the search how it went.
saturate_round() {
  local test=$1 rep=$2 monitor=$3 left=$4 facts=$5 rate=$6 phase=$7 dir
  SATURATE_ROUNDS=$((SATURATE_ROUNDS + 1)) SATURATE_CELLS=$((SATURATE_CELLS + 1))
  dir=$(saturate_round_folder "$test" "$rep")
  mkdir -p "$dir"
  saturate_show_progress "$left" "$test at $rate/s, repetition $rep"
  saturate_cell "$dir" "$rate" "$monitor" "$(jq -c --argjson round "$SATURATE_ROUNDS" --arg phase "$phase" '. + $ARGS.named' <<<"$facts")"
  live_cell "$test at $rate/s, repetition $rep" "$dir"
  search_verdict "$(saturate_verdict "$dir" "$BLOCK_TAG.$SATURATE_CELLS")"
  saturate_note_lossless "$dir"
}

# saturate_cell DIR RATE MONITOR WHAT: one cell, with what the limits did meanwhile, and under which start of the monitor it was.
saturate_cell() {
  local dir=$1 rate=$2 monitor=$3 what=$4
  monitor_limit_counters "$monitor" >"$dir/limits-before.json"
  block_cell "$dir" "$SATURATE_CELLS" "$rate" "$monitor" "$(jq -c --argjson exec_per_sec "$rate" '. + $ARGS.named' <<<"$what")"
  monitor_limit_counters "$monitor" >"$dir/limits-after.json"
  jq --argjson start "$BLOCK_STARTS" '. + $ARGS.named' "$dir/cell.json" >"$dir/cell.json.new" && mv "$dir/cell.json.new" "$dir/cell.json"
}

# saturate_note_lossless DIR: of the round in DIR that has just been looked at. No rate above one that loses is ever tried again.
saturate_note_lossless() {
  local -i reached
  [[ $SEARCH_VERDICT == clean || $SEARCH_VERDICT == unreached ]] || return 0
  reached=$(jq '.achieved_hz | floor' "$1/load.json")
  ((reached <= SATURATE_LOSSLESS)) || SATURATE_LOSSLESS=$reached
}

# saturate_soak TEST REP MONITOR LEFT/SEARCHES FACTS: nearly what it took for a round, for as long as --soak says, under the same start of
# the monitor.
saturate_soak() {
  local test=$1 rep=$2 monitor=$3 left=$4 dir what
  local -i rate=$((SATURATE_LOSSLESS * SATURATE_SOAK_PERCENT / 100))
  SATURATE_CELLS=$((SATURATE_CELLS + 1))
  dir=${OPTIONS[out]}/soaks/$test/$rep
  mkdir -p "$dir"
  what=$(jq -c --argjson lossless_per_sec "$SATURATE_LOSSLESS" '. + $ARGS.named + {phase: "soak"}' <<<"$5")
  if ((rate == 0)); then
    cell_not_ready "no rate without loss was found, so there is none to soak at"
    cell_write_outcome "$dir" "$SATURATE_CELLS" "$(jq -c '. + {exec_per_sec: 0}' <<<"$what")"
    return
  fi
  saturate_show_progress "$left" "$test at $rate/s for ${OPTIONS[soak]} s, repetition $rep"
  options_set duration "${OPTIONS[soak]}"
  options_set read_every "$(saturate_read_every "${OPTIONS[soak]}")"
  saturate_cell "$dir" "$rate" "$monitor" "$what"
  live_cell "$test at $rate/s for ${OPTIONS[soak]} s, repetition $rep" "$dir"
  options_set duration "${OPTIONS[round]}"
  options_set read_every ''
}

# saturate_read_every SECONDS: how often memory is read in a soak of that length. A short one would not have enough readings once a second.
saturate_read_every() {
  if (($1 < 60)); then
    echo 0.1
  else
    echo 1
  fi
}

# saturate_show_progress LEFT/SEARCHES TEXT: a search takes about twelve rounds.
saturate_show_progress() {
  local -i left=${1%/*} searches=${1#*/} round=${OPTIONS[round]} soak=${OPTIONS[soak]}
  live_step $((searches - left)) "$searches" $((left * (12 * (round + 6) + (soak ? soak + 6 : 0)))) "$2"
}

# saturate_verdict DIR TAG: of the round in DIR, as search_verdict takes it.
saturate_verdict() {
  local recorded
  if [[ $CELL_STATUS == not-ready || $CELL_COUNTABLE == no || ! -s $1/load.json ]] || ! recorded=$(saturate_recorded "$@"); then
    echo failed
  else
    jq -r --argjson recorded "$recorded" \
      'if .launched > $recorded then "lossy" elif .reached then "clean" else "unreached" end' "$1/load.json"
  fi
}

# saturate_recorded DIR TAG: how many of the round's events are recorded by now. Where some are missing, others are made to follow
# them: a monitor that fills a buffer before it writes has its last records in it. 1 if the log can't be read.
saturate_recorded() {
  local dir=$1 tag=$2
  local launched recorded
  if [[ $MONITOR_RECORDS == count ]]; then
    jq .recorded "$dir/count.json"
    return
  fi
  launched=$(jq .launched "$dir/load.json")
  recorded=$(logs_count_tags "$tag" | awk '{ print $2 }') || return 1
  if ((${recorded:-0} < launched)) && monitor_is_alive; then
    "$BUILD/execrate" --rate "$SATURATE_FOLLOWING_EVENTS" --duration 1 --json /dev/null
    pause 1
    recorded=$(logs_count_tags "$tag" | awk '{ print $2 }') || return 1
  fi
  echo "${recorded:-0}"
}
