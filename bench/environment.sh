#!/usr/bin/env bash
# What the size of its environment costs a launched program: none, execrate's, and those in files such as
# /proc/PID/environ (default: the caller's own), side by side. Prints Markdown.
#
#   LAUNCHES=20000 PAUSE_USEC=1000 COMMAND=/bin/true bench/environment.sh [FILE...]

set -euo pipefail

cd "$(dirname "$0")/.."

readonly LAUNCHES=${LAUNCHES:-20000}
readonly PAUSE_USEC=${PAUSE_USEC:-1000}
readonly COMMAND=${COMMAND:-/bin/true}

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"' EXIT

main() {
  if (($# == 0)); then
    cat /proc/self/environ >"$work/callers"
    set -- "$work/callers"
  fi
  : >"$work/none"
  build/execrate --rate 10 --duration 0.1 --command /usr/bin/env --json /dev/null | tr '\n' '\0' >"$work/execrate"
  printf '%s CPUs, Linux %s, %s; %s launches with each, %s us apart; load before: %s\n\n' \
    "$(nproc)" "$(uname -r)" "$COMMAND" "$LAUNCHES" "$PAUSE_USEC" "$(cut -d' ' -f1-3 /proc/loadavg)"
  build/environment "$LAUNCHES" "$PAUSE_USEC" "$COMMAND" "$work/none" "$work/execrate" "$@"
}

main "$@"
