#!/usr/bin/env bash
# How long the figures of a large run take, and how much memory; then all of `exectax report`, and how large the page is. The run is made up. Timing never makes it fail.
#
#   CELLS=1000 LAUNCHES=8000 ROUNDS=3 bench/report.sh

set -euo pipefail

cd "$(dirname "$0")/.."

readonly CELLS=${CELLS:-1000}
readonly LAUNCHES=${LAUNCHES:-8000}
readonly ROUNDS=${ROUNDS:-3}

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT

main() {
  local seconds cpu_seconds memory_mib
  local -i round
  build/manycells make "$work/run" "$CELLS" "$LAUNCHES"
  printf '%s CPUs, Linux %s; %s cells of %s launches; load before: %s\n\n' \
    "$(nproc)" "$(uname -r)" "$CELLS" "$LAUNCHES" "$(cut -d' ' -f1-3 /proc/loadavg)"
  printf '| round | seconds | of CPU | peak memory, MiB |\n| --- | ---: | ---: | ---: |\n'
  for ((round = 1; round <= ROUNDS; round++)); do
    read -r seconds cpu_seconds memory_mib <<<"$(build/manycells measure build/figures "$work/run")"
    printf '| %s | %s | %s | %s |\n' "$round" "$seconds" "$cpu_seconds" "$memory_mib"
  done
  read -r seconds cpu_seconds memory_mib <<<"$(build/manycells measure ./exectax report "$work/run" | tail -n 1)"
  printf '\nexectax report: %s s, %s s of CPU; report.html: %s bytes\n' "$seconds" "$cpu_seconds" "$(stat -c %s "$work/run/report.html")"
}

main "$@"
