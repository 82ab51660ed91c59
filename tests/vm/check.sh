#!/usr/bin/env bash
# check.sh [SUITE]...: tests/vm/suite.sh in a fresh guest of each. The last line counts.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
(($#)) || set -- bookworm trixie

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for suite in "$@"; do
  echo "# $suite"
  tests/vm/run.sh "$suite" tests/vm/suite.sh || echo "not ok $suite: the guest's tests came to their end"
done 2>&1 | tee "$log"
tests/count.sh "$log"
