#!/usr/bin/env bash
# By how much the counted run time of a BPF program that takes long is too long. The program counts to STEPS at each exec. Each cell has both: what
# the launched programs use more with it than without (window S), which shares nothing with the kernel's count, and its run time as counted in
# window B, perf's samples included. Prints Markdown, with standard errors; timing never makes it fail. As root; takes about COUNT times 40 s for
# each of STEPS.
#
#   COUNT=12 RATE_HZ=800 STEPS='100000 400000' bench/runtime.sh
set -euo pipefail

cd "$(dirname "$0")/.."
source bench/sweep.bash

readonly COUNT=${COUNT:-12}
readonly RATE_HZ=${RATE_HZ:-800}
readonly STEPS=${STEPS:-100000 400000}
readonly OUT=${OUT:-build/runtime}

echo "| steps | cells | switched, µs a run | counted | counted − switched | of the switched |"
echo "| ---: | ---: | ---: | ---: | ---: | ---: |"
for steps in $STEPS; do
  EXECTAX_STEPS=$steps EXECTAX_MONITORS=$PWD/bench/monitors sweep_into "$OUT/$steps" --monitors none,bpf-long --rates "$RATE_HZ" \
    --reps "$COUNT" --warmup 1 --duration 1 --instrumented 10 --side 12 --syscalls 0 >/dev/null
  # The pace of the machine, which differs from cell to cell, is in both of a cell alike.
  mlr --icsv --ojson cat "$OUT/$steps/cells.csv" | jq -r --arg steps "$steps" '
    def tenths: . * 10 | round / 10;
    def mean: add / length;
    def error: mean as $mean | map(. - $mean | . * .) | add / (length - 1) / length | sqrt;
    def shown: "\(mean | tenths) ± \(error | tenths)";
    map(select(.test == "bpf-long" and .side_program_us != "") | {switched: .side_program_us, counted: (.bpf_us / .bpf_runs)})
    | (map(.switched) | mean) as $switched
    | map(.counted - .switched) as $more
    | "| \($steps) | \(length) | \(map(.switched) | shown) | \(map(.counted) | shown) | \($more | shown) | \($more | map(100 * . / $switched) | shown) % |"'
done
