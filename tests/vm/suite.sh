#!/usr/bin/env bash
# suite.sh [quick-run|end-to-end|kills]...: what `make check-vm` tests in a guest, in the Test Anything Protocol; all of it if
# nothing is named. E2E="FILE..." in the environment: of the end-to-end tests, those files.
set -uo pipefail
read -ra E2E <<<"${E2E:-tests/e2e}"
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." || exit 1

# From a clean clone; then what became of each monitor. It installs packages, which stay.
quick_run() {
  tests/vm/unchanged.sh "run-all.sh" --without etc --without sbin --without var-lib --without units \
    env EXECTAX_LOAD_MARGIN_SECONDS=15 ./run-all.sh --quick --rates "20 50" --reps 1 --out results/quick
  jq -r '.skipped | to_entries[] | "ok run-all.sh: \(.key) # skip \(.value)"' results/quick/manifest.json
  mlr --icsv --ojson cut -f test,exec_per_sec,status,reason results/quick/perf.csv |
    jq -r '.[] | select(.status != "skipped") | (if .status == "ok" then "" else "not " end) + "ok run-all.sh: \(.test) at \(.exec_per_sec)/s \(.reason)"'
}

# At a rate that an emulated CPU can do, and with time for what it does. What the tests install stays, so it is installed before.
end_to_end() {
  lib/host/install-deps.sh check && make --silent all && install_monitors &&
    tests/vm/unchanged.sh "the end-to-end tests" env EXECTAX_TEST_RATE=10 EXECTAX_TEST_WAIT_SECONDS=1200 EXECTAX_LOAD_MARGIN_SECONDS=15 bats --tap "${E2E[@]}"
}

install_monitors() {
  local monitor
  for monitor in execsnoop execsnoop-bpftrace forkstat acct; do
    bash lib/monitor/call.sh "$monitor" monitor_install || return
  done
}

kills() {
  lib/host/install-deps.sh check && make --silent all &&
    tests/vm/unchanged.sh "the kills" env KILLS_GONE_SECONDS=300 make --no-print-directory check-kills KILLS="${KILLS:-30}"
}

(($#)) || set -- quick-run end-to-end kills
for part in "$@"; do
  case $part in
    quick-run) quick_run ;;
    end-to-end) end_to_end ;;
    kills) kills ;;
    *) false ;;
  esac || echo "not ok $part"
done
# What failed is in the lines.
exit 0
