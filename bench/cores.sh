#!/usr/bin/env bash
# What it does to window S where a hypervisor has placed the CPUs of a guest: for each monitor and rate of a run, from the blocks of 16 launches in which groups were drawn,
# what an unwatched launch takes, and how much more a watched one, in µs of CPU time of the launched program ± one standard error (of how blocks scatter), by cores.csv: while each
# CPU had a core of its own near the other, while they shared one, and while they had no cache in common. Blocks of which that can't be said as a whole are left out; what a launch
# does to the next one, which bench/carryover.sh has, is not taken off. Prints Markdown. It shares no code with build/figures.
#
#   RUN=results/NAME bench/cores.sh
set -euo pipefail

readonly RUN=${RUN:-}

shopt -s nullglob
cells=("$RUN"/cells/*/*/side)
((${#cells[@]})) || {
  echo "cores.sh: RUN '$RUN': expected the folder of a run with cells that have a window S" >&2
  exit 2
}

for cell in "${cells[@]}"; do
  [[ -e $cell/../cores.csv && -e $cell/side.json ]] || continue
  jq -e '.way == "groups" and .problem == ""' "$cell/side.json" >/dev/null || continue
  name=${cell#"$RUN/cells/"}
  rate=${name#*/}
  echo "cell ${name%%/*} ${rate%%-*} $(jq '.block_launches // 4' "$cell/load.json")"
  sed -n '2,$ { s/,/ /g; s/^/phase /; p }' "$cell/phases.csv"
  awk -F, 'NR > 1 { print "look", $1, $3 == "" ? "?" : $3 ? "shared" : $5 ? "far" : "near" }' "$cell/../cores.csv"
  gzip -dc "$cell/launches.csv.gz" | awk -F, 'NR > 1 && $7 != "" { printf "%d %.0f %.0f %d %d\n", $1, $5 / 1000, $3, $9, $6 }'
done | awk '
  function phase_of(us,    i) {
    for (i = 1; i <= phases; i++) if (us >= from[i] + 20000 && us < to[i] - 50000) return i
    return 0
  }
  # Of the looks before and after: what both say, or ?.
  function state_at(ns) {
    while (look < looks && at[look + 1] <= ns) look++
    return look && look < looks && placed[look] == placed[look + 1] ? placed[look] : "?"
  }
  function end_block(    key, difference) {
    if (count != block || watched != block / 2 || state == "?") return
    key = monitor "," rate "," state
    difference = sum[1] / watched - sum[0] / (count - watched)
    n[key]++; plain[key] += sum[0] / (count - watched); d[key] += difference; dd[key] += difference ^ 2
    seen[monitor "," rate] = 1
  }
  $1 == "cell" { monitor = $2; rate = $3; block = $4; phases = looks = look = 0; begun = -1; next }
  $1 == "phase" { unwatched[++phases] = $2; from[phases] = $3; to[phases] = $4; next }
  $1 == "look" { at[++looks] = $2; placed[looks] = $3; next }
  {
    number = int($1 / block)
    if (number != begun) { if (begun >= 0) end_block(); begun = number; count = watched = sum[0] = sum[1] = 0; state = state_at($3) }
    phase = phase_of($2)
    if (!phase || state_at($3) != state) state = "?"
    is = phase && unwatched[phase] != $4
    count++; watched += is; sum[is] += $5
  }
  function told(key) {
    return n[key] > 1 ? sprintf("%.0f | %.1f ± %.1f | %d", plain[key] / n[key], d[key] / n[key], sqrt((dd[key] - d[key] ^ 2 / n[key]) / (n[key] - 1) / n[key]), n[key]) : "– | – | " n[key] + 0
  }
  END {
    for (key in seen) { split(key, part, ","); printf "%s,%d\t| %s | %d | %s | %s | %s |\n", part[1], part[2], part[1], part[2], told(key ",near"), told(key ",shared"), told(key ",far") }
  }' | sort -t , -k 1,1 -k 2,2n | cut -f 2 | {
  printf '%s\n' "| monitor | rate | near: unwatched | watched, more | blocks | shared: unwatched | watched, more | blocks | far: unwatched | watched, more | blocks |" \
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  cat
}
