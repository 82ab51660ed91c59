#!/usr/bin/env bash
# From which CPU the launches of window S came, and what they cost: for each cell and each CPU, how many launches, and the mean CPU time of the launched
# program, unwatched and watched. Launches near the ends of a phase are left out, as in src/figures/side.c, and those that took more than five times
# the median. Prints Markdown. CELLS: which cells, a pattern of MONITOR/RATE-REPETITION.
#
#   RUN=results/NAME CELLS='forkstat/*' bench/launch-cpus.sh
set -euo pipefail

readonly RUN=${RUN:-}
readonly CELLS=${CELLS:-*/*}

shopt -s nullglob
# shellcheck disable=SC2206 # a pattern
cells=("$RUN"/cells/$CELLS/side/launches.csv.gz)
((${#cells[@]})) || {
  echo "launch-cpus.sh: RUN '$RUN', CELLS '$CELLS': expected the folder of a run, and a pattern of cells that have a window S" >&2
  exit 2
}

echo "| cell | from CPU | unwatched launches | µs | watched launches | µs |"
echo "| --- | ---: | ---: | ---: | ---: | ---: |"
for file in "${cells[@]}"; do
  cell=${file%/side/launches.csv.gz}
  median=$(gzip -dc "$file" | awk -F, 'NR > 1 && $6 != "" { print $6 }' | sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }')
  gzip -dc "$file" | awk -F, -v cell="${cell#"$RUN/cells/"}" -v median="$median" '
    function smaller(a, b) { return a < b ? a : b }
    FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
    file == 1 {
      length_us = $3 - $2
      unwatched[++phases] = $1; from[phases] = $2 + smaller(length_us / 10, 20000); to[phases] = $3 - smaller(length_us / 4, 50000)
      next
    }
    !("cpu" in column) { print "launch-cpus.sh: " cell ": its launches have no CPU, of an older run" >"/dev/stderr"; exit }
    $6 == "" || $6 > 5 * median { next }
    {
      us = $5 / 1000
      while (phase < phases && us >= to[phase + 1]) phase++
      if (phase == phases || us < from[phase + 1]) next
      is = unwatched[phase + 1] != "all" && unwatched[phase + 1] != $9
      cpu = $column["cpu"]
      if (cpu > last) last = cpu
      n[cpu, is]++; sum[cpu, is] += $6
    }
    END {
      for (cpu = 0; cpu <= last; cpu++)
        if (n[cpu, 0] && n[cpu, 1]) printf "| %s | %d | %d | %.0f | %d | %.0f |\n", cell, cpu, n[cpu, 0], sum[cpu, 0] / n[cpu, 0], n[cpu, 1], sum[cpu, 1] / n[cpu, 1]
    }' "$cell/side/phases.csv" -
done
