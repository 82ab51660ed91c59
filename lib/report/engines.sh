# shellcheck shell=bash
# The table and the picture of a run of exectax rules --engines. Reads only what the run wrote.

# engines_make RUN: engines.csv, engine-fits.csv, engines.md, the picture; the table on stdout.
engines_make() {
  local run=$1
  report_figures "$run"
  engines_table "$run" | files_put "$run/engines.md"
  engines_plot "$run"
  cat "$run/engines.md"
}

# What an event costs, as Markdown.
engines_table() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  pictures_rows "$run/engines.csv" | jq -r -L "$tables" --argjson fits "$(pictures_rows "$run/engine-fits.csv")" \
    --argjson skipped "$(jq '.skipped // {}' "$run/manifest.json")" -f "$tables/engines-table.jq"
}

# engines_plot RUN: what an event costs by number of signatures.
engines_plot() {
  local run=$1 picture
  picture=$(pictures_rows "$run/engines.csv" | pictures_jq engines)
  if [[ -z $picture ]]; then
    warn "no engine was measured with signatures of code injection, so there is no picture"
    return 0
  fi
  pictures_draw engines "$run/engines" "$(results_host_line "$run")" {} "$picture" png svg
}
