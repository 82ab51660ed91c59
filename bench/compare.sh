#!/usr/bin/env bash
# How often exectax compare tells a build from itself, and how often it finds a cost that was planted. COUNT runs, each of several builds in turn:
# one, SAME times the same once more, and, for each of PLANTED_US, the same with a process in its cgroup that uses so much CPU time an execution. Prints Markdown; what
# it finds never makes it fail. As root. It says first how long it takes; what is there of an earlier call (OUT) is not measured again.
#
#   COUNT=100 SAME=1 MONITOR=floor-audit RATE_HZ=400 REPS=6 PLANTED_US="3 10" OUT=build/compare bench/compare.sh
#   COUNT=10 SAME=4 PLANTED_US='' REPS=4 DURATION=2 SIDE=2 bench/compare.sh      # a hundred comparisons of a build with itself, ten in each run
#   COUNT=10 MONITOR=falco PROGRAM=/path/to/falco RATE_HZ=800 REPS=8 DURATION=10 INSTRUMENTED=2 SIDE=0 PLANTED_US="3.3 11" SAME=0 OUT=build/compare-falco bench/compare.sh
#
# PROGRAM: the monitor's own, where it is not build/MONITOR. DURATION, INSTRUMENTED, SIDE: seconds of windows A, B and S. PLANTED_US='': builds with themselves only.
# The SAME + 1 builds that are the same are compared each with each other one, so comparisons of one run share builds and are right or wrong together more often.
set -euo pipefail

cd "$(dirname "$0")/.."
source bench/sweep.bash

readonly COUNT=${COUNT:-100}
readonly SAME=${SAME:-1}
readonly MONITOR=${MONITOR:-floor-audit}
readonly RATE_HZ=${RATE_HZ:-400}
readonly REPS=${REPS:-6}
readonly PLANTED_US=${PLANTED_US-3 10}
readonly PROGRAM=${PROGRAM:-$PWD/build/$MONITOR}
readonly DURATION=${DURATION:-3}
readonly INSTRUMENTED=${INSTRUMENTED:-0}
readonly SIDE=${SIDE:-3}
readonly OUT=${OUT:-build/compare}
# Of `exectax compare --fail-if-worse`, in %.
readonly LIMIT=${LIMIT:-5}
readonly FIGURES=${FIGURES:-counted_overhead,counted,daemon_us}

# make_builds: a copy of PROGRAM, and those that have a second process.
make_builds() {
  local us
  local -i i
  mkdir -p "$OUT"
  for ((i = 1; i <= SAME; i++)); do
    cp "$PROGRAM" "$OUT/same-$i"
  done
  for us in $PLANTED_US; do
    make_dearer "$us"
  done
}

# make_dearer US. The second process ends when the monitor does, so that nothing waits for it.
make_dearer() {
  local percent
  percent=$(jq -n "$1 * $RATE_HZ / 10000")
  cat >"$OUT/dearer-$1" <<WRAPPER
#!/bin/sh
case \$1 in
--version) ;;
*) setpriv --pdeathsig TERM -- "$PWD/build/planted" daemon $percent & ;;
esac
exec "$PROGRAM" "\$@"
WRAPPER
  chmod +x "$OUT/dearer-$1"
}

# measure COMMAND ARGUMENT...: COMMAND (exectax sweep, or what calls it) with the options of a run.
measure() {
  local us
  local -i i
  local -a others=()
  for ((i = 1; i <= SAME; i++)); do
    others+=(--build "$MONITOR@same-$i=$OUT/same-$i")
  done
  for us in $PLANTED_US; do
    others+=(--build "$MONITOR@dearer-$us=$OUT/dearer-$us")
  done
  "$@" --build "$MONITOR@one=$PROGRAM" "${others[@]}" \
    --rates "$RATE_HZ" --reps "$REPS" --warmup 1 --duration "$DURATION" --instrumented "$INSTRUMENTED" --side "$SIDE" --syscalls 0
}

# seconds_of DURATION: of 1h02m or 6m42s.
seconds_of() {
  [[ $1 =~ ^(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?$ ]]
  echo $((10#${BASH_REMATCH[2]:-0} * 3600 + 10#${BASH_REMATCH[4]:-0} * 60 + 10#${BASH_REMATCH[6]:-0}))
}

say_time() {
  local run each
  local -i left=0 minutes
  each=$(measure ./exectax sweep --dry-run | sed -nE 's/^Time: +about ([^,;]*).*/\1/p')
  for ((run = 1; run <= COUNT; run++)); do
    sweep_is_complete "$OUT/$run" || left+=1
  done
  minutes=$((left * $(seconds_of "$each") / 60))
  echo "$left runs to go, about $each each: $((minutes / 60)) hours and $((minutes % 60)) minutes in all." >&2
}

# comparisons A B: JSON a comparison, of sides with % for the number of a run and + for that of the next one.
comparisons() {
  local run a b
  local -i last=COUNT
  [[ $1$2 != *+* ]] || last=$((COUNT - 1))
  for ((run = 1; run <= last; run++)); do
    a=${1//%/$run} b=${2//%/$run}
    ./exectax compare --format json --figure "$FIGURES" "$OUT/${a//+/$((run + 1))}" "$OUT/${b//+/$((run + 1))}" | jq -c '.comparisons[]' || true
  done
}

# pairs: comparisons of each build that is the same with each other one.
pairs() {
  local -a builds=(one)
  local -i i j
  for ((i = 1; i <= SAME; i++)); do
    builds+=("same-$i")
  done
  for ((i = 0; i < SAME; i++)); do
    for ((j = i + 1; j <= SAME; j++)); do
      comparisons %:"$MONITOR@${builds[i]}" %:"$MONITOR@${builds[j]}"
    done
  done
}

# tally NAME TRUTH_US, of comparisons on stdin: a row a figure. TRUTH_US: by how much B is dearer. What that is of an execution differs from cell to cell, for what is planted
# is CPU time, which a slower machine does not make more.
tally() {
  jq -rs --arg name "$1" --argjson truth "$2" --argjson limit "$LIMIT" '
    def median: sort | .[length / 2 | floor];
    def shown: . * 100 | round / 100;
    group_by(.figure)[] | (map(select(.verdict != "not comparable"))) as $judged
    | ($judged | length) as $count | select($count > 0)
    | "| \($name) | \(.[0].figure) | \($count) of \(length) | \([$judged[] | select(.verdict == "better")] | length) | \([$judged[] | select(.verdict == "worse")] | length) | \([$judged[] | select(.ratio.low != null and .ratio.low > 1 + $limit / 100)] | length)"
      + " | \(if $truth != 0 and .[0].unit == "% of an execution" then "–" else [$judged[] | select(.difference.low <= $truth and .difference.high >= $truth)] | length end) | \($judged | map(.a.value) | median | shown)"
      + " | \($judged | map(.difference.value) | add / $count | shown) | \($judged | map(.smallest_shown) | median | shown) |"'
}

# By how much runs differ in what they have in all cells alike: the scatter of a build's means over the runs, less what their own
# intervals say, in % of the mean.
between_runs() {
  local run
  for ((run = 1; run <= COUNT; run++)); do
    mlr --icsv --ojson filter "\$test == \"$MONITOR@one\"" "$OUT/$run/perf.csv"
  done | jq -rs --argjson reps "$REPS" '
    # t of reps - 1 degrees of freedom, near enough.
    (1.96 + 2.4 / ($reps - 1) + 3.2 / (($reps - 1) * ($reps - 1))) as $t
    | add // [] | map(select(.daemon_us_low | type == "number")) | select(length > 1) | (map(.daemon_us) | add / length) as $mean
    | (map(.daemon_us - $mean | . * .) | add / (length - 1)) as $scatter
    | (map((.daemon_us_high - .daemon_us_low) / 2 / $t | . * .) | add / length) as $own
    | "Of `daemon_us`, runs differ by \([$scatter - $own, 0] | max | sqrt / $mean * 1000 | round / 10) % (one standard deviation, beyond what cells scatter); two runs by \([$scatter - $own, 0] | max * 2 | sqrt / $mean * 1000 | round / 10) %, for which `--between-runs` has 10 %."'
}

main() {
  local run us
  [[ -x $PROGRAM && -x build/planted ]] || {
    echo "compare.sh: $PROGRAM or build/planted is not there (make bench-compare builds those that are exectax's own)" >&2
    exit 1
  }
  make_builds
  say_time
  for ((run = 1; run <= COUNT; run++)); do
    measure sweep_into "$OUT/$run" >/dev/null
  done
  echo "| compared | figure | comparable | better | worse | worse by more than $LIMIT % | intervals that hold the truth | of A (median) | mean difference | smallest difference shown (median) |"
  echo "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  pairs | tally "a build with itself" 0
  for us in $PLANTED_US; do
    comparisons %:"$MONITOR@one" %:"$MONITOR@dearer-$us" | tally "$us µs dearer" "$us"
  done
  comparisons %:"$MONITOR@one" +:"$MONITOR@one" | tally "a build with itself in the next run" 0
  echo
  between_runs
}

main
