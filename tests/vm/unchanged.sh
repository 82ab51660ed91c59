#!/usr/bin/env bash
# unchanged.sh WHAT [--without SECTION]... COMMAND...: a test in the Test Anything Protocol: COMMAND succeeds, and
# leaves this host as it was (tests/e2e/host-state.sh, which has the sections).
set -uo pipefail
state=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")/e2e/host-state.sh

what=$1
shift
without=()
while [[ ${1:-} == --without ]]; do
  without+=("$1" "$2")
  shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$state" "${without[@]}" >"$work/before" || exit
"$@"
status=$?
"$state" "${without[@]}" >"$work/after" || exit
if ((status)); then
  echo "not ok $what"
  echo "# exit status $status: $*"
else
  echo "ok $what"
fi
if diff "$work/before" "$work/after" >"$work/difference"; then
  echo "ok $what: the host is as before"
else
  status=1
  echo "not ok $what: the host is as before"
  sed 's/^/# /' "$work/difference"
fi
exit "$status"
