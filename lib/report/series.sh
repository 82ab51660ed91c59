# shellcheck shell=bash
# A figure over many runs: its values in the order in which the runs were begun, and where it changed. Reads only what the runs wrote.

# series_make FOLDER FIGURE MONITORS RATE: a JSON list of series on stdout, of all monitors or rates where these are empty.
series_make() {
  local tables=$EXECTAX_ROOT/lib/report/tables runs series values changes
  runs=$(series_runs "$1") || exit
  [[ -n $runs ]] || die_usage "--history '$1' has no folder that is a sweep with a perf.csv, expected several"
  series=$(jq -sc -L "$tables" --arg figure "$2" --arg monitors "$3" --arg rate "$4" -f "$tables/series.jq" <<<"$runs")
  [[ $series != '[]' ]] || die_usage "--history: none of the $(wc -l <<<"$runs") runs in '$1' has $2${3:+ of $3}${4:+ at $4/s}, expected a figure of perf.csv that was measured"
  values=$(jq -r '"series,value", (to_entries[] | .key as $key | .value.points[] | "\($key),\(.value)")' <<<"$series")
  changes=$(log_of "$BUILD/figures" --changes /dev/stdin <<<"$values") || exit 1
  jq -c -L "$tables" --argjson changes "$(mlr --icsv --ojson cat <<<"$changes" | jq -sc 'add // []')" -f "$tables/changes.jq" <<<"$series"
}

# series_runs FOLDER: what is needed of each run, a JSON object a line.
series_runs() {
  local manifest run started
  for manifest in "$1"/*/manifest.json; do
    run=${manifest%/manifest.json}
    [[ -f $run/perf.csv ]] || continue
    report_check_plain "$run"
    schema_check "$run"
    [[ $(report_kind "$run") == sweep ]] || continue
    started=$(date -d "$(jq -r .started "$manifest")" +%s) || continue
    pictures_rows "$run/perf.csv" | jq -c --arg run "${run##*/}" --argjson at "$started" --slurpfile manifest "$manifest" \
      '{$run, $at, rows: ., manifest: ($manifest[0] | {started, host, options, load, exectax, sessions, versions, binaries})}'
  done
}

# series_write text|json SERIES
series_write() {
  local tables=$EXECTAX_ROOT/lib/report/tables
  if [[ $1 == json ]]; then
    jq . <<<"$2"
    return
  fi
  jq -L "$tables" -f "$tables/series-rows.jq" <<<"$2" | mlr --ijson --opprint cat
  echo
  jq -r -L "$tables" -f "$tables/series-remarks.jq" <<<"$2"
}

# series_plot SERIES FOLDER FILE: a panel for each series.
series_plot() {
  local picture folder status=0
  picture=$(pictures_jq series-picture <<<"$1")
  folder=$(mktemp -d)
  pictures_draw series "$folder/series" "runs in $2" {} "$picture" "${3##*.}" &&
    cp -- "$folder/series.${3##*.}" "$3" 2>/dev/null || status=1
  rm -rf "$folder"
  ((status == 0)) || die "compare: the picture '$3' could not be drawn or written"
}
