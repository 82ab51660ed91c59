#!/usr/bin/env bash
# What BPF programs cost the watched program, got in two ways in one run: switched (window S), and counted and calibrated. The same programs
# do nothing on both ends of 2000 system calls of each launched program. Prints Markdown; timing never makes it fail. As root; takes about
# 2 minutes and COUNT times 55 s.
#
#   COUNT=6 RATE_HZ=100 bench/calibration.sh
set -euo pipefail

cd "$(dirname "$0")/.."
source bench/sweep.bash

readonly COUNT=${COUNT:-6}
readonly RATE_HZ=${RATE_HZ:-100}
readonly OUT=${OUT:-build/calibration}

EXECTAX_COMMAND=$PWD/build/manycalls EXECTAX_MONITORS=$PWD/bench/monitors sweep_into "$OUT" --monitors none,bpf-switched,bpf-counted \
  --rates "$RATE_HZ" --reps "$COUNT" --warmup 1 --duration 1 --instrumented 10 --side 10 --syscalls 0 >/dev/null
echo "| way, at $RATE_HZ/s | cells | watched program, µs | counted | calibrated on top |"
echo "| --- | ---: | ---: | ---: | ---: |"
mlr --icsv --ojson filter "\$test =~ \"^bpf-\"" "$OUT/perf.csv" | jq -r '
  def mean($name): if .[$name] == "" then "–" else "\(.[$name] * 10 | round / 10) (\(.[$name + "_low"] * 10 | round / 10) to \(.[$name + "_high"] * 10 | round / 10))" end;
  .[] | "| \(.inprogram_method) | \(.reps) | \(mean("program_us"))"
    + (if .inprogram_method == "switched" then " | | |" else " | \(mean("bpf_program_us")) | \(mean("bpf_uncounted_us")) |" end)'
