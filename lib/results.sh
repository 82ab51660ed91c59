# shellcheck shell=bash
# From a run's raw files to its tables and pictures. Reads only what the run wrote, so it can be done again at any time.

# results_make RUN: cells.csv, perf.csv, perf.png, perf.svg; the ranking on stdout.
results_make() {
  local run=$1
  results_cells "$run" >"$run/cells.json"
  results_csv <"$run/cells.json" >"$run/cells.csv"
  jq -n --slurpfile manifest "$run/manifest.json" -f "$EXECTAX_ROOT/lib/perf.jq" "$run/cells.json" | results_csv >"$run/perf.csv"
  rm "$run/cells.json"
  results_plot "$run"
  results_ranking "$run"
}

# JSON objects to CSV, an unknown figure as an empty field.
results_csv() {
  jq 'map_values(if . == null then "" else . end)' | mlr --ijson --ocsv unsparsify
}

# One JSON object a cell, in the order of the plan.
results_cells() {
  local run=$1 cell rep monitor rate dir
  while IFS=, read -r cell rep monitor rate; do
    dir=$run/cells/$monitor/$rate-$rep
    if [[ -f $dir/cell.json ]]; then
      results_cell "$dir"
    else
      jq -n --argjson cell "$cell" --arg test "$monitor" --argjson exec_per_sec "$rate" --argjson rep "$rep" \
        '$ARGS.named + {status: "not-run", reason: "the run was interrupted before"}'
    fi
  done < <(tail -n +2 "$run/plan.csv")
}

results_cell() {
  local dir=$1 window
  window=$(jq -sc 'if length == 2 then {from: .[0].time_us, to: .[1].time_us} else {} end' \
    "$dir/window-start.json" "$dir/window-end.json" 2>/dev/null || echo '{}')
  jq -n --slurpfile cell "$dir/cell.json" \
    --slurpfile load "$(results_file "$dir/load.json")" \
    --slurpfile before "$(results_file "$dir/before.json")" --slurpfile after "$(results_file "$dir/after.json")" \
    --slurpfile window_start "$(results_file "$dir/window-start.json")" --slurpfile window_end "$(results_file "$dir/window-end.json")" \
    --slurpfile count "$(results_file "$dir/count.json")" \
    --argjson same_processes "$(cmp -s "$dir/pids.csv" "$dir/pids-after.csv" && echo true || echo false)" \
    --argjson pidstat "$(results_pidstat "$dir")" \
    --argjson launched_in_window "$(results_launched_in_window "$dir" "$window")" \
    -f "$EXECTAX_ROOT/lib/cell.jq"
}

results_file() {
  if [[ -s $1 ]]; then
    echo "$1"
  else
    echo /dev/null
  fi
}

# CPU of the monitor's processes and of its helpers in % of one CPU: for each, the sum of its samples over their number.
results_pidstat() {
  local dir=$1
  if [[ ! -s $dir/pidstat.txt ]]; then
    echo null
    return
  fi
  awk -F, '
    FNR == NR { role[$1] = $2; next }
    FNR == 1 { FS = " "; $0 = $0 }
    /^# Time/ { samples++; for (i = 2; i <= NF; i++) { if ($i == "PID") pid = i - 1; if ($i == "%CPU") cpu = i - 1 }; next }
    samples && $pid in role { sum[role[$pid]] += $cpu }
    END {
      if (!samples) print "null"
      else printf "{\"samples\": %d, \"daemon\": %.3f, \"helper\": %.3f}\n", samples, sum["daemon"] / samples, sum["helper"] / samples
    }' "$dir/pids.csv" "$dir/pidstat.txt"
}

# Launches that started inside the window; null where the load left no record of them.
results_launched_in_window() {
  local dir=$1 window=$2
  if [[ ! -s $dir/launches.csv.gz || $window == "{}" ]]; then
    echo null
    return
  fi
  zcat "$dir/launches.csv.gz" | awk -F, -v from="$(jq .from <<<"$window")" -v to="$(jq .to <<<"$window")" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == "start_real_ns") start = i; next }
    $start != "" && $start / 1000 >= from && $start / 1000 < to { n++ }
    END { print n + 0 }'
}

# The picture, as PNG and SVG.
results_plot() {
  local run=$1 format subtitle
  local -a lines
  mapfile -t lines < <(mlr --icsv --ojson cat "$run/perf.csv" | jq -r -f "$EXECTAX_ROOT/lib/legend.jq")
  if ((${#lines[@]} == 0)); then
    warn "nothing was measured, so there is no picture"
    return 0
  fi
  subtitle=$(results_host_line "$run")
  for format in png svg; do
    gnuplot -e "data='${run//\'/\'\'}/perf.csv'; picture='${run//\'/\'\'}/perf.$format'; format='$format'; subtitle='${subtitle//\'/\'\'}'; \
tests='$(printf '%s ' "${lines[@]%%|*}")'; titles='$(printf '"%s" ' "${lines[@]#*|}")'" "$EXECTAX_ROOT/plots/perf.gp"
  done
}

results_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); median of \($o.reps), windows of \($o.duration_s) s"' "$1/manifest.json"
}

# A Markdown table, cheapest first: CPU at each rate, executions lost, and what could not be measured.
results_ranking() {
  local run=$1
  jq -rn --slurpfile rows <(mlr --icsv --ojson cat "$run/perf.csv") -f "$EXECTAX_ROOT/lib/ranking.jq"
}
