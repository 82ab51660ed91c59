#!/usr/bin/env bash
# How well a window S knows a difference when a monitor is switched off and on in phases of different lengths. Of launches without any monitor, so that the
# truth is zero: each cell's are given to phases as if something had been switched (ABBA), with the guards of src/figures/side.c, in four
# ways that differ by where the first phase begins. Prints Markdown. RUN: a folder of a run, whose cells of `none` are taken.
#
#   RUN=results/NAME SECONDS_S=3 bench/phases.sh
set -euo pipefail

readonly RUN=${RUN:-}
readonly SECONDS_S=${SECONDS_S:-3}

shopt -s nullglob
files=("$RUN"/cells/none*/*/launches.csv.gz "$RUN"/cells/none*/*/side/launches.csv.gz)
((${#files[@]})) || {
  echo "phases.sh: RUN '$RUN': expected the folder of a run with cells of none" >&2
  exit 2
}

for file in "${files[@]}"; do
  echo
  gzip -dc "$file" | awk -F, 'NR > 1 && $7 != "" { printf "%.0f %s\n", $5 / 1000, $6 }'
done | awk -v seconds="$SECONDS_S" '
  function smaller(a, b) { return a < b ? a : b }
  function end_cycle(way) {
    if (number[way, 0] && number[way, 1]) {
      difference = sum[way, 0] / number[way, 0] - sum[way, 1] / number[way, 1]
      squares[way] += difference * difference
      cycles[way]++
    }
    number[way, 0] = number[way, 1] = sum[way, 0] = sum[way, 1] = 0
  }
  function end_cell() {
    for (way = 1; way <= ways; way++) end_cycle(way)
    first = 0
  }
  BEGIN {
    lengths = split("400000 200000 100000 50000 20000", length_us, " ")
    for (i = 1; i <= lengths; i++)
      for (k = 0; k < 4; k++) { ways++; of[ways] = i; offset[ways] = k * length_us[i] }
  }
  NF == 0 { end_cell(); next }
  {
    if (!first) { first = $1; for (way = 1; way <= ways; way++) at[way] = 0 }
    launches++
    for (way = 1; way <= ways; way++) {
      us = length_us[of[way]]
      since = $1 - first - offset[way]
      if (since < 0) continue
      phase = int(since / us)
      within = since - phase * us
      if (int(phase / 4) != at[way]) { end_cycle(way); at[way] = int(phase / 4) }
      if (within < smaller(us / 10, 20000) || within >= us - smaller(us / 4, 50000)) continue
      side = phase % 4 == 1 || phase % 4 == 2
      sum[way, side] += $2
      number[way, side]++
    }
  }
  END {
    end_cell()
    print "| phase, ms | standard error of a difference from " seconds " s, µs |"
    print "| ---: | ---: |"
    for (way = 1; way <= ways; way++) { all[of[way]] += squares[way]; count[of[way]] += cycles[way] }
    for (i = 1; i <= lengths; i++)
      printf "| %d | %.1f |\n", length_us[i] / 1000, sqrt(all[i] / count[i] * 4 * length_us[i] / 1e6 / seconds)
    printf "\nOf %d launches.\n", launches
  }'
