#!/usr/bin/env bash
# All that `make check-vm` tests in a guest, in the Test Anything Protocol: the quick run from a clean clone, what became of
# each monitor in it, then the end-to-end tests and the kills, on a host that has all packages by then.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1

# The run installs packages, which stay.
tests/vm/unchanged.sh "run-all.sh" --without etc --without sbin --without var-lib --without units \
  ./run-all.sh --quick --rates "20 50" --out results/quick
jq -r '.skipped | to_entries[] | "ok run-all.sh: \(.key) # skip \(.value)"' results/quick/manifest.json
mlr --icsv --ojson cut -f test,exec_per_sec,status,reason results/quick/perf.csv |
  jq -r '.[] | select(.status != "skipped") | (if .status == "ok" then "" else "not " end) + "ok run-all.sh: \(.test) at \(.exec_per_sec)/s \(.reason)"'
lib/install-deps.sh check
tests/vm/unchanged.sh "the end-to-end tests" env EXECTAX_TEST_RATE=20 bats --tap tests/e2e
tests/vm/unchanged.sh "the kills" make --no-print-directory check-kills KILLS="${KILLS:-30}"
# What failed is in the lines.
exit 0
