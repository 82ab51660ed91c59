# shellcheck shell=bash
# What rules cost: each monitor with several kinds and numbers of rules added to its own, at one rate. Rules are read at the start, so
# every cell is a block. What is a monitor in the plan of a sweep is a test here: MONITOR+KIND=COUNT, or MONITOR alone if nothing is added. A set of
# rules (lib/measure/rulesets.sh) is a kind of its own, of which there is one number.

# Why MONITOR can't be measured here with rules added, on one line; nothing when it can.
rules_obstacles() {
  if [[ $1 != none ]] && rulesets_is_asked && [[ -z $(rules_kinds_of "$1") ]]; then
    echo "takes no sets of rules for $RULESETS_FORMAT"
  elif [[ $1 != none && -z $(rules_kinds_of "$1") ]]; then
    echo "no rules of these kinds can be added to its own, only: $(monitor_fact "$1" rules | grep . || echo none)"
  else
    monitor_obstacles "$1"
  fi
}

# rules_kinds_of MONITOR: those of the run's kinds that it has, one a line.
rules_kinds_of() {
  local kind has
  if rulesets_is_asked; then
    [[ $(monitor_fact "$1" sets) != "$RULESETS_FORMAT" ]] || echo "${OPTIONS[kinds]}"
    return
  fi
  has=$(monitor_fact "$1" rules)
  for kind in ${OPTIONS[kinds]}; do
    [[ " $has " != *" $kind "* ]] || echo "$kind"
  done
}

# CSV `cell,rep,monitor,rate,turn`, as of a sweep, of tests. turn counts those of one test in a repetition. Of a run that goes on, that of the run before
# as well.
rules_plan() {
  local test
  local -i cell=0 rep reps=${OPTIONS[reps]}
  local -a order
  local -A turns
  if resume_is_asked; then
    plan_resume "${OPTIONS[out]}/plan.csv" <<<"$RESUME_LEFT"
    return
  fi
  RANDOM=${OPTIONS[seed]}
  echo "cell,rep,monitor,rate,turn"
  for ((rep = 1; rep <= reps; rep++)); do
    turns=()
    rules_order order
    for test in "${order[@]}"; do
      turns[$test]=$((${turns[$test]:-0} + 1))
      cell+=1
      echo "$cell,$rep,$test,${OPTIONS[rate]},${turns[$test]}"
    done
  done
}

# rules_find_left RUN: besides what lacks figures, cells of which it was not looked to the end whether the rules were in force: start_ms is noted last.
rules_find_left() {
  resume_find_left "$1" "\$status == \"ok\" && is_empty(\$start_ms)"
}

# What the plan can have, `test,rate` a line, without the numbers of rules.
rules_asked() {
  local monitor kind
  for monitor in ${OPTIONS[monitors]}; do
    echo "$monitor,${OPTIONS[rate]}"
    for kind in ${OPTIONS[kinds]}; do
      echo "$monitor+$kind,${OPTIONS[rate]}"
    done
  done
}

# What options of the manifest are called here.
rules_option_names() {
  echo '{"monitors": "monitors", "kinds": "kinds", "counts": "counts", "rate_per_sec": "rate", "duration_s": "duration", "instrumented_s": "instrumented", "side_s": "side",
    "syscalls_s": "syscalls", "warmup_s": "warmup", "reps": "reps", "seed": "seed", "journald_audit": "journald_audit", "keep_logs": "keep_logs", "set": "set", "mix": "mix",
    "login_uid": "login_uid"}'
}

# rules_counts_of MONITOR: the run's numbers of rules above 0, one a line. A monitor that takes no more than so many has that number in place of all
# that are higher.
rules_counts_of() {
  local most
  local -i count
  most=$(monitor_fact "$1" rules_max)
  for count in ${OPTIONS[counts]#0 }; do
    echo $((count > ${most:-count} ? most : count))
  done | uniq
}

# rules_order ARRAY: the tests of one repetition: those with rules in a new order, and among every few of them one with nothing added, of which
# each monitor has as many as kinds. The baseline, which all monitors share, is there as often as the one with the most kinds.
rules_order() {
  local -n rules_order_array=$1
  local monitor kind count
  local -i shared=0 groups i from to
  local -a kinds counts added=() bare=() group
  for monitor in "${RUN_MONITORS[@]}"; do
    [[ $monitor != none ]] || continue
    split_lines kinds "$(rules_kinds_of "$monitor")"
    split_lines counts "$(rules_counts_of "$monitor")"
    ((${#kinds[@]} <= shared)) || shared=${#kinds[@]}
    for kind in "${kinds[@]}"; do
      bare+=("$monitor")
      for count in "${counts[@]}"; do
        added+=("$monitor+$kind=$count")
      done
    done
  done
  plan_shuffle added
  plan_shuffle bare
  groups=${#bare[@]}
  rules_order_array=()
  for ((i = 0; i < groups; i++)); do
    from=$((i * ${#added[@]} / groups)) to=$(((i + 1) * ${#added[@]} / groups))
    group=("${bare[i]}" "${added[@]:from:to-from}")
    ((i * shared / groups == (i + 1) * shared / groups)) || group+=(none)
    plan_shuffle group
    rules_order_array+=("${group[@]}")
  done
}

# rules_split TEST: `MONITOR KIND COUNT`; `MONITOR - 0` if nothing is added.
rules_split() {
  local rest=${1#*+}
  if [[ $1 == *+* ]]; then
    echo "${1%%+*} ${rest%=*} ${rest##*=}"
  else
    echo "$1 - 0"
  fi
}

# rules_seconds ROWS: how long these of the plan will take.
rules_seconds() {
  local monitor test
  local -i seconds cells
  local -A sides=()
  cells=$(grep -c . <<<"$1" || true)
  seconds=$(plan_seconds "$cells" "$cells" "$(cell_load_seconds)")
  ! syscalls_is_asked || seconds+=$((cells * $(syscalls_seconds)))
  while IFS=, read -r _ _ test _; do
    monitor=${test%%+*}
    [[ -n $monitor && ${OPTIONS[side]} != 0 ]] || continue
    [[ -v sides[$monitor] ]] || sides[$monitor]=$(monitor_fact "$monitor" side)
    [[ -z ${sides[$monitor]} ]] || seconds+=$(side_seconds "${OPTIONS[rate]}")
  done <<<"$1"
  echo "$seconds"
}

# How many executions the run launches at most in all, and under one start of a monitor.
rules_launches() {
  local monitor
  local -i each cells=0
  each=$((OPTIONS[rate] * $(options_sum warmup duration instrumented load_margin side)))
  if resume_is_asked; then
    cells=$(rules_plan | resume_rows | wc -l)
  else
    for monitor in ${OPTIONS[monitors]}; do
      cells+=$(($(rules_kinds_of "$monitor" | wc -l) * ($(wc -w <<<"${OPTIONS[counts]}") + 1) * OPTIONS[reps]))
    done
  fi
  # What is done besides is recorded as well.
  [[ -z ${OPTIONS[mix]} ]] || each=$((each * 2))
  echo $((each * cells)) "$each"
}

rules_measure() {
  local plan cell rep test rate turn monitor kind count folder name session
  local -i total seconds done=0
  (($(wc -l <"${OPTIONS[out]}/plan.csv") > 1)) || die "none of these monitors can run here (see above)"
  plan=$(resume_rows <"${OPTIONS[out]}/plan.csv")
  [[ -n $plan ]] || return 0
  total=$(wc -l <<<"$plan")
  session=$(manifest_sessions "${OPTIONS[out]}")
  seconds=$(rules_seconds "$plan")
  ! rulesets_is_asked || rules_prepare_set
  while IFS=, read -r cell rep test rate turn <&4; do
    read -r monitor kind count <<<"$(rules_split "$test")"
    # The script of what stops is still told of the rules that it was started with.
    block_end
    options_set monitor_rules "$([[ $count == 0 ]] || echo "$kind $count")"
    ! rulesets_is_asked || options_set monitor_set "$([[ $count == 0 ]] || echo "${OPTIONS[out]}/set/rules")"
    name=$([[ $count == 0 ]] || echo "$kind-$count-")$rep$(plan_turn_suffix "$turn")
    # Beside what the sessions before have left of this test.
    ((session == 1)) || name+=-session$session
    block_begin "$name"
    live_step "$done" "$total" $((seconds * (total - done) / total)) "$test at $rate/s, repetition $rep"
    folder=${OPTIONS[out]}/cells/$(plan_cell_folder "$test" "$rate" "$rep" "$turn")
    [[ ! -e $folder ]] || rm -rf -- "$folder"
    block_cell "$folder" "$cell" "$rate" "$monitor" "$(rules_cell_facts "$test" "$rate" "$rep" "$turn" "$monitor" "$kind" "$count" "$session")" last
    ! rulesets_is_asked || rules_note_records "$folder"
    rules_check "$folder" "$(rules_expected "$count")"
    rules_note_start "$folder"
    live_cell "$test, repetition $rep" "$folder"
    done+=1
  done 4<<<"$plan"
  block_end
}

# rules_cell_facts TEST RATE REP TURN MONITOR KIND COUNT SESSION
rules_cell_facts() {
  jq -nc --arg test "$1" --argjson exec_per_sec "$2" --argjson rep "$3" --argjson turn "$4" --arg monitor "$5" --arg kind "$6" --argjson rules "$7" --argjson session "$8" '$ARGS.named'
}

# rules_note_start DIR: how long the monitor of the cell in DIR took to get ready.
rules_note_start() {
  [[ $CELL_STATUS != not-ready ]] || return 0
  jq --argjson start_ms "$(monitor_start_ms)" '. + $ARGS.named' "$1/cell.json" >"$1/cell.json.new" && mv "$1/cell.json.new" "$1/cell.json"
}

# What the set is, once the host is taken.
rules_prepare_set() {
  [[ -z ${OPTIONS[login_uid]} ]] || (host_set_login_uid "${OPTIONS[login_uid]}") 2>/dev/null ||
    die "no process can be given the login uid ${OPTIONS[login_uid]} here (/proc/self/loginuid)"
  rulesets_describe "${OPTIONS[kinds]}" >&2
  if resume_is_asked; then
    rulesets_try_again
    return
  fi
  rulesets_prepare "${OPTIONS[out]}"
  manifest_add "${OPTIONS[out]}" set "$(rulesets_json "${OPTIONS[kinds]}" "${OPTIONS[out]}")"
}

# rules_expected COUNT: how many of COUNT added rules must be in force: of a set, those that the kernel took.
rules_expected() {
  if rulesets_is_asked && (($1)); then
    rulesets_loaded_count
  else
    echo "$1"
  fi
}

# rules_note_records DIR: how many lines a second came into the log in window A of the cell in DIR.
rules_note_records() {
  local lines start end start_us end_us
  [[ $CELL_STATUS == ok && $CELL_COUNTABLE == yes ]] || return 0
  read -r start end start_us end_us <<<"$(jq -r '"\(.start) \(.end) \(.start_real_us) \(.end_real_us)"' "$1/log-bytes.json")"
  lines=$(logs_lines "$start" "$end")
  [[ -n $lines ]] || return 0
  jq --argjson lines "$lines" --argjson us $((end_us - start_us)) '.records_per_sec = $lines / $us * 1e6' "$1/cell.json" >"$1/cell.json.new" &&
    mv "$1/cell.json.new" "$1/cell.json"
}

# rules_check DIR COUNT: a monitor that can tell must still have the rules that were added.
rules_check() {
  local loaded
  [[ $CELL_STATUS == ok ]] || return 0
  loaded=$(monitor_rules_loaded) || loaded="an unknown number"
  if [[ -n $loaded && $loaded != "$2" ]]; then
    warn "$1: of $2 added rules, $loaded were in force"
    block_settle "$1" "of $2 added rules, $loaded were in force at the end"
  fi
}

rules_options_json() {
  jq -n --arg monitors "${OPTIONS[monitors]}" --arg kinds "${OPTIONS[kinds]}" --arg counts "${OPTIONS[counts]}" --argjson rate_per_sec "${OPTIONS[rate]}" \
    --argjson duration_s "${OPTIONS[duration]}" --argjson instrumented_s "${OPTIONS[instrumented]}" --argjson side_s "${OPTIONS[side]}" --argjson syscalls_s "${OPTIONS[syscalls]}" --argjson warmup_s "${OPTIONS[warmup]}" \
    --argjson reps "${OPTIONS[reps]}" --argjson seed "${OPTIONS[seed]}" --arg journald_audit "${OPTIONS[journald_audit]}" --arg keep_logs "${OPTIONS[keep_logs]}" \
    --argjson set "$(rulesets_is_asked && jq -n --arg name "${OPTIONS[kinds]}" '$name' || echo null)" --arg mix "${OPTIONS[mix]}" --arg login_uid "$(rulesets_login_uid)" \
    '$ARGS.named | (.monitors, .kinds, .mix) |= split(" ") | .counts |= (split(" ") | map(tonumber))'
}
