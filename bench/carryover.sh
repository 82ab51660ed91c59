#!/usr/bin/env bash
# What a launch that is watched does to the next one, watched or not, in window S by groups: caches that it left warm or cold, a daemon at work. By least
# squares within the blocks in which groups were drawn, from whether a launch is watched and whether the one before it was, with the guards of src/figures/side.c.
# Prints Markdown: for each monitor and rate, over all cells of the run, what a watched launch costs more (own), and what one costs more after a watched
# one (next), in CPU time of the launched program and of the launching thread, in µs ± one standard error (of how launches scatter, not of how starts of a monitor
# differ); and the difference of means within blocks, from which the second is not taken off (means). It shares no code with build/figures.
#
#   RUN=results/NAME bench/carryover.sh
set -euo pipefail

readonly RUN=${RUN:-}

shopt -s nullglob
cells=("$RUN"/cells/*/*/side)
((${#cells[@]})) || {
  echo "carryover.sh: RUN '$RUN': expected the folder of a run with cells that have a window S" >&2
  exit 2
}

for cell in "${cells[@]}"; do
  jq -e '.way == "groups" and .problem == ""' "$cell/side.json" >/dev/null || continue
  name=${cell#"$RUN/cells/"}
  rate=${name#*/}
  echo "cell ${name%%/*} ${rate%%-*} $(jq '.block_launches // 4' "$cell/load.json")"
  sed -n '2,$ { s/,/ /g; s/^/phase /; p }' "$cell/phases.csv"
  gzip -dc "$cell/launches.csv.gz" | awk -F, 'NR > 1 && $7 != "" { printf "%d %.0f %d %d %.3f\n", $1, $5 / 1000, $9, $6, $10 / 1000 }'
done | awk '
  function phase_of(us,    i) {
    for (i = 1; i <= phases; i++) if (us >= from[i] + 20000 && us < to[i] - 50000) return i
    return 0
  }
  # Of a block that is whole, whose launches and the one before them lie in one phase: sums of products of deviations.
  function end_block(    i, q, w, p, y, mean_w, mean_p, mean_y) {
    for (i = 1; i <= block; i++) { mean_w += own[i] / block; mean_p += before[i] / block }
    blocks[key]++
    for (i = 1; i <= block; i++) {
      w = own[i] - mean_w; p = before[i] - mean_p
      ww[key] += w * w; wp[key] += w * p; pp[key] += p * p
    }
    for (q = 1; q <= 2; q++) {
      mean_y = 0
      for (i = 1; i <= block; i++) mean_y += of[i, q] / block
      for (i = 1; i <= block; i++) {
        w = own[i] - mean_w; p = before[i] - mean_p; y = of[i, q] - mean_y
        wy[key, q] += w * y; py[key, q] += p * y; yy[key, q] += y * y
      }
    }
  }
  function estimates(key, q,    det, own_us, next_us, rest, freedom) {
    det = ww[key] * pp[key] - wp[key] ^ 2
    own_us = (wy[key, q] * pp[key] - py[key, q] * wp[key]) / det
    next_us = (py[key, q] * ww[key] - wy[key, q] * wp[key]) / det
    rest = yy[key, q] - own_us * wy[key, q] - next_us * py[key, q]
    freedom = blocks[key] * (size[key] - 1) - 2
    return sprintf("%.2f | %.2f ± %.2f | %.2f ± %.2f", wy[key, q] / ww[key], own_us, sqrt(rest / freedom * pp[key] / det),
      next_us, sqrt(rest / freedom * ww[key] / det))
  }
  $1 == "cell" {
    key = $2 " | " $3; block = $4; size[key] = block; phases = held = 0; last = -2
    if (!(key in cells)) order[++keys] = key
    cells[key]++
    next
  }
  $1 == "phase" { phases++; unwatched[phases] = $2; from[phases] = $3; to[phases] = $4; next }
  {
    at = phase_of($2)
    watched = at && $3 != unwatched[at]
    if ($1 % block == 0) held = 0
    if (at && at == last_at && $1 == last + 1 && held == $1 % block) {
      held++
      own[held] = watched; before[held] = last_watched; of[held, 1] = $4; of[held, 2] = $5
      if (held == block) { end_block(); held = 0 }
    }
    last = $1; last_at = at; last_watched = watched
  }
  END {
    print "| monitor | rate | cells | launches | program: means | own | next | launcher: means | own | next |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (i = 1; i <= keys; i++)
      if (blocks[order[i]] * (size[order[i]] - 1) > 2)
        printf "| %s | %d | %d | %s | %s |\n", order[i], cells[order[i]], blocks[order[i]] * size[order[i]], estimates(order[i], 1), estimates(order[i], 2)
  }'
