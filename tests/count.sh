#!/usr/bin/env bash
# count.sh FILE: what was skipped and what failed of the tests in FILE (Test Anything Protocol), and how many there were.
set -uo pipefail

skipped=$(grep -cE '^ok .*# skip' "$1")
passed=$(($(grep -cE '^ok ' "$1") - skipped))
failed=$(grep -cE '^not ok ' "$1")
grep -E '^ok .*# skip' "$1" | sed -E 's/^ok ([0-9]+ )?/skipped: /'
grep -E '^not ok ' "$1" | sed -E 's/^not ok ([0-9-]+ )?/failed: /'
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
