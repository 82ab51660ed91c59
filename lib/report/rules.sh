# shellcheck shell=bash
# The tables and the picture of a run of exectax rules. Reads only what the run wrote.

# rules_make RUN: cells.csv, perf.csv, rules.csv, fits.csv, rules.md, the picture; the table on stdout.
rules_make() {
  local run=$1
  report_figures "$run"
  rules_table "$run" >"$run/rules.md"
  rules_plot "$run"
  cat "$run/rules.md"
}

# What a rule costs, as Markdown.
rules_table() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  pictures_rows "$run/fits.csv" | jq -r -L "$tables" --slurpfile points /dev/fd/3 \
    --argjson skipped "$(jq '.skipped // {}' "$run/manifest.json")" -f "$tables/rules-table.jq" 3<<<"$(pictures_stream "$run/rules.csv")"
}

# rules_plot RUN: cost by number of rules.
rules_plot() {
  local run=$1 picture
  picture=$(pictures_rows "$run/rules.csv" | pictures_jq rules --slurpfile fits /dev/fd/3 3<<<"$(pictures_stream "$run/fits.csv")")
  if [[ -z $picture ]]; then
    warn "no line could be laid through what was measured, so there is no picture"
    return 0
  fi
  pictures_draw rules "$run/rules" "$(results_host_line "$run")" "rate=$(jq .options.rate_per_sec "$run/manifest.json")" "$picture" png svg
}
