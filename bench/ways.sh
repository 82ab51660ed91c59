#!/usr/bin/env bash
# What auditd costs the watched program, got in three ways in one run: by launch (window S with groups), by switching (window S in which all launches are
# watched or none, by turns), and apart (the same cells against those of none). Prints Markdown; what it finds never makes it fail. As
# root. Takes REPS times a minute and a half.
#
#   RATE_HZ=800 REPS=10 SIDE=10 bench/ways.sh
set -euo pipefail

cd "$(dirname "$0")/.."
source bench/sweep.bash

readonly RATE_HZ=${RATE_HZ:-800}
readonly REPS=${REPS:-10}
readonly SIDE=${SIDE:-10}
readonly OUT=${OUT:-build/ways}

EXECTAX_MONITORS=$PWD/bench/monitors sweep_into "$OUT" --monitors none,auditd-raw,auditd-raw-switched --rates "$RATE_HZ" --reps "$REPS" --warmup 1 --duration "$SIDE" \
  --instrumented 0 --side "$SIDE" --syscalls 0 >/dev/null

# row NAME MONITOR COLUMN: of perf.csv, with its interval.
row() {
  mlr --icsv --ojson filter "\$test == \"$2\"" "$OUT/perf.csv" |
    jq -r --arg name "$1" --arg column "$3" '
      def one: . * 10 | round / 10;
      .[0] | "| \($name) | \(.[$column] | one) | \(.["\($column)_low"] | one) to \(.["\($column)_high"] | one) |"'
}

echo "| in the program, of auditd-raw at $RATE_HZ/s | µs | 95 % interval |"
echo "| --- | ---: | ---: |"
row "by launch" auditd-raw program_us
row "by switching" auditd-raw-switched program_us
row "apart" auditd-raw program_apart_us
row "apart, the cells of which it is switched" auditd-raw-switched program_apart_us
