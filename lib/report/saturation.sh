# shellcheck shell=bash
# From a saturation run's raw files to its tables and its picture. Reads only what the run wrote.

# saturation_make RUN: rounds.csv, saturation.csv, saturation.md, the picture; the table on stdout.
saturation_make() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  report_figures "$run"
  pictures_rows "$run/rounds.csv" | jq -L "$tables" --slurpfile manifest "$run/manifest.json" -f "$tables/searches.jq" |
    jq 'map_values(if . == null then "" else . end)' | mlr --ijson --ocsv unsparsify >"$run/saturation.csv"
  saturation_table "$run" >"$run/saturation.md"
  saturation_plot "$run"
  cat "$run/saturation.md"
}

# The table as Markdown, with what the load itself reaches.
saturation_table() {
  local run=$1
  pictures_rows "$run/saturation.csv" | jq -r --slurpfile manifest "$run/manifest.json" \
    --argjson ceilings "$(jq -sc 'map({actions: .actions, per_sec: .achieved_hz})' "$run"/ceiling-*.json)" -f "$EXECTAX_ROOT/lib/report/tables/saturation-table.jq"
}

saturation_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); \($o.reps) searches each, rounds of \($o.round_s) s, events: \($o.actions | join(", "))"' "$1/manifest.json"
}
