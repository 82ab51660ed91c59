#!/usr/bin/env bash
# Says whether HEAD of a monitor's repository costs more than BASE: builds both, measures them in turn within one run of exectax, and compares.
# Run it in the repository, as root, on a machine that has nothing else to do. docs/ci.md of exectax explains it.
#
#   EXECTAX=/opt/exectax MONITOR=falco PROGRAM=build/falco BUILD_COMMAND="make -C build falco" ci-compare.sh
#
# Leaves in OUT: comment.md for the change, comparison.json, benchmark.json for github-action-benchmark, run/ with all raw files.
# Exit status: 0 no more than LIMIT worse; 1 worse, or failed; 3 inconclusive.
set -euo pipefail

EXECTAX=${EXECTAX:?the folder of exectax}
MONITOR=${MONITOR:?a name that \'exectax list\' shows}
PROGRAM=${PROGRAM:?the program that is built, from the top of the repository}
BUILD_COMMAND=${BUILD_COMMAND:?what builds it}
BASE=${BASE:-origin/main}
HEAD=${HEAD:-HEAD}
RATES=${RATES:-400}
# Those that show a tenth in 9 of 10 cases where cells scatter by 7 %.
REPS=${REPS:-12}
FIGURES=${FIGURES:-counted_overhead,lost,cells_failed}
LIMIT=${LIMIT:-5%}
OUT=${OUT:-exectax-ci}

SOURCES=$(mktemp -d)

remove_sources() {
  local build
  for build in base head; do
    git worktree remove --force "$SOURCES/$build" 2>/dev/null || true
  done
  rm -rf "$SOURCES"
}
trap remove_sources EXIT

# build NAME COMMIT
build() {
  git worktree add --quiet --detach "$SOURCES/$1" "$2"
  (cd "$SOURCES/$1" && bash -euc "$BUILD_COMMAND") >&2
}

# compare FORMAT ARGUMENT...: what is worse has exit status 1, what can't be told 3.
compare() {
  "$EXECTAX/exectax" compare --figure "$FIGURES" --format "$1" "${@:2}" "$OUT/run:@base" "$OUT/run:@head"
}

main() {
  local status=0
  mkdir -p "$OUT"
  build base "$BASE"
  build head "$HEAD"
  "$EXECTAX/exectax" sweep --build "$MONITOR@base=$SOURCES/base/$PROGRAM" --build "$MONITOR@head=$SOURCES/head/$PROGRAM" \
    --rates "$RATES" --reps "$REPS" --syscalls 0 --yes --out "$OUT/run"
  compare github-action-benchmark >"$OUT/benchmark.json"
  compare json >"$OUT/comparison.json"
  compare markdown --fail-if-worse "$LIMIT" >"$OUT/comment.md" || status=$?
  cat "$OUT/comment.md"
  return "$status"
}

main
