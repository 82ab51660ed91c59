# shellcheck shell=bash
# The passes of a sweep, one after another: each is planned, measured, and told in a report of the run so far. The run ends after as many as --reps says, or when
# counted is known everywhere to --precision, or when --budget has no time for another. That is decided between passes alone, and what is known is
# build/figures' to say (src/figures/precision.c): intervals must hold the truth as often under this rule as without one.

# What is left at the end of the time for the host to be put back, and for tables and pictures.
PASSES_END_SECONDS=60
# When measuring began (clock_cs), how long passes have taken since, and how long they should have.
PASSES_BEGAN_CS=0
PASSES_TOOK_SECONDS=0
PASSES_PLANNED_SECONDS=0
# Why no further pass was begun, in words.
PASSES_ENDED=

# Whether it is said how many there are.
passes_are_counted() {
  [[ -z ${OPTIONS[budget]:-} ]]
}

passes_begin() {
  clock_cs PASSES_BEGAN_CS
  PASSES_TOOK_SECONDS=0 PASSES_PLANNED_SECONDS=0 PASSES_ENDED=''
}

# passes_run PLAN: what is planned and not measured yet, and further passes.
passes_run() {
  local plan=$1 rows measured=no
  rows=$(resume_rows <"$plan")
  while true; do
    if [[ -n $rows ]]; then
      passes_measure "$plan" "$(passes_first "$rows")"
      rows=$(passes_others "$rows")
      measured=yes
    fi
    [[ -n $rows ]] || ! passes_are_over "$plan" || break
    [[ $measured == no ]] || passes_report
    if [[ -z $rows ]]; then
      rows=$(passes_plan_next "$plan") || exit 1
    fi
  done
}

# passes_first ROWS: those of the first pass among them; passes_others: the rest.
passes_first() {
  awk -F, 'NR == 1 { pass = $2 } $2 != pass { exit } { print }' <<<"$1"
}

passes_others() {
  awk -F, 'NR == 1 { pass = $2 } $2 != pass { others = 1 } others { print }' <<<"$1"
}

# passes_measure PLAN ROWS: of one pass.
passes_measure() {
  local -i from now
  clock_cs from
  sweep_measure_cells "$2"
  clock_cs now
  PASSES_TOOK_SECONDS=$((PASSES_TOOK_SECONDS + (now - from) / 100))
  PASSES_PLANNED_SECONDS=$((PASSES_PLANNED_SECONDS + $(sweep_seconds "$2")))
  passes_leave_out "$(cut -d, -f2 <<<"${2%%$'\n'*}")"
}

# passes_plan_next PLAN: one more pass in it; its rows on stdout.
passes_plan_next() {
  local rows
  local -i last pass
  read -r last pass <<<"$(plan_last "$1")"
  rows=$(sweep_pass $((pass + 1)))
  plan_add "$1" "$rows" | manifest_write "$1"
  plan_number "$last" <<<"$rows"
}

# passes_report: of those so far. A run does not end because it can't be made.
passes_report() {
  local -i now
  clock_cs now
  say "The table so far, after $(progress_duration $(((now - PASSES_BEGAN_CS) / 100))):"
  if log_is_quiet; then
    run_report "${OPTIONS[out]}" >/dev/null
  else
    run_report "${OPTIONS[out]}"
  fi || warn "the report of the passes so far could not be made; the run goes on"
}

# passes_not_ready PASS: the monitors that could not be started for any of their cells in it, one a line.
passes_not_ready() {
  passes_outcomes "$1" | awk -F '\t' '{ seen[$1] } $2 != "not-ready" { ready[$1] } END { for (monitor in seen) if (!(monitor in ready)) print monitor }' | sort
}

# passes_outcomes PASS: monitor, status and reason of each of its cells that has an outcome, with tabs between them.
passes_outcomes() {
  [[ ! -d ${OPTIONS[out]}/cells ]] ||
    find "${OPTIONS[out]}/cells" -regextype posix-extended -regex ".*/[0-9]+-$1(\.[0-9]+)?/cell\.json" -exec jq -r '[.test, .status, .reason] | @tsv' {} +
}

# passes_leave_out PASS: a monitor that could not be started in it, nor in the one before, is in no further pass.
passes_leave_out() {
  local monitor before reason
  before=$(passes_not_ready $(($1 - 1)))
  while read -r monitor; do
    [[ -n $monitor ]] || continue
    if grep -qxF -- "$monitor" <<<"$before"; then
      reason="could not be started in passes $(($1 - 1)) and $1, and is in no further one: $(passes_outcomes "$1" | awk -F '\t' -v monitor="$monitor" '$1 == monitor { print $3; exit }')"
      run_skip "$monitor" "$reason"
      run_set_monitors "$(printf '%s\n' "${RUN_MONITORS[@]}" | grep -vxF -- "$monitor" | paste -sd ' ')"
      manifest_add "${OPTIONS[out]}" skipped "$(jq --arg monitor "$monitor" --arg reason "$reason" '.skipped + {($monitor): $reason}' "${OPTIONS[out]}/manifest.json")"
    else
      say "$monitor could not be started, and is tried once more in the next pass."
    fi
  done <<<"$(passes_not_ready "$1")"
}

# passes_are_over PLAN: whether no further pass is begun, and why.
passes_are_over() {
  local -i pass
  read -r _ pass <<<"$(plan_last "$1")"
  if [[ ${RUN_MONITORS[*]} == none && ${OPTIONS[monitors]} != none ]]; then
    PASSES_ENDED="no monitor can be started"
  elif passes_are_counted; then
    ((pass < OPTIONS[reps])) || PASSES_ENDED="$(passes_words "${OPTIONS[reps]}") asked for"
  else
    passes_look_at_precision "$pass"
    [[ -n $PASSES_ENDED ]] || passes_fit "$(sweep_seconds "$(sweep_pass $((pass + 1)) | plan_number 0)")" || PASSES_ENDED="--budget of $(passes_time "${OPTIONS[budget]}") used"
  fi
  [[ -n $PASSES_ENDED ]]
}

# passes_look_at_precision PASS: what is known after it, into the manifest. Where all is, the run is over, unless a monitor is to be tried once more.
passes_look_at_precision() {
  local table precision
  table=$(view_table "${OPTIONS[out]}" precision.csv) || exit 1
  # A mlr prints [] for a table without rows, or nothing: which, is its version's.
  precision=$(mlr --icsv --ojson cat <<<"$table" | jq -s --argjson percent "${OPTIONS[precision]}" 'add // []
    | {$percent, known: map(select(.known == "true" or .known == true)) | length,
      not_reached: map(select(.known == "false" or .known == false) | {test, exec_per_sec, counted_us, half_width_us})
        | map(map_values(if . == "" then null else . end))}')
  manifest_add "${OPTIONS[out]}" precision "$precision"
  [[ $(jq '.not_reached | length' <<<"$precision") == 0 ]] && ! passes_await "$1" || return 0
  PASSES_ENDED=$(jq -r --arg aim "$(passes_aim)" 'if .known == 0 then "nothing to know better below saturation" else "all results within \($aim)" end' <<<"$precision")
}

# passes_await PASS: whether a monitor that could not be started in it is to be tried once more.
passes_await() {
  local monitor
  while read -r monitor; do
    [[ -z $monitor || " ${RUN_MONITORS[*]} " != *" $monitor "* ]] || return 0
  done <<<"$(passes_not_ready "$1")"
  return 1
}

# How exactly counted is to be known, in words.
passes_aim() {
  echo "${OPTIONS[precision]} % or 5 µs"
}

# passes_fit SECONDS: whether that is over in time, if it takes as much longer than planned as the passes so far.
passes_fit() {
  awk -v planned="$1" -v left="$(passes_seconds_left)" -v took="$PASSES_TOOK_SECONDS" -v so_far="$PASSES_PLANNED_SECONDS" '
    BEGIN { exit !(planned * (so_far ? took / so_far : 1) <= left) }'
}

# How long passes may still take.
passes_seconds_left() {
  local -i now
  clock_cs now
  echo $((OPTIONS[budget] - PASSES_END_SECONDS - (now - PASSES_BEGAN_CS) / 100))
}

# passes_words COUNT
passes_words() {
  case $1 in
    0) echo "no whole pass" ;;
    1) echo "1 pass" ;;
    *) echo "$1 passes" ;;
  esac
}

# passes_time SECONDS: as --budget takes it: 20m.
passes_time() {
  if (($1 % 3600 == 0)); then
    echo "$(($1 / 3600))h"
  elif (($1 % 60 == 0)); then
    echo "$(($1 / 60))m"
  else
    echo "$1s"
  fi
}

# passes_note_end RUN REASON: how many there are and why the run has ended, in a sentence, into its manifest. REASON is that of a run that ended early.
passes_note_end() {
  local table whole sessions spent now
  table=$(view_table "$1" passes.csv) || return 1
  whole=$(mlr --icsv --onidx filter "\$whole == \"true\"" then count <<<"$table")
  sessions=$(manifest_sessions "$1")
  clock_cs now
  spent=$(passes_spent $(((now - (PASSES_BEGAN_CS ? PASSES_BEGAN_CS : now)) / 100)))
  ((sessions == 1)) || spent="$sessions sessions"
  manifest_add "$1" outcome "$(jq -n --arg outcome "$(passes_words "$whole") in $spent; $(passes_why "$2")" '$outcome')"
}

# passes_spent SECONDS: 95 s, 31 min, 2 h 10 min.
passes_spent() {
  local -i minutes=$((($1 + 30) / 60))
  if (($1 < 100)); then
    echo "$1 s"
  elif ((minutes < 100)); then
    echo "$minutes min"
  else
    echo "$((minutes / 60)) h $((minutes % 60)) min"
  fi
}

# passes_why REASON
passes_why() {
  case $1 in
    '') echo "$PASSES_ENDED" ;;
    SIGINT) echo "ended by Ctrl-C" ;;
    SIG*) echo "ended by $1" ;;
    *) echo "ended early: $1" ;;
  esac
}

# passes_how_long ROWS: how long the run takes that has these before it, in words.
passes_how_long() {
  local first
  local -i seconds
  seconds=$(sweep_seconds "$(passes_first "$1")")
  case ${OPTIONS[goes_on]:-} in
    resume) first="about $(progress_duration "$seconds") for what is left of a pass" ;;
    repeat) first="about $(progress_duration "$seconds") a pass" ;;
    *) first="first table after about $(progress_duration "$seconds")" ;;
  esac
  if passes_are_counted; then
    echo "$first, about $(progress_duration "$(sweep_seconds "$1")") in all"
  elif ((seconds + PASSES_END_SECONDS <= OPTIONS[budget])); then
    echo "$first, then more passes until all is known to $(passes_aim), at most $(progress_duration "${OPTIONS[budget]}") in all"
  else
    echo "$first, more than --budget ($(passes_time "${OPTIONS[budget]}")) has time for"
  fi
}

# What the manifest says of when it ends; null for a run whose passes are counted.
passes_options_json() {
  jq -nc --argjson precision_percent "${OPTIONS[precision]:-null}" --argjson budget_s "${OPTIONS[budget]:-null}" '$ARGS.named'
}
