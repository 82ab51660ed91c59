#!/usr/bin/env bash
# Window S against what is known: nothing at all (a monitor compared with itself), and a planted cost. Prints Markdown: how many of the
# 95 % intervals hold the truth, and how wide they are. Timing never makes it fail. As root; takes about COUNT times SIDE + 14 s each.
#
#   COUNT=50 RATE_HZ=800 SIDE=10 PLANTED_US="5 20 100" bench/accuracy.sh
set -euo pipefail

cd "$(dirname "$0")/.."

readonly COUNT=${COUNT:-50}
readonly RATE_HZ=${RATE_HZ:-800}
readonly SIDE=${SIDE:-10}
readonly PLANTED_US=${PLANTED_US:-5 20 100}
readonly OUT=${OUT:-build/accuracy}

# measure NAME MONITOR: COUNT cells of that double, into OUT/NAME.
measure() {
  EXECTAX_MONITORS=$PWD/bench/monitors ./exectax sweep --yes --monitors "none,$2" --rates "$RATE_HZ" --reps "$COUNT" --warmup 1 --duration 1 \
    --instrumented 0 --side "$SIDE" --syscalls 0 --repeat-disturbed 0 --out "$OUT/$1" >"$OUT/$1.txt"
}

# judge NAME MONITOR TRUTH_US: a row of the table.
judge() {
  mlr --icsv --ojson filter "\$test == \"$2\"" "$OUT/$1/cells.csv" | jq -r --arg name "$1" --argjson truth "$3" '
    map(select(.side_inband_us | type == "number")) as $cells
    # With hundreds of launches or more, 95 % of a normal distribution is right.
    | ($cells | map(select((.side_inband_us - $truth | fabs) <= 1.96 * .side_inband_error_us)) | length) as $held
    | ($cells | map(.side_inband_us) | add / length) as $mean
    | def two: . * 100 | round / 100;
      "| \($name) | \($truth) | \($cells | length) of \(length) | \($held) | \($mean | two) | \(1.96 * ($cells | map(.side_inband_error_us) | sort | .[length / 2 | floor]) | two) | \($cells | map(.side_launches) | sort | .[length / 2 | floor]) |"'
}

mkdir "$OUT"
# Until a monitor says otherwise.
echo "0 0" >build/planted.plan
measure "none with itself" none-sham
measure "auditd-raw with itself" auditd-raw-sham
for us in $PLANTED_US; do
  EXECTAX_COMMAND=$PWD/build/planted EXECTAX_PLANTED_US=$us measure "planted $us µs" planted
done
echo "| compared, at $RATE_HZ/s | truth, µs | windows | intervals that hold it | mean, µs | half an interval (median), µs | launches in a window |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
judge "none with itself" none-sham 0
judge "auditd-raw with itself" auditd-raw-sham 0
for us in $PLANTED_US; do
  judge "planted $us µs" planted "$us"
done
