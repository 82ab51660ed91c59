# shellcheck shell=bash
# report.html: a run as one page that needs nothing else. What it says is worked out by jq (lib/report/html), from the run's tables.

# The tables that are to be saved, those above so many bytes packed.
HTML_TABLES=(perf.csv differences.csv ranks.csv syscalls.csv precision.csv saturation.csv rounds.csv soak.csv experiment.csv factors.csv rules.csv fits.csv sets.csv engines.csv engine-fits.csv engine-differences.csv cells.csv)
# Those of which the page takes all rows.
HTML_READ_TABLES=(perf differences ranks syscalls saturation rounds soak experiment rules fits sets engines engine-fits engine-differences)
HTML_PACKED_BYTES=50000
# Of a monitor's configuration, files up to this size are shown, so many are listed, and larger ones than the last are none.
HTML_SHOWN_BYTES=16384
HTML_READ_KIB=1024
HTML_LISTED_FILES=40

# html_make RUN RATE yes|no [FILE]: yes: without host names, paths and command lines. FILE: in place of the run's own page.
html_make() (
  local run=$1 rate redact=$3 page=${4:-$1/report.html} work
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  rate=$(html_rate "$run" "$2")
  html_tables "$run" "$work"
  html_starts "$run" "$work" >"$work/starts.json"
  html_graphs "$run" "$rate" "$work" >"$work/graphs.json"
  html_data "$run" "$rate" "$work" "$redact" >"$work/data.json"
  html_files "$run" "$work" "$redact" >"$work/files.json"
  html_page "$work" | files_put "$page"
)

# The rate at which it is shown who pays.
html_rate() {
  if [[ -s $1/perf.csv ]]; then
    results_nearest_rate "$1" "$2"
  else
    echo null
  fi
}

# html_tables RUN WORK: the run's tables as WORK/NAME.json, [] where there is none; of the cells the columns that the page shows.
html_tables() {
  local run=$1 work=$2 name
  for name in "${HTML_READ_TABLES[@]}"; do
    if [[ -s $run/$name.csv ]]; then
      results_rows "$run" "$name"
    else
      echo '[]'
    fi >"$work/$name.json"
  done
  html_cells "$run/$([[ -s $run/cells.csv ]] && echo cells || echo rounds).csv" >"$work/cells.json"
  jq -sc 'map({actions, per_sec: .achieved_hz})' "$run"/ceiling-*.json >"$work/ceilings.json" 2>/dev/null || echo '[]' >"$work/ceilings.json"
  "$BUILD/figures" --columns | html_columns >"$work/columns.json"
  pictures_rows "$EXECTAX_ROOT/plots/families.csv" >"$work/families.json"
}

# html_cells FILE: how each cell, or round, went; [] if there is no such file.
html_cells() {
  if [[ -s $1 ]]; then
    mlr --icsv --ojson cut -f cell,test,exec_per_sec,rep,status,reason,marks,host_steal,shared_cores,far_cores "$1" | pictures_list
  else
    echo '[]'
  fi
}

# The table of all columns on stdin, as {name: {unit, window, source, what}}.
html_columns() {
  jq -Rn '[inputs | select(startswith("| `")) | split(" | ") | {key: (.[0] | ltrimstr("| `") | rtrimstr("`")),
    value: {unit: .[1], window: .[2], source: .[3], what: (.[5] | rtrimstr(" |"))}}] | from_entries'
}

# html_starts RUN WORK: what each start of each monitor ran with: {MONITOR: [{start, digest, files: [{name, sha256, text}]}]}; the text of the first start's
# files alone. Each start has a folder of its own, whose path is no difference of its configuration, and stands as @START@ here.
html_starts() {
  local run=$1 work=$2 line
  mkdir "$work/starts"
  if [[ ! -d $run/monitors ]]; then
    echo '{}'
    return
  fi
  (cd "$run/monitors" && find . -mindepth 3 -type f -size "-${HTML_READ_KIB}k" ! -path './*/*/log/*' ! -path './*/*/stdout.txt' ! -path './*/*/stderr.txt' -print0 |
    xargs -0 -r cp --parents -t "$work/starts")
  LC_ALL=C find "$work/starts" -type f -exec sed -i -E 's#/[^[:space:]"'\''=,]*/scratch/[^/[:space:]"'\''=,]*#@START@#g' {} +
  (cd "$work/starts" && find . -type f -exec sha256sum {} + | LC_ALL=C sort -V -k 2) |
    jq -Rc 'capture("^\\\\?(?<sha256>[0-9a-f]{64})  \\./(?<monitor>[^/]+)/(?<start>[^/]+)/(?<name>.+)$")' | jq -sc 'reduce .[] as $file ({};
      .["\($file.monitor)/\($file.start)"] += [$file | {name, sha256}]) | to_entries[]' >"$work/started"
  while IFS= read -r line; do
    jq -r '.value[] | "\(.sha256)  \(.name)"' <<<"$line" | sha256sum
  done <"$work/started" >"$work/digests"
  html_texts "$work" >"$work/texts"
  jq -nc --slurpfile started "$work/started" --rawfile digests "$work/digests" --slurpfile texts "$work/texts" --argjson most "$HTML_LISTED_FILES" '
    ($digests | split("\n") | map(.[:64])) as $digests | $started | to_entries
    | reduce .[] as $one ({}; ($one.value.key | split("/")) as [$monitor, $start]
      | .[$monitor] += [{$start, digest: $digests[$one.key], files: [$one.value.value[:$most][] | . + {text: ($texts[0]["./\($one.value.key)/\(.name)"])}]}])'
}

# html_texts WORK: {FILE: text} of each monitor's first start: what is text, and not too long.
html_texts() {
  local work=$1 first
  local -a files=() firsts
  split_lines firsts "$(jq -r .key "$work/started" | awk -F/ '!seen[$1]++')"
  for first in "${firsts[@]}"; do
    split_lines files "$(cd "$work/starts" && find "./$first" -type f -size "-$((HTML_SHOWN_BYTES + 1))c" -exec grep -lI '' {} +)"
    ((${#files[@]} == 0)) || (
      cd "$work/starts"
      # What does not end in a line's end would go on in the next file.
      sed -i '$a\' "${files[@]}"
      jq -Rnc 'reduce inputs as $line ({}; .[input_filename] += "\($line)\n")' "${files[@]}"
    )
  done | jq -sc 'add // {}'
}

# html_graphs RUN RATE WORK: {MONITOR: SVG}, of those that were profiled. For all of them to have room in a page of a megabyte, frames that are narrower than a
# hundredth are left out, with more than ten monitors those than a thousandth for each.
html_graphs() {
  local run=$1 rate=$2 work=$3 monitor
  local -a monitors
  split_lines monitors "$(mlr --icsv --ojson cut -f monitor "$run/plan.csv" | jq -rs 'add // [] | map(.monitor // empty | tostring | select(contains("+") or . == "none" | not)) | unique | .[]')"
  for monitor in "${monitors[@]}"; do
    ! profile_flamegraph "$run" "$monitor" "$work/graph" "$rate" "$((${#monitors[@]} > 10 ? ${#monitors[@]} : 10))e-3" ||
      jq -nc --arg monitor "$monitor" --rawfile svg "$work/graph" '{($monitor): $svg}'
  done | jq -sc 'add // {}'
}

# html_data RUN RATE WORK REDACT: all that the page is made of, but for the files to be saved.
html_data() {
  local run=$1 rate=$2 work=$3 redact=$4 name docs=null
  local -a slurped=()
  for name in "${HTML_READ_TABLES[@]}" cells ceilings columns families starts graphs; do
    slurped+=(--slurpfile "${name//-/_}" "$work/$name.json")
  done
  [[ $redact == yes ]] || docs=$(realpath --relative-to="$run" -- "$EXECTAX_ROOT/docs" | jq -R .)
  jq -nc -L "$EXECTAX_ROOT/lib/report/html" "${slurped[@]}" --slurpfile manifest "$run/manifest.json" --argjson rate "$rate" --argjson docs "$docs" --arg kind "$(html_kind "$run")" \
    --arg name "$(basename -- "$run")" --arg host_line "$(html_host_line "$run")" --arg precision "$(results_precision "$run" | tail -n 1)" --arg redact "$redact" '
    include "redact";
    ($ARGS.named | map_values(if type == "array" then .[0] else . end)) + {$docs, redacted: ($redact == "yes")}
    | if .redacted then
        .columns as $columns | .families as $families | del(.columns, .families) | .graphs = {} | .name = null
        | .starts |= map_values(map(.files |= map(.text = null | .name |= sub(".*/"; ""))))
        | .manifest |= (if .set then .set.left_out |= map(.line = "[left out]") | .set.files |= ((. // []) | map(.path |= sub(".*/"; ""))) else . end)
        | .manifest.binaries |= ((. // {}) | map_values(map(.path |= (. // "" | sub(".*/"; "")))))
        | redacted([.manifest.host.hostname // empty | ., split(".")[0] | select(length > 0)] | unique | sort_by(-length)) + {$columns, $families}
        | .manifest.host.hostname = null
      else . end'
}

# What the page is of: sweep, saturate, rules, set or engines.
html_kind() {
  if [[ $(jq '.options.set' "$1/manifest.json") != null ]]; then
    echo set
  else
    report_kind "$1"
  fi
}

html_host_line() {
  if [[ $(report_kind "$1") == saturate ]]; then
    saturation_host_line "$1"
  else
    results_host_line "$1"
  fi
}

# html_files RUN WORK REDACT: the tables, as links that save them.
html_files() {
  local run=$1 work=$2 redact=$3 name
  mkdir "$work/files"
  for name in "${HTML_TABLES[@]}"; do
    [[ -s $run/$name ]] || continue
    if [[ $redact == yes ]]; then
      html_redacted_table "$run" "$name"
    else
      cat "$run/$name"
    fi >"$work/files/$name"
  done
  html_packed "$work/files" "${HTML_TABLES[@]}"
}

# html_packed FOLDER NAME...: those of these files that are there, as links that save them; large ones are packed.
html_packed() {
  local folder=$1 name type packed
  shift
  for name; do
    [[ -e $folder/$name ]] || continue
    packed=false type=text/csv
    if (($(stat -c %s "$folder/$name") > HTML_PACKED_BYTES)); then
      gzip -9 -n -f "$folder/$name"
      packed=true type=application/gzip name+=.gz
    fi
    base64 -w 0 "$folder/$name" | jq -Rc --arg name "$name" --arg type "$type" --argjson bytes "$(stat -c %s "$folder/$name")" --argjson packed "$packed" \
      '{$name, $bytes, $packed, href: "data:\($type);base64,\(.)"}'
  done | jq -sc .
}

# html_redacted_table RUN FILE
html_redacted_table() {
  local rows
  rows=$(pictures_rows "$1/$2" | jq -c -L "$EXECTAX_ROOT/lib/report/html" --slurpfile manifest "$1/manifest.json" '
    include "redact";
    redacted([$manifest[0].host.hostname // empty | ., split(".")[0] | select(length > 0)] | unique | sort_by(-length))')
  if [[ $rows == '[]' ]]; then
    head -n 1 "$1/$2"
  else
    mlr --ijson --ocsv unsparsify <<<"$rows"
  fi
}

# html_page WORK
html_page() {
  html_jq page --slurpfile files "$1/files.json" "$1/data.json"
}

# html_comparison COMPARISON: the page of two sides, of what `exectax compare --format json` writes, on stdout.
html_comparison() (
  local work letter run
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  for letter in a b; do
    run=$(jq -r ".$letter.run" <<<"$1")
    html_cells "$run/cells.csv" >"$work/cells_$letter.json"
    jq .options "$run/manifest.json" >"$work/options_$letter.json"
  done
  html_jq comparison --slurpfile cells_a "$work/cells_a.json" --slurpfile cells_b "$work/cells_b.json" --slurpfile options_a "$work/options_a.json" --slurpfile options_b "$work/options_b.json" <<<"$1"
)

# html_jq NAME ARGUMENT...: lib/report/html/NAME.jq, with what a page looks like and does.
html_jq() {
  local pieces=$EXECTAX_ROOT/lib/report/html name=$1
  shift
  jq -r -L "$EXECTAX_ROOT/lib/report/tables" -L "$pieces" --rawfile style "$pieces/style.css" --rawfile script "$pieces/script.js" \
    --arg style_hash "$(html_hash "$pieces/style.css")" --arg script_hash "$(html_hash "$pieces/script.js")" -f "$pieces/$name.jq" "$@"
}

# A file's hash, as a page's policy names what may be in it.
html_hash() {
  local hash
  hash=$(sha256sum "$1")
  printf 'sha256-%s' "$(printf '%b' "$(sed -E 's/ .*//; s/../\\x&/g' <<<"$hash")" | base64)"
}
