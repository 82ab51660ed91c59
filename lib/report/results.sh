# shellcheck shell=bash
# A sweep's tables and pictures. The figures themselves are build/figures'.

# results_make RUN RATE: cells.csv, perf.csv, differences.csv, ranks.csv and syscalls.csv, the pictures perf and parts; the tables on stdout. The parts are shown at
# the measured rate that is nearest to RATE executions per second.
results_make() {
  local costs
  report_figures "$1"
  results_plot "$1"
  results_plot_parts "$1" "$2"
  results_ranking "$1" "$2"
  results_own_builds "$1"
  costs=$(results_costs "$1" "$2")
  [[ -z $costs ]] || printf '\n%s\n' "$costs"
  results_rest "$1"
  results_syscalls "$1"
  results_precision "$1"
}

# results_rows RUN NAME: the rows of RUN's NAME.csv as JSON. Names of own builds carry a dagger.
results_rows() {
  pictures_rows "$1/$2.csv" | jq -c --argjson own "$(jq -c '.own_builds // {} | keys' "$1/manifest.json")" '
    def marked: if IN($own[]) then . + " †" else . end;
    map(if .test then .test |= (tostring | marked) else . end | if .test_a then (.test_a, .test_b) |= (tostring | marked) else . end)'
}

# What the dagger means, after an empty line; nothing if no name has one.
results_own_builds() {
  jq -r -L "$EXECTAX_ROOT/lib/report/tables" 'include "markdown"; .own_builds // {} | select(. != {})
    | "\n† Own builds: \(to_entries | map("\(.key)\(if .value != "" then " (\(.value))" else "" end)" | md) | join("; "))."' "$1/manifest.json"
}

# The measured rate that is nearest to RATE; 0, at rest, is none that executions cost something at, unless there is no other.
results_nearest_rate() {
  pictures_rows "$1/perf.csv" |
    jq --argjson wanted "$2" 'map(.exec_per_sec | numbers) | unique | (map(select(. > 0)) | select(. != [])) // . | min_by(. - $wanted | fabs)'
}

results_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); windows of \($o.duration_s) s; \(.outcome // "\($o.reps) repetitions\(if $o.precision_percent then " or more" elif .state != "complete" then " at most" else "" end)")"' "$1/manifest.json"
}

# A Markdown table: CPU at each rate, executions lost; and what could not be measured.
results_ranking() {
  results_table "$1" ranking --argjson rate "$(results_nearest_rate "$1" "$2")"
}

# How well counted is known, of a run that went on for that.
results_precision() {
  [[ -s $1/precision.csv ]] || return 0
  echo
  pictures_rows "$1/precision.csv" | jq -r -L "$EXECTAX_ROOT/lib/report/tables" --argjson percent "$(jq .options.precision_percent "$1/manifest.json")" \
    -f "$EXECTAX_ROOT/lib/report/tables/precision.jq"
}

# A Markdown table of what an execution costs, and who pays; nothing if nothing was executed.
results_costs() {
  local rate
  rate=$(results_nearest_rate "$1" "$2")
  [[ $rate != 0 ]] || return 0
  results_table "$1" costs --argjson rate "$rate"
  [[ $(jq .options.attached "$1/manifest.json") != true ]] || cat <<'TEXT'

Measured as it runs, against itself at rest (0 executions per second). Without a run without it there is no baseline: what it
costs the watched programs themselves, other than the run time of its eBPF programs, and the machine as a whole, is not known.
TEXT
}

# A Markdown table of what is taken when nothing happens, after an empty line; nothing if that was not measured.
results_rest() {
  local tables=$EXECTAX_ROOT/lib/report/tables table
  table=$(results_rows "$1" perf | jq -r -L "$tables" -f "$tables/rest.jq")
  [[ -z $table ]] || printf '\n%s\n' "$table"
}

# A Markdown table of what a system call costs more under each monitor, after an empty line; nothing if that was not measured.
results_syscalls() {
  local tables=$EXECTAX_ROOT/lib/report/tables table
  table=$(results_rows "$1" syscalls | jq -r -L "$tables" -f "$tables/syscalls.jq")
  [[ -z $table ]] || printf '\n%s\n' "$table"
}

# results_table RUN NAME JQ_ARGUMENT...: lib/report/tables/NAME.jq of RUN's rows.
results_table() {
  local run=$1 tables=$EXECTAX_ROOT/lib/report/tables
  results_rows "$run" perf |
    jq -r -L "$tables" --slurpfile ranks /dev/fd/3 "${@:3}" -f "$tables/$2.jq" 3<<<"$(results_rows "$run" ranks | jq -c '.[]')"
}

# A flame graph a monitor.
results_flamegraphs() {
  local run=$1 monitor work
  work=$(mktemp -d)
  mlr --icsv --onidx count-distinct -f monitor then cut -f monitor "$run/plan.csv" | while IFS= read -r monitor; do
    if profile_flamegraph "$run" "$monitor" "$work/graph"; then
      files_put "$run/flame-$monitor.svg" <"$work/graph"
      say "$run/flame-$monitor.svg"
    else
      say "no flame graph of $monitor: it was not profiled"
    fi
  done
  rm -rf "$work"
}
