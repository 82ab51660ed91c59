# shellcheck shell=bash
# From a saturation run's raw files to its tables and its picture. Reads only what the run wrote.

# saturation_make RUN: rounds.csv, saturation.csv, saturation.md, the picture; the table on stdout.
saturation_make() {
  local run=$1 format
  saturation_rounds "$run" | results_csv >"$run/rounds.csv"
  mlr --icsv --ojson cat "$run/rounds.csv" |
    jq -L "$EXECTAX_ROOT/lib/report/figures" --slurpfile manifest "$run/manifest.json" -f "$EXECTAX_ROOT/lib/report/figures/saturation.jq" | results_csv >"$run/saturation.csv"
  saturation_table "$run" >"$run/saturation.md"
  saturation_plot "$run"
  cat "$run/saturation.md"
}

# One JSON object a round, in the order in which they were measured.
saturation_rounds() {
  local run=$1 dir
  for dir in "$run"/cells/*/*/; do
    [[ ! -f $dir/cell.json ]] || echo "$(jq .cell "$dir/cell.json") ${dir%/}"
  done | sort -n | cut -d' ' -f2- | while IFS= read -r dir; do
    results_cell "$dir" |
      jq --argjson events "$(saturation_events "$dir/events.csv")" --argjson cpus "$(jq .host.cpus "$run/manifest.json")" \
        --slurpfile before "$(results_file "$dir/limits-before.json")" --slurpfile start "$(results_file "$dir/limits-start.json")" --slurpfile after "$(results_file "$dir/limits-after.json")" \
        --slurpfile load "$(results_file "$dir/load.json")" -f "$EXECTAX_ROOT/lib/report/figures/round.jq"
  done
}

# Events of any kind per second that the monitor has seen during the load; null where it does not tell.
saturation_events() {
  if [[ -s $1 ]]; then
    awk -F, '{ time[NR] = $1; events[NR] = $2 } END { if (NR == 2 && time[2] > time[1]) printf "%.3f\n", (events[2] - events[1]) / (time[2] - time[1]) * 1e6; else print "null" }' "$1"
  else
    echo null
  fi
}

# The table as Markdown, with what the load itself reaches.
saturation_table() {
  local run=$1
  mlr --icsv --ojson cat "$run/saturation.csv" | jq -r --slurpfile manifest "$run/manifest.json" \
    --argjson ceilings "$(jq -sc 'map({actions: .actions, per_sec: .achieved_hz})' "$run"/ceiling-*.json)" -f "$EXECTAX_ROOT/lib/report/tables/saturation-table.jq"
}

saturation_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); \($o.reps) searches each, rounds of \($o.round_s) s, events: \($o.actions | join(", "))"' "$1/manifest.json"
}
