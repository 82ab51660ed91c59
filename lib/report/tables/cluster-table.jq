# The tables of a cluster's run as Markdown. Takes $jobs, $matrix, $rounds, $saturation, $experiment and $perf.
include "markdown";
include "shown";
def words: if . == null or . == "" or . == "-" then "–" else tostring end;
def answer: if . == "true" then "yes" elif . == "false" then "no" else . end;
def interval($column; $digits):
  (.[$column] | shown($digits))
  + (if (.["\($column)_low"] | type) == "number" then " (\(.["\($column)_low"] | shown($digits)) to \(.["\($column)_high"] | shown($digits)))" else "" end);
def bounded($column): (if (.[$column] | type) == "number" and .with_drops < .searches then "≥ " else "" end) + interval($column; 0);
def line: "| \(join(" | ")) |";

([$matrix, $jobs, $rounds, $saturation, $experiment, $perf] | all_md) as [$matrix, $jobs, $rounds, $saturation, $experiment, $perf]
| $matrix[0] as $matrix
| ($matrix.columns | map(select(IN("cpus", "memory") | not))) as $columns
| ($rounds[0] | group_by(.test) | map({(.[0].test): .}) | add // {}) as $rounds_of
| ($saturation[0] | map({(.test): .}) | add // {}) as $saturation_of
| "\($matrix.monitor), \($matrix.command) by row of the matrix and node:",
  "",
  (if all($jobs[0][]; .state != "complete") then "No Job was measured."
  elif $matrix.command == "saturate" then
    (["whose", "node", "CPUs", "memory"] + $columns + ["round", "EPS with drops", "% success", "average success EPS", "EPS before drops", "throttled, ms (periods)", "OOM kills"] | line),
    (["---", "---", "---:", "---:"] + ($columns | map("---")) + ["---:", "---:", "---:", "---:", "---:", "---:", "---:"] | line),
    ($experiment[0][]
      | . as $row
      | ($rounds_of[.test // ""] // [] | .[0]) as $round
      | ($saturation_of[.test // ""]) as $searches
      | [ (if .whose == "ours" then "ours; \(.with_drops) of \(.searches) searches lost events" else .whose end), ($round.node | words), (.cpus | words), (.memory | words) ]
        + ($columns | map(. as $column | if $row.whose == "ours" then $round["row_\($column)"] | tostring | answer else $row[$column] end | words))
        + [ (.round | shown(0)), interval("eps_with_drops"; 1), interval("success_percent"; 2), interval("success_eps"; 1), bounded("lossless_eps"),
            (if $searches.throttled_ms | type == "number" then "\($searches.throttled_ms | shown(0)) (\($searches.throttled_periods | shown(0)))" else "–" end), ($searches.oom_kills | shown(0)) ]
      | line),
    "",
    "CPUs and memory are the limits that were found at the monitor's cgroup. Ours are means over the searches of all roll-outs of a row on that node, with 95 % intervals (Student's) where there are several; those of one roll-out share what it began with, so that the true interval is somewhat wider; the round is the median. EPS: events per second. EPS with drops, % success and their product are of the first round that loses events, EPS before drops of the round before it; ≥: not all searches lost events. Throttled: how long, and in how many periods, the limit kept the monitor from running in the highest round without loss (median).\(if any($experiment[0][]; .whose != "ours") then " The published values have no intervals. Sources: \([$experiment[0][] | .source | select(. != null and . != "")] | unique | join("; "))." else "" end)"
  else
    (["node", "monitor"] + $matrix.columns + ["executions/s", "CPU of its processes, %", "lost of launched", "repetitions"] | line),
    (["---", "---"] + ($matrix.columns | map("---")) + ["---:", "---:", "---:", "---:"] | line),
    ($perf[0][] | . as $row
      | [ .node, .monitor ] + ($matrix.columns | map($row["row_\(.)"] | tostring | answer))
        + [ (.exec_per_sec | shown(1)), interval("daemon_cpu"; 2), "\(.lost | words) of \(.launched | words)", (.reps | words) ]
      | line),
    "",
    "The CPU time is that of the monitor's cgroup in the measured window, in % of one CPU, mean of the repetitions of one roll-out with its 95 % interval. perf.csv has all columns (results/README.md), and the row's values in row_*."
  end),
  ($jobs[0] | map(select(.state != "complete"))
    | if . == [] then empty else "", "Without figures:", (.[] | "- roll-out \(.turn) on \(.node): \(.reason)") end)
