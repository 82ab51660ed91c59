# shellcheck shell=bash
# The tables and the picture of a run of exectax rules. Reads only what the run wrote.

# rules_make RUN: cells.csv, perf.csv, rules.csv, fits.csv, rules.md, the picture; the table on stdout. Of a set, which is no line, sets.csv and its
# table.
rules_make() {
  local run=$1
  report_figures "$run"
  if [[ $(jq '.options.set' "$run/manifest.json") != null ]]; then
    rules_table_of_set "$run" | files_put "$run/rules.md"
  else
    rules_table "$run" | files_put "$run/rules.md"
    rules_plot "$run"
  fi
  cat "$run/rules.md"
}

# What a rule costs, as Markdown.
rules_table() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  pictures_rows "$run/fits.csv" | jq -r -L "$tables" --slurpfile points /dev/fd/3 \
    --argjson skipped "$(jq '.skipped // {}' "$run/manifest.json")" -f "$tables/rules-table.jq" 3<<<"$(pictures_stream "$run/rules.csv")"
}

# What a set adds, as Markdown. A run that ended before the set was tried has none.
rules_table_of_set() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  pictures_rows "$run/sets.csv" | jq -r -L "$tables" --argjson points "$(pictures_rows "$run/rules.csv")" \
    --argjson set "$(jq '.set // {name: .options.set, rules: "?", loaded: "?", format: "?", left_out: []}' "$run/manifest.json")" \
    --arg mix "$(jq -r '.options.mix | join(", ")' "$run/manifest.json")" --arg login_uid "$(jq -r .options.login_uid "$run/manifest.json")" \
    --argjson skipped "$(jq '.skipped // {}' "$run/manifest.json")" -f "$tables/sets.jq"
}

# rules_plot RUN: cost by number of rules.
rules_plot() {
  local run=$1 picture
  picture=$(pictures_rows "$run/rules.csv" | pictures_jq rules --slurpfile fits /dev/fd/3 3<<<"$(pictures_stream "$run/fits.csv")")
  if [[ -z $picture ]]; then
    warn "no line could be laid through what was measured, so there is no picture"
    return 0
  fi
  pictures_draw rules "$run/rules" "$(results_host_line "$run")" "$(jq -c '{rate: .options.rate_per_sec}' "$run/manifest.json")" "$picture" png svg
}
