# shellcheck shell=bash
# A run that goes on: one that was interrupted is finished (resume), a sweep that is complete gets further passes (repeat). Options
# and monitors are those of its manifest, and the host must be the one that it began on. A KIND of run that can be resumed has, besides the
# functions that all kinds have (run.sh), KIND_find_left RUN, KIND_asked and KIND_option_names.

# Numbers in the plan of what has not been measured (cells, or searches), one a line, and the highest one of those that have been.
RESUME_LEFT=
RESUME_KEPT=0

# resume_is_asked: whether this run goes on with another.
resume_is_asked() {
  [[ -n ${OPTIONS[goes_on]:-} ]]
}

# resume_check_run RUN KIND: that it is one that can go on, from its manifest alone. Those of kinds that could not be resumed at first lack options
# in schema 1.
resume_check_run() {
  local run=$1 kind problem strange
  [[ -f $run/manifest.json && -f $run/plan.csv ]] || die_usage "'$run' is not a run: expected a folder with manifest.json and plan.csv"
  strange=$(files_other_than_plain "$run")
  [[ -z $strange ]] || die_usage "'$run' has '$strange', expected regular files and folders and no links"
  schema_check "$run"
  kind=$(jq -r '.kind // "sweep"' "$run/manifest.json")
  [[ $kind == "$2" ]] || die_usage "'$run' is a run of exectax ${kind/#engines/rules --engines}, expected one of exectax $2"
  [[ $kind == sweep ]] || schema_check "$run" 2
  problem=$(jq -nr 'input |
    if (.options | type) != "object" then "is damaged: its manifest.json lacks options"
    elif .options.attached then "was attached to monitors that ran then, expected a run that starts its monitors"
    elif (.sessions | type) != "array" or .sessions == [] then "is of an older exectax, expected a run whose manifest.json has sessions"
    elif [.options | .journald_audit == ("off", "keep"), .keep_logs == ("yes", "no")] | map(select(.)) | length != 2 then "is damaged: its manifest.json lacks options"
    else empty end' "$run/manifest.json" 2>/dev/null) || problem="is damaged: its manifest.json is not that of a run"
  [[ -z $problem ]] || die_usage "'$run' $problem"
}

# resume_take_options RUN KIND: those that it was begun with. How many passes are added, or until when, is said anew. What is no option of such a
# run is left alone: no manifest says what this call of exectax is to do.
resume_take_options() {
  local name value
  while IFS=$'\t' read -r name value; do
    options_set "$name" "$value"
  done <<<"$(jq -r --arg goes_on "${OPTIONS[goes_on]}" --argjson names "$("$2_option_names")" '.options
    | if $goes_on == "repeat" then del(.reps, .precision_percent, .budget_s) else . end | to_entries[] | select(.value != null)
    | $names[.key] as $name | select($name != null)
    | "\($name)\t\(.value | if type == "array" then map(tostring) | join(" ") else tostring end)"' "$1/manifest.json")"
  options_set out "$1"
}

# resume_check_options RUN KIND: with those that were taken from its manifest, it would be begun again as it was. What older runs have besides
# (repeat_disturbed, calibrate_s) is of no matter, and only of a set of rules does it matter whose login the load is.
resume_check_options() {
  local expected same='del(.reps, .repeat_disturbed, .precision_percent, .budget_s, .calibrate_s) | if .set == null then del(.login_uid) else . end'
  expected=$("$2_options_json" | jq -c "$same")
  jq -e --argjson expected "$expected" "(.options | $same) == \$expected" "$1/manifest.json" >/dev/null ||
    die_usage "'$1' can't go on: its manifest.json has other options than this exectax writes, expected $expected"
}

# resume_rows: of the plan on stdin, the rows that this run is to measure: all, unless it goes on with another.
resume_rows() {
  awk -F, -v kept="$RESUME_KEPT" 'NR > 1 && $1 > kept'
}

# resume_prepare KIND: whether it can go on here and now, and with what. Ends exectax if there is nothing left to resume.
resume_prepare() {
  local out=${OPTIONS[out]} problem state exectax
  run_set_monitors "$(jq -r '(.skipped | keys) as $skipped | .options.monitors - $skipped | join(" ")' "$out/manifest.json")"
  problem=$(resume_plan_problem "$1")
  : "${problem:=$(resume_problem "$1")}"
  [[ -z $problem ]] || die_usage "'$out' can't go on: $problem"
  RESUME_LEFT=$("$1_find_left" "$out") || exit 1
  RESUME_KEPT=$(awk -F, 'NR == FNR { left[$1]; next } FNR > 1 && !($1 in left) && $1 > kept { kept = $1 } END { print kept + 0 }' - "$out/plan.csv" <<<"$RESUME_LEFT")
  state=$(jq -r .state "$out/manifest.json")
  if [[ ${OPTIONS[goes_on]} == repeat ]]; then
    [[ $state == complete && -z $RESUME_LEFT ]] || die_usage "'$out' is not complete, expected a complete run (--resume makes it one)"
  elif [[ $state == complete && -z $RESUME_LEFT ]]; then
    say "$out is complete: there is nothing left to measure."
    exit 0
  fi
  exectax=$(jq -r .exectax "$out/manifest.json")
  [[ $exectax == "$(tree_version)" ]] || warn "$out was begun with exectax $exectax, this is $(tree_version): what measures may have changed"
}

# resume_plan_problem KIND: what its plan has that its options don't ask for, on one line; nothing if there is nothing. The monitors of the plan are started,
# its knobs set. Numbers of rules are whole numbers there, of a plan that has turns.
resume_plan_problem() {
  "$1_asked" | awk -F, '
    NR == FNR { asked[$0]; next }
    FNR == 1 { has_turns = $5 == "turn"; next }
    {
      row = $0
      sub(/^[^,]*,[^,]*,/, "", row)
      if (has_turns) {
        row = $3 "," $4
        sub(/=[0-9]+,/, ",", row)
      }
      if (row in asked) next
      print "its plan.csv has " row ", which its options do not ask for"
      exit
    }' - "${OPTIONS[out]}/plan.csv"
}

# resume_problem KIND: why the host is not the one that the run began on, on one line; nothing if it is.
resume_problem() {
  local monitor reason
  for monitor in "${RUN_MONITORS[@]}"; do
    reason=$("$1_obstacles" "$monitor") || reason="what it needs could not be looked at"
    if [[ -n $reason ]]; then
      echo "$monitor can't run here any more: $reason"
      return
    fi
  done
  manifest_difference "${OPTIONS[out]}" || echo "whether the host is the same can't be told (see above)"
}

# resume_find_left RUN [ALSO]: what build/figures can't make figures of, since it was not measured or not counted to the end, or since
# a raw file is missing or damaged; what failed for lack of room for it; and cells for which ALSO holds, a condition of mlr.
resume_find_left() (
  local cells
  cells=$(view_table "$1" cells.csv) || exit 1
  mlr --icsv --onidx filter "\$status =~ \"^(not-run|unreadable)\$\" || \$status == \"failed\" && \$reason =~ \"^$CELL_OUT_DISK_FULL\"${2:+ || $2}" \
    then cut -f cell <<<"$cells"
)
