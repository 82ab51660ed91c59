# shellcheck shell=bash
# A sweep that goes on by itself (--reps auto): after the first repetitions, the monitors and rates at which accounted_us is not known to the precision
# that was asked for are measured again, the widest intervals first, until all are known or the time is over. Which these are is
# build/figures' to say (src/figures/precision.c): intervals must hold the truth as often under its rule as without one.

# Everything is measured so often in any case. With fewer, hardly anything is known: an interval of two cells reaches 12.7 standard errors to each side, one of three 4.3.
AUTO_FIRST_REPS=3
# What is left at the end of the time for the host to be put back, and for tables and pictures.
AUTO_END_SECONDS=60
# When measuring began (clock_cs), and how long what has been measured since should have taken.
AUTO_BEGAN_CS=0
AUTO_PLANNED_SECONDS=0

# auto_is_asked: whether this run goes on by itself.
auto_is_asked() {
  [[ -n ${OPTIONS[budget]:-} ]]
}

auto_begin() {
  clock_cs AUTO_BEGAN_CS
  AUTO_PLANNED_SECONDS=0
}

# auto_measured ROWS: these have been.
auto_measured() {
  AUTO_PLANNED_SECONDS=$((AUTO_PLANNED_SECONDS + $(sweep_seconds "$1")))
}

# How exactly accounted_us is to be known, in words.
auto_aim() {
  echo "${OPTIONS[precision]} % or 5 µs"
}

# auto_rounds PLAN: one more repetition of what is not known, again and again.
auto_rounds() {
  local plan=$1 table rows
  while true; do
    table=$(view_table "${OPTIONS[out]}" precision.csv) || exit 1
    rows=$(auto_next "$plan" "$table")
    [[ -n $rows ]] || break
    say "Measuring again what is not known to $(auto_aim): $(auto_monitors "$rows")."
    { cat "$plan" && echo "$rows"; } | manifest_write "$plan"
    # A session that goes on with a run may have had nothing to measure that needs it, or nothing at all.
    calibration_make "$rows"
    sweep_measure_cells "$rows"
    auto_measured "$rows"
  done
  auto_tell "$table"
}

# auto_next PLAN TABLE: the rows of the next round, of as many of the monitors in TABLE (precision.csv) as there is time for.
auto_next() {
  local rows wanted
  local -i monitors
  wanted=$(awk -F, '$7 == "true" { if (!($1 in rates)) order[++count] = $1; rates[$1] = rates[$1] " " $2 }
    END { for (i = 1; i <= count; i++) print order[i] rates[order[i]] }' <<<"$2")
  [[ -n $wanted ]] || return 0
  for ((monitors = $(wc -l <<<"$wanted"); monitors > 0; monitors--)); do
    rows=$(head -n "$monitors" <<<"$wanted" | plan_more "$1" "${OPTIONS[seed]}")
    if auto_fits "$(sweep_seconds "$rows")"; then
      echo "$rows"
      return
    fi
  done
}

auto_monitors() {
  cut -d, -f3 <<<"$1" | awk '$0 != "none" && !seen[$0]++' | paste -sd ' '
}

# auto_fits SECONDS: whether that is over in time, if it takes as much longer than planned as what has been measured so far.
auto_fits() {
  local -i now
  clock_cs now
  awk -v planned="$1" -v past="$(((now - AUTO_BEGAN_CS) / 100))" -v so_far="$AUTO_PLANNED_SECONDS" -v time="$((OPTIONS[budget] - AUTO_END_SECONDS))" '
    BEGIN { exit !(past + planned * (so_far ? past / so_far : 1) <= time) }'
}

# auto_tell TABLE: what is known, and what is not, into the manifest.
auto_tell() {
  local precision
  # A mlr prints [] for a table without rows, or nothing: which, is its version's.
  precision=$(mlr --icsv --ojson cat <<<"$1" | jq -s --argjson percent "${OPTIONS[precision]}" 'add // []
    | {$percent, known: map(select(.known == "true" or .known == true)) | length,
      not_reached: map(select(.known == "false" or .known == false) | {test, exec_per_sec, accounted_us, half_width_us})
        | map(map_values(if . == "" then null else . end))}')
  manifest_add "${OPTIONS[out]}" precision "$precision"
  say "$(jq -r --arg aim "$(auto_aim)" '(.not_reached | length) as $not
    | "accounted is known to \($aim) in \(.known) of \(.known + $not) cases (a monitor at a rate below saturation)\(if $not > 0 then "; no time is left for the others" else "" end)."' <<<"$precision")"
}

# auto_time ROWS: how long the run takes that begins with these of the plan, in words.
auto_time() {
  local -i first fitting
  local what
  first=$(sweep_seconds "$1")
  what="about $(progress_duration "$first") for $(auto_first)"
  if ((first + AUTO_END_SECONDS <= OPTIONS[budget])); then
    [[ -n $1 ]] || what="nothing at first"
    echo "$what, then more of what is not known to $(auto_aim), at most $(progress_duration "${OPTIONS[budget]}") in all"
    return
  fi
  fitting=$(auto_fitting)
  what+=", more than the $(progress_duration "${OPTIONS[budget]}") of --budget"
  ((fitting == 0)) || what+=" (enough for $fitting of the monitors)"
  echo "$what: nothing is measured more often"
}

auto_first() {
  case ${OPTIONS[goes_on]:-} in
    resume) echo "what is left of the run" ;;
    *) echo "the first ${OPTIONS[reps]} repetitions" ;;
  esac
}

# Of how many of its monitors a new run could measure the first repetitions in time.
auto_fitting() {
  local rows
  local -a monitors
  local -i count
  if resume_is_asked; then
    echo 0
    return
  fi
  read -ra monitors <<<"$(printf '%s\n' "${RUN_MONITORS[@]}" | grep -vx none | paste -sd ' ')"
  for ((count = ${#monitors[@]} - 1; count > 0; count--)); do
    rows=$(plan_make "${OPTIONS[seed]}" "${OPTIONS[reps]}" "${OPTIONS[rates]}" none "${monitors[@]:0:count}" | tail -n +2)
    (($(sweep_seconds "$rows") + AUTO_END_SECONDS > OPTIONS[budget])) || break
  done
  echo "$count"
}

# auto_launches LAUNCHES: how many the run may make in all, if it makes these at first.
auto_launches() {
  local -i launches=$1 most
  if auto_is_asked; then
    most=$(tr ' ' '\n' <<<"${OPTIONS[rates]}" | awk -v seconds="${OPTIONS[budget]}" '{ sum += $1 } END { printf "%d", sum / NR * seconds }')
    launches=$((launches > most ? launches : most))
  fi
  echo "$launches"
}

# What the manifest says of it; null for a run that does not go on by itself.
auto_options_json() {
  jq -nc --argjson precision_percent "${OPTIONS[precision]:-null}" --argjson budget_s "${OPTIONS[budget]:-null}" '$ARGS.named'
}
