# shellcheck shell=bash
# How much each monitor takes before it loses events. A search is one start of one monitor under one combination of limits
# and knobs, from the first round to the highest rate that it holds. Its rounds are cells as those of the sweep.

saturate_main() {
  RUN_KIND=saturate
  saturate_options "$@"
  host_require_root "exectax saturate" "it changes audit rules, cgroups and services, and puts them back"
  if [[ $DRY_RUN == yes ]]; then
    run_find_runnable
    saturate_plan | mlr --icsv --opprint cat
    return
  fi
  export MONITOR_ACTIONS=$ACTIONS
  # Actions other than exec have their tag where the kernel leaves 15 characters.
  [[ $ACTIONS == exec ]] || RUN_TAG=x$(od -An -N2 -tx2 /dev/urandom | tr -d ' ')
  run_main saturate "$@"
}

# Why MONITOR can't be saturated here, on one line; nothing when it can.
saturate_obstacles() {
  local action actions
  if [[ $(monitor_fact "$1" records) == nothing ]]; then
    echo "records nothing that could be lost"
    return
  fi
  actions=$(monitor_fact "$1" actions)
  for action in $ACTIONS; do
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
  local -i top=25000 start
  [[ $ACTIONS != exec ]] || top=2500
  top=$((top * $(nproc)))
  start=$((4 * (MAX_RATE < top ? MAX_RATE : top) * (WARMUP + DURATION + LOAD_MARGIN_SECONDS)))
  echo $((start * REPEAT * $(wc -w <<<"$MONITORS") * $(wc -w <<<"$LIMIT_CPUS") * $(wc -w <<<"$LIMIT_MEMORY"))) "$start"
}

# CSV `search,rep,test,monitor,cpus,memory,knobs`, in a new order in each repetition. test names the combination.
saturate_plan() {
  local rep line
  local -i search=0
  local -a order runnable
  saturate_find_runnable
  RANDOM=$SEED
  echo "search,rep,test,monitor,cpus,memory,knobs"
  for ((rep = 1; rep <= REPEAT; rep++)); do
    order=("${runnable[@]}")
    plan_shuffle
    for line in "${order[@]}"; do
      search+=1
      echo "$search,$rep,$line"
    done
  done
}

# Sets runnable, of all combinations those that can run here: a knob's value can ask for more than its monitor does.
saturate_find_runnable() {
  local line test monitor cpus memory knobs reason
  local -a combinations
  runnable=()
  split_lines combinations "$(saturate_combinations)"
  for line in "${combinations[@]}"; do
    IFS=, read -r test monitor cpus memory knobs <<<"$line"
    reason=$(KNOBS=$knobs && saturate_set_knobs && monitor_obstacles "$monitor")
    if [[ -n $reason ]]; then
      SKIPPED[$test]=$reason
      say "Skipping $test: $reason"
    else
      runnable+=("$line")
    fi
  done
}
declare -gA SKIPPED

# Every monitor under every limit with all its knobs: `test,monitor,cpus,memory,knobs` a line, - is no limit.
saturate_combinations() {
  local monitor cpus memory knobs test
  for monitor in "${RUNNABLE[@]}"; do
    for cpus in $LIMIT_CPUS; do
      for memory in $LIMIT_MEMORY; do
        saturate_knobs "$monitor" | while IFS= read -r knobs; do
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

# saturate_knobs MONITOR: every combination of the values asked for, of those knobs that it has: `knob=value knob=value` a line.
saturate_knobs() {
  local knob value line
  local -a lines=("") longer knobs
  split_lines knobs "$(printf '%s\n' "${!VARY[@]}" | sort)"
  for knob in "${knobs[@]}"; do
    if [[ -z $knob ]] || ! monitor_has_knob "$1" "$knob"; then
      continue
    fi
    longer=()
    for line in "${lines[@]}"; do
      for value in ${VARY[$knob]}; do
        longer+=("${line:+$line }$knob=$value")
      done
    done
    lines=("${longer[@]}")
  done
  printf '%s\n' "${lines[@]}"
}

saturate_options_json() {
  jq -n --arg monitors "$MONITORS" --arg actions "$ACTIONS" --argjson start_per_sec "$START" --argjson max_per_sec "$MAX_RATE" \
    --argjson round_s "$ROUND" --argjson load_s $((WARMUP + DURATION + INSTRUMENTED + LOAD_MARGIN_SECONDS)) --argjson precision_percent "$PRECISION" --argjson reps "$REPEAT" --argjson seed "$SEED" \
    --arg limit_cpus "$LIMIT_CPUS" --arg limit_memory "$LIMIT_MEMORY" --arg journald_audit "$JOURNALD_AUDIT" \
    '$ARGS.named | .monitors |= split(" ") | .actions |= split(" ")'
}

saturate_measure() {
  local search rep test monitor cpus memory knobs limit problem
  for limit in cpus memory; do
    [[ $RUN_LIMITS == no ]] || problem=$(limits_problem "$limit")
    [[ -z ${problem:-} ]] || die "$problem"
  done
  SEARCHES=$(($(wc -l <"$OUT/plan.csv") - 1))
  ((SEARCHES)) || die "none of these monitors can run here as it was asked for (see above)"
  saturate_ceilings
  CELL=0
  while IFS=, read -r search rep test monitor cpus memory knobs <&4; do
    SEARCH=$search REP=$rep TEST=$test MONITOR=$monitor CPUS=$cpus MEMORY=$memory KNOBS=$knobs
    saturate_search
  done 4<<<"$(tail -n +2 "$OUT/plan.csv")"
  progress_clear
}
declare -gi CELL

# What the load reaches without a monitor: of each action alone, and of the mix.
saturate_ceilings() {
  local action
  local -a each
  read -ra each <<<"$ACTIONS"
  ((${#each[@]} == 1)) || each+=("${ACTIONS// /,}")
  for action in "${each[@]}"; do
    say "Without a monitor: $action"
    host_spawn load "$BUILD/execrate" --max --action "$action" --duration "$ROUND" --tag "$RUN_TAG.0" --json "$OUT/ceiling-${action//,/-}.json"
    wait_for_pid $! $((ROUND + CELL_END_SECONDS)) || die "the load generator can't do $action here (see above)"
  done
}

saturate_search() {
  run_begin_block
  saturate_set_knobs
  limits_set "$CPUS" "$MEMORY" || die "the kernel does not take the limits cpus=$CPUS memory=$MEMORY"
  ROUNDS=0
  search_lossless saturate_round "$START" "$MAX_RATE" "$PRECISION"
  [[ $RUN_MONITOR_RUNS == no ]] || run_stop_monitor
  limits_lift
}

# The search's knobs, and no other's, for the monitor's script (see `knob` in lib/monitor/call.sh).
saturate_set_knobs() {
  local knob pair
  local -a given
  for knob in "${!VARY[@]}"; do
    unset "EXECTAX_KNOB_${knob^^}"
  done
  read -ra given <<<"$KNOBS"
  for pair in "${given[@]}"; do
    knob=${pair%%=*}
    export "EXECTAX_KNOB_${knob^^}"="${pair#*=}"
  done
}
declare -gi ROUNDS

# saturate_round RATE ramp|bisect: sets ROUND_VERDICT (see lib/measure/search.sh).
saturate_round() {
  local rate=$1 phase=$2 dir recorded
  ROUNDS+=1 CELL+=1
  dir=$OUT/cells/$TEST/$REP-$(printf '%02d' "$ROUNDS")
  mkdir -p "$dir"
  progress_step $((SEARCH - 1)) "$SEARCHES" $(((SEARCHES - SEARCH + 1) * 12 * (ROUND + 6))) "$TEST at $rate/s, repetition $REP"
  limits_counters_json >"$dir/limits-before.json"
  run_cell "$dir" "$CELL" "$rate" "$MONITOR" "search-$SEARCH" "$(saturate_round_facts "$rate" "$phase")"
  limits_counters_json >"$dir/limits-after.json"
  ROUND_VERDICT=failed
  if [[ $CELL_STATUS == not-ready || $CELL_COUNTABLE == no || ! -s $dir/load.json ]]; then
    return 0
  fi
  recorded=$(saturate_recorded "$dir") || return 0
  ROUND_VERDICT=$(jq -r --argjson recorded "$recorded" \
    'if .launched > $recorded then "lossy" elif .achieved_hz < 0.99 * .rate_hz then "unreached" else "clean" end' "$dir/load.json")
}

# saturate_round_facts RATE PHASE
saturate_round_facts() {
  jq -nc --arg test "$TEST" --arg monitor "$MONITOR" --argjson exec_per_sec "$1" --argjson rep "$REP" --argjson search "$SEARCH" \
    --argjson round "$ROUNDS" --arg phase "$2" --arg cpus "$CPUS" --arg memory "$MEMORY" --arg knobs "$KNOBS" '$ARGS.named'
}

# How many of the round's events are recorded by now. Where some are missing, others are made to follow them: a monitor that
# fills a buffer before it writes has its last records in it. 1 if the log can't be read.
saturate_recorded() {
  local dir=$1 tag=$RUN_TAG.$CELL
  local launched recorded
  if [[ $MONITOR_RECORDS == count ]]; then
    jq .recorded "$dir/count.json"
    return
  fi
  launched=$(jq .launched "$dir/load.json")
  recorded=$(cells_count_tags "$tag" | awk '{ print $2 }') || return 1
  if ((${recorded:-0} < launched)) && monitor_is_alive; then
    "$BUILD/execrate" --rate 100 --duration 1 --json /dev/null
    pause 1
    recorded=$(cells_count_tags "$tag" | awk '{ print $2 }') || return 1
  fi
  echo "${recorded:-0}"
}
