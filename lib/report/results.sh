# shellcheck shell=bash
# From a run's raw files to its tables and pictures. Reads only what the run wrote, so it can be done again at any time.

# results_make RUN [RATE]: cells.csv, perf.csv, and the pictures perf and parts; the ranking on stdout. The parts are
# drawn at RATE executions per second; default the measured rate that is nearest to 800.
results_make() {
  local run=$1 rate=${2:-800}
  results_cells "$run" | jq -s -L "$EXECTAX_ROOT/lib/report/figures" -f "$EXECTAX_ROOT/lib/report/figures/parts.jq" >"$run/cells.json"
  results_csv <"$run/cells.json" >"$run/cells.csv"
  jq -n -L "$EXECTAX_ROOT/lib/report/figures" --slurpfile manifest "$run/manifest.json" -f "$EXECTAX_ROOT/lib/report/figures/perf.jq" "$run/cells.json" | results_csv >"$run/perf.csv"
  rm "$run/cells.json"
  results_plot "$run"
  results_plot_parts "$run" "$rate"
  results_ranking "$run"
  echo
  results_costs "$run" "$rate"
}

# JSON objects to CSV, an unknown figure as an empty field.
results_csv() {
  jq 'map_values(if . == null then "" else . end)' | mlr --ijson --ocsv unsparsify
}

# One JSON object a cell, in the order of the plan.
results_cells() {
  local run=$1 cell rep monitor rate turn dir
  tail -n +2 "$run/plan.csv" | while IFS=, read -r cell rep monitor rate turn; do
    dir=$run/cells/$(plan_cell_folder "$monitor" "$rate" "$rep" "$turn")
    if [[ -f $dir/cell.json ]]; then
      results_cell "$dir"
    else
      jq -n --argjson cell "$cell" --arg test "$monitor" --argjson exec_per_sec "$rate" --argjson rep "$rep" --argjson turn "${turn:-1}" \
        '$ARGS.named + {status: "not-run", reason: "the run was interrupted before"}'
    fi
  done
}

results_cell() {
  local dir=$1
  jq -n --slurpfile cell "$dir/cell.json" \
    --slurpfile load "$(results_file "$dir/load.json")" \
    --slurpfile before "$(results_file "$dir/before.json")" --slurpfile after "$(results_file "$dir/after.json")" \
    --slurpfile clock "$(results_file "$dir/clock.json")" \
    --slurpfile log_bytes "$(results_file "$dir/log-bytes.json")" \
    --slurpfile count "$(results_file "$dir/count.json")" --slurpfile drain "$(results_file "$dir/drain.json")" \
    --argjson a "$(results_readings "$dir/window-a.csv")" --argjson b "$(results_readings "$dir/window-b.csv")" \
    --argjson has_bpf "$([[ -e $dir/bpf-metered ]] && echo true || echo false)" \
    --argjson same_processes "$(cmp -s "$dir/pids.csv" "$dir/pids-after.csv" && echo true || echo false)" \
    --argjson pidstat "$(results_pidstat "$dir")" \
    --argjson profile "$(results_profile "$dir/stacks.folded.gz")" \
    --argjson launches "$(results_launches "$dir")" \
    -f "$EXECTAX_ROOT/lib/report/figures/cell.jq"
}

# Samples of perf that were not idle, and those of them within an eBPF program; null where nothing was sampled.
results_profile() {
  if [[ -s $1 ]]; then
    profile_bpf_share "$1" | jq -Rnc '[inputs | split(" ") | {(.[0]): (.[1] | tonumber)}] | add'
  else
    echo null
  fi
}

# A flame graph a monitor.
results_flamegraphs() {
  local run=$1 monitor
  mlr --icsv --onidx count-distinct -f monitor then cut -f monitor "$run/plan.csv" | while IFS= read -r monitor; do
    if profile_flamegraph "$run" "$monitor" "$run/flame-$monitor.svg"; then
      say "$run/flame-$monitor.svg"
    else
      say "no flame graph of $monitor: it was not profiled"
    fi
  done
}

# What cpumeter wrote, as a JSON list.
results_readings() {
  if [[ -s $1 ]]; then
    mlr --icsv --ojson cat "$1" | jq -c .
  else
    echo '[]'
  fi
}

# results_window FILE: when cpumeter's first and last reading were, CLOCK_MONOTONIC, which no step of the time of day moves.
results_window() {
  results_readings "$1" | jq -c 'map(select(.source == "clock" and .name == "monotonic").cpu_ns) | {from_ns: min, to_ns: max}'
}

results_file() {
  if [[ -s $1 ]]; then
    echo "$1"
  else
    echo /dev/null
  fi
}

# CPU of the monitor's processes and of its helpers in % of one CPU: for each, the sum of its samples over their number.
# A sample is a line for each process, with a header only where there are several of them.
results_pidstat() {
  local dir=$1
  if [[ ! -s $dir/pidstat.txt ]]; then
    echo null
    return
  fi
  awk -F, '
    FNR == NR { role[$1] = $2; next }
    FNR == 1 { FS = " "; $0 = $0 }
    /^# Time/ { for (i = 2; i <= NF; i++) { if ($i == "PID") pid = i - 1; if ($i == "%CPU") cpu = i - 1 }; next }
    pid && $pid in role { sum[role[$pid]] += $cpu; if (++lines[$pid] > samples) samples = lines[$pid] }
    END {
      if (!samples) print "null"
      else printf "{\"samples\": %d, \"daemon\": %.3f, \"helper\": %.3f}\n", samples, sum["daemon"] / samples, sum["helper"] / samples
    }' "$dir/pids.csv" "$dir/pidstat.txt"
}

# Per window, of the launches that started in it: how many, their CPU time, launch to exit, launch to the record being
# readable in the log. {} where the load left no record of them.
results_launches() {
  local dir=$1 a b
  if [[ ! -s $dir/launches.csv.gz || ! -s $dir/window-a.csv ]]; then
    echo '{}'
    return
  fi
  a=$(results_window_condition "$dir/window-a.csv")
  b=$(results_window_condition "$dir/window-b.csv")
  zcat "$dir/launches.csv.gz" | mlr --icsv --ojson \
    join --ur -j seq -f /dev/fd/3 then \
    filter "is_not_empty(\$spawn_to_exit_ns)" then \
    put "\$window = $a ? \"a\" : $b ? \"b\" : \"\"; \$delay_ns = is_present(\$time_real_ns) ? \$time_real_ns - \$start_real_ns : \"\"" then \
    stats1 -a count,mean,p50,p99,max -f child_cpu_us,spawn_to_exit_ns,delay_ns -g window \
    3<<<"$(results_delivery "$dir")" |
    jq -c 'map({key: .window, value: (map_values(numbers) + {count: .spawn_to_exit_ns_count})}) | from_entries'
}

# A condition on a launch, for Miller: that it started within the window.
results_window_condition() {
  results_window "$1" | jq -r 'if .from_ns then "($start_mono_ns >= \(.from_ns) && $start_mono_ns < \(.to_ns))" else "false" end'
}

# `seq,time_real_ns` of the records that were seen to arrive.
results_delivery() {
  if [[ -s $1/delivery.csv.gz ]]; then
    zcat "$1/delivery.csv.gz"
  else
    echo "seq,time_real_ns"
  fi
}

# The measured rate that is nearest to RATE.
results_nearest_rate() {
  mlr --icsv --ojson cat "$1/perf.csv" | jq --argjson wanted "$2" 'map(.exec_per_sec | numbers) | unique | min_by(. - $wanted | fabs)'
}

# How far a cell of the baseline at RATE lies from what the others tell, in µs per execution: nine of ten cells lie within
# that. A monitor's cell is hardly better than that, so smaller differences from the baseline say nothing. Nothing if there
# are no two cells.
results_baseline_spread() {
  mlr --icsv --ojson cat "$1/cells.csv" | jq -L "$EXECTAX_ROOT/lib/report/figures" --argjson rate "$2" 'include "disturbed";
    map(select(.test == "none" and .exec_per_sec == $rate and .status == "ok")) | undisturbed | map(.total_us | numbers | fabs) | sort
    | if length < 2 then empty else .[(length * 0.9 | ceil) - 1] | round end'
}

results_host_line() {
  jq -r '.host as $h | .options as $o | "\($h.os), Linux \($h.kernel), \($h.cpus) × \($h.cpu_model)"
    + (if $h.virtualisation != "none" then " (\($h.virtualisation) guest)" else "" end)
    + ", \(.started[0:10]); median of \(if .state == "interrupted" then "up to " else "" end)\($o.reps), windows of \($o.duration_s) s"' "$1/manifest.json"
}

# A Markdown table of what an execution costs, and who pays.
results_costs() {
  local run=$1 rate spread
  rate=$(results_nearest_rate "$run" "$2")
  mlr --icsv --ojson cat "$run/perf.csv" | jq -r --argjson rate "$rate" -f "$EXECTAX_ROOT/lib/report/tables/costs.jq"
  if [[ $(jq .options.attached "$run/manifest.json") != true ]]; then
    spread=$(results_baseline_spread "$run" "$rate")
    if [[ -n $spread ]]; then
      printf 'Nine of ten cells of the baseline lay within %s µs of what the others tell: smaller differences of a single cell from it say nothing.\n' "$spread"
    else
      printf 'There is one cell of the baseline: how far such cells lie apart, and so how much a difference from it says, is not known.\n'
    fi
  else
    cat <<'TEXT'

Measured as it runs, against itself at rest (0 executions per second). Without a run without it there is no baseline: what it
costs the watched programs themselves, other than the run time of its eBPF programs, and the machine as a whole, is not known.
TEXT
  fi
}

# A Markdown table, cheapest first: CPU at each rate, executions lost, and what could not be measured.
results_ranking() {
  local run=$1
  mlr --icsv --ojson cat "$run/perf.csv" | jq -r -f "$EXECTAX_ROOT/lib/report/tables/ranking.jq"
}
