# shellcheck shell=bash
# Runs on several hosts beside each other: a folder with the run of each host in a folder of its own. A host is a block, never pooled with others: what is
# compared between hosts are figures that each host's run has by itself. Reads only what the runs wrote.

FLEET_TABLES=(hosts costs spreads orders)

# fleet_is FOLDER: whether it is no run itself, but has runs in it.
fleet_is() {
  [[ -d $1 && ! -e $1/manifest.json && -n $(find "$1" -mindepth 2 -maxdepth 2 -name manifest.json -print -quit) ]]
}

# fleet_make FOLDER RATE REDACT: the tables, the picture and the page; RATE is what picture and page show.
fleet_make() (
  local folder=$1 work name
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fleet_hosts "$folder" >"$work/hosts"
  fleet_rows "$folder" "$work"
  fleet_series "$work"
  fleet_data "$folder" "$2" "$work" >"$work/fleet.json"
  mkdir "$work/tables"
  fleet_tables "$work/fleet.json" "$work/tables"
  for name in "${FLEET_TABLES[@]}"; do
    files_put "$folder/$name.csv" <"$work/tables/$name.csv"
  done
  fleet_picture "$folder" "$work/fleet.json"
  fleet_page "$folder" "$work" "$3"
  fleet_text "$work/fleet.json"
)

# fleet_hosts FOLDER: what each host's run is, a JSON object a line; `why` says of one why it can't be shown.
fleet_hosts() {
  local run host problem
  for run in "$1"/*/; do
    run=${run%/}
    host=${run##*/}
    problem=$(fleet_problem "$run")
    if [[ -z $(fleet_strange "$run") && -e $run/manifest.json && -z $(schema_problem "$run") ]]; then
      jq -c --arg host "$host" --arg why "$problem" '{$host, why: (if $why == "" then null else $why end), manifest: del(.binaries)}' "$run/manifest.json"
    else
      jq -nc --arg host "$host" --arg why "$problem" '{$host, $why, manifest: {}}'
    fi
  done
}

# fleet_strange RUN: what of it could lead elsewhere, where figures would be written; nothing if there is no such thing.
fleet_strange() {
  if [[ -L $1 ]]; then
    echo "its folder"
  else
    files_other_than_plain "$1"
  fi
}

# fleet_problem RUN: why it has no figures; nothing if it has. A run that was cut off has no tables yet.
fleet_problem() {
  local strange problem='' status=0
  strange=$(fleet_strange "$1")
  [[ -n $strange || ! -e $1/manifest.json ]] || problem=$(schema_problem "$1")
  if [[ -n $strange ]]; then
    echo "$strange is neither a regular file nor a folder"
  elif [[ ! -e $1/manifest.json ]]; then
    echo "there is no run in its folder"
  elif [[ $problem == "is damaged: "* ]]; then
    echo "${problem#is damaged: }"
  elif [[ -n $problem ]]; then
    echo "its run $problem"
  elif [[ $(report_kind "$1") != sweep ]]; then
    echo "a run of exectax $(report_kind "$1"), expected one of exectax sweep"
  elif [[ ! -s $1/perf.csv ]]; then
    "$BUILD/figures" "$1" 2>/dev/null >&2 || status=$?
    ((status < 2)) && [[ -s $1/perf.csv ]] || echo "its figures could not be computed"
  fi
}

# fleet_rows FOLDER WORK: of all runs that have figures what is needed of perf.csv and of differences.csv, with the host.
fleet_rows() {
  local folder=$1 work=$2 name
  local -a hosts
  split_lines hosts "$(jq -r 'select(.why == null) | .host' "$work/hosts")"
  for name in perf differences; do
    fleet_table "$folder" "$name" "${hosts[@]}" >"$work/$name.json"
  done
}

# fleet_table FOLDER perf|differences HOST...: the rows as JSON, all of them text.
fleet_table() {
  local folder=$1 name=$2 host
  local -a files=() chain=(cut -x -f figure)
  shift 2
  for host; do
    [[ ! -s $folder/$host/$name.csv ]] || files+=("./$host/$name.csv")
  done
  if ((${#files[@]} == 0)); then
    echo '[]'
    return
  fi
  [[ $name == differences ]] || chain=(cut -f "$(fleet_columns)")
  [[ $name == perf ]] || chain=(filter "\$figure == \"counted_overhead\"" 'then' "${chain[@]}")
  (cd "$folder" && mlr -S --icsv --ojson "${chain[@]}" 'then' put "\$host = sub(sub(FILENAME, \"^\./\", \"\"), \"/[^/]*\$\", \"\")" "${files[@]}") | pictures_list
}

fleet_columns() {
  local name
  local -a columns=(test exec_per_sec inprogram_method saturated reps launched lost status reason counted_overhead_degrees)
  for name in counted_overhead counted_us baseline_us; do
    columns+=("$name" "${name}_low" "${name}_high")
  done
  printf '%s\n' "${columns[@]}" | paste -sd ,
}

# fleet_series WORK: what can be compared, in WORK/series.json, and what build/figures says of it, in WORK/spreads.json.
fleet_series() {
  local work=$1 tables=$EXECTAX_ROOT/lib/report/tables
  jq -nc -L "$tables" --slurpfile hosts "$work/hosts" --slurpfile perf "$work/perf.json" --slurpfile differences "$work/differences.json" \
    -f "$tables/fleet-series.jq" >"$work/series.json"
  jq -r '"series,value,low,high,degrees",
    (.spreads, .orders | .[] | select(.values != []) | .series as $series | .values[] | "\($series),\(.value),\(.low // ""),\(.high // ""),\(.degrees // "")")' \
    "$work/series.json" >"$work/series.csv"
  log_of "$BUILD/figures" --spreads "$work/series.csv" >"$work/spreads.csv" || die "what hosts differ by could not be computed (see above)"
  pictures_rows "$work/spreads.csv" >"$work/spreads.json"
}

# fleet_data FOLDER RATE WORK: all that tables, picture and page are made of.
fleet_data() {
  local folder=$1 rate=$2 work=$3 tables=$EXECTAX_ROOT/lib/report/tables
  jq -c -L "$tables" --arg name "$(basename -- "$folder")" --argjson wanted "$rate" --slurpfile told "$work/spreads.json" -f "$tables/fleet.jq" "$work/series.json"
}

# fleet_tables DATA FOLDER: as CSV.
fleet_tables() {
  local name tables=$EXECTAX_ROOT/lib/report/tables rows
  for name in "${FLEET_TABLES[@]}"; do
    rows=$(jq -c -L "$tables" --arg table "$name" -f "$tables/fleet-table.jq" "$1")
    if [[ $(jq '.rows | length' <<<"$rows") == 0 ]]; then
      jq -r '.columns | join(",")' <<<"$rows"
    else
      jq -r '.columns as $columns | .columns, (.rows[] | [.[$columns[]]]) | @csv' <<<"$rows"
    fi >"$2/$name.csv"
  done
}

# fleet_picture FOLDER DATA: a dot with whiskers a host and monitor, as FOLDER/hosts.png and .svg.
fleet_picture() {
  local picture
  picture=$(pictures_jq fleet-picture <"$2")
  if [[ -z $picture ]]; then
    warn "no monitor's cost is known as a share of an execution, so there is no picture"
    return 0
  fi
  pictures_draw fleet "$1/hosts" "$(jq -r '"\([.hosts[] | select(.compared)] | length) hosts, at \(.rate) executions per second"' "$2")" {} "$picture" png svg
}

# fleet_text DATA: Markdown, on stdout.
fleet_text() {
  local tables=$EXECTAX_ROOT/lib/report/tables
  jq -r -L "$tables" -f "$tables/fleet-text.jq" "$1"
}

# fleet_page FOLDER WORK REDACT
fleet_page() {
  local folder=$1 work=$2 tables=$EXECTAX_ROOT/lib/report/tables pieces=$EXECTAX_ROOT/lib/report/html data=$2/fleet.json docs=null
  mkdir "$work/page"
  if [[ $3 == yes ]]; then
    data=$work/redacted.json
    jq -c -L "$pieces" -L "$tables" -f "$tables/fleet-redact.jq" "$work/fleet.json" >"$data"
  else
    docs=$(realpath --relative-to="$folder" -- "$EXECTAX_ROOT/docs" | jq -R .)
  fi
  fleet_tables "$data" "$work/page"
  html_packed "$work/page" "${FLEET_TABLES[@]/%/.csv}" >"$work/files.json"
  "$BUILD/figures" --columns | html_columns >"$work/columns.json"
  html_jq fleet-page --argjson docs "$docs" --slurpfile columns "$work/columns.json" --slurpfile files "$work/files.json" "$data" | files_put "$folder/report.html"
}
