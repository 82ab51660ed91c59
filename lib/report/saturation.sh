# shellcheck shell=bash
# From a saturation run's raw files to its tables and its picture. Reads only what the run wrote.

# saturation_make RUN: rounds.csv, saturation.csv, saturation.md, the picture; the table on stdout. Of soaks soak.csv, and of a published experiment
# experiment.csv and factors.csv. All of them are tables of saturation.md, too.
saturation_make() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  report_figures "$run"
  pictures_rows "$run/rounds.csv" | jq -L "$tables" --slurpfile manifest "$run/manifest.json" -f "$tables/searches.jq" |
    jq 'map_values(if . == null then "" else . end)' | mlr --ijson --ocsv unsparsify | files_put "$run/saturation.csv"
  [[ ! -s $run/published.csv ]] || saturation_experiment "$run"
  {
    saturation_table "$run"
    saturation_further_table "$run" soak
    saturation_further_table "$run" experiment
    saturation_further_table "$run" factors
  } | files_put "$run/saturation.md"
  saturation_plot "$run"
  cat "$run/saturation.md"
}

# The table as Markdown, with what the load itself reaches, where that was tried.
saturation_table() {
  local run=$1
  local -a ceilings=("$1"/ceiling-*.json)
  [[ -e ${ceilings[0]} ]] || ceilings=(/dev/null)
  pictures_rows "$run/saturation.csv" | jq -r -L "$EXECTAX_ROOT/lib/report/tables" --slurpfile manifest "$run/manifest.json" \
    --argjson ceilings "$(jq -sc 'map({actions, per_sec: .achieved_hz})' "${ceilings[@]}")" -f "$EXECTAX_ROOT/lib/report/tables/saturation-table.jq"
}

# Ours beside what was published, and what each limit and knob does to ours.
saturation_experiment() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables published name
  published=$(pictures_rows "$run/published.csv")
  for name in experiment factors; do
    pictures_rows "$run/rounds.csv" | jq -L "$tables" --argjson published "$published" -f "$tables/$name.jq" |
      jq 'map(map_values(if . == null then "" else . end))' | mlr --ijson --ocsv unsparsify | files_put "$run/$name.csv"
  done
}

# saturation_further_table RUN NAME: that of NAME.csv, if the run has one.
saturation_further_table() {
  [[ -s $1/$2.csv ]] || return 0
  echo
  pictures_rows "$1/$2.csv" | jq -r -L "$EXECTAX_ROOT/lib/report/tables" --slurpfile manifest "$1/manifest.json" -f "$EXECTAX_ROOT/lib/report/tables/$2-table.jq"
}

saturation_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); \($o.reps) searches each, rounds of \($o.round_s) s, events: \($o.actions | join(", "))"' "$1/manifest.json"
}
