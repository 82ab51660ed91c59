#!/usr/bin/env bash
# check.sh [SUITE]...: tests/vm/suite.sh in a fresh guest of each. The last line counts.
set -uo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1
usage() {
  echo "check-vm: $1" >&2
  exit 2
}

(($#)) || set -- bookworm trixie
for suite in "$@"; do
  [[ $suite == bookworm || $suite == trixie ]] || usage "got SUITE '$suite', expected bookworm or trixie"
done
((EUID == 0)) || usage "making disk images needs root: run it with sudo"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for suite in "$@"; do
  echo "# $suite"
  tests/vm/run.sh "$suite" tests/vm/suite.sh || echo "not ok $suite: the guest's tests came to their end"
done 2>&1 | tee "$log"
tests/count.sh "$log"
