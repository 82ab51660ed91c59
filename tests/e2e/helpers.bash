# shellcheck shell=bash
# For end-to-end tests: they run as root, on real monitors, and look at the host before and after.

load audit

ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
MOUNT=$(awk '$3 == "cgroup2" || $3 == "cgroup" && $4 ~ /cpuacct/ { print ($3 == "cgroup2" ? 0 : 1), $2 }' /proc/self/mounts | sort | awk 'NR == 1 { print $2 }')

# Executions per second that tests ask for. EXECTAX_TEST_RATE sets it: an emulated CPU does about a hundred in all.
RATE=${EXECTAX_TEST_RATE:-100}

# By how much the load of a cell outlasts its windows, in seconds.
MARGIN=${EXECTAX_LOAD_MARGIN_SECONDS:-2}
export EXECTAX_LOAD_MARGIN_SECONDS=$MARGIN

# How long a test waits for what a run does.
WAIT_SECONDS=${EXECTAX_TEST_WAIT_SECONDS:-300}

# For tests that need rates of their own.
require_full_rate() {
  ((RATE >= 100)) || skip "the host is too slow for this test's rates (EXECTAX_TEST_RATE=$RATE)"
}

require_root() {
  ((EUID == 0)) || skip "needs root"
}

require_audit() {
  require_root
  auditctl -s >/dev/null 2>&1 || skip "the kernel's audit subsystem does not answer here"
  [[ $(auditctl -s | awk '$1 == "enabled" { print $2 }') != 2 ]] || skip "the audit configuration is locked until reboot"
}

# An audit state that is nobody's default, so that "as before" can't be met by accident.
host_give_audit_state() {
  host_keep_audit_state
  auditctl -D
  auditctl -w /etc/hostname -p wa -k exectax-test
  auditctl -a always,exit -F arch=b64 -S sethostname -k exectax-test
  auditctl -b 321 -r 7
  auditctl -f 1
}

host_keep_audit_state() {
  host_audit_state >"$BATS_FILE_TMPDIR/audit-state"
  audit_save "$BATS_FILE_TMPDIR"
}

host_take_audit_state_back() {
  audit_put_back "$BATS_FILE_TMPDIR"
  diff "$BATS_FILE_TMPDIR/audit-state" <(host_audit_state)
}

host_audit_state() {
  auditctl -l
  auditctl -s | grep -E '^(enabled|failure|rate_limit|backlog_limit|backlog_wait_time) '
}

# All that a run may change: audit rules and flags, the socket's owner, cgroups, leftovers, processes of ours.
host_state() {
  host_audit_state
  find "$MOUNT" -maxdepth 2 -path '*exectax*'
  ls "$STATE"
  # Whoever is init may be slow to reap. Without the pid: the host's own auditd has another one afterwards.
  ps -eo stat=,comm= | awk '$1 !~ /^Z/ && $2 ~ /^(pidstat|auditd|laurel|auditbeat|go-audit|floor-bpf|floor-audit)$/ { print $2 }' | sort
  pgrep -r D,R,S,T -lf "execrate .*$BATS_RUN_TMPDIR" || true
  awk '$2 == 9 && $4 !~ /^0*$/ { print "audit multicast reader" }' /proc/net/netlink
}

# Not below the folder that bats removes when it is ended: a sweep needs it until the host is back.
export STATE=/var/tmp/exectax-tests-${BATS_RUN_TMPDIR##*-}-${BATS_FILE_TMPDIR##*/}
export EXECTAX_STATE_DIR=$STATE

# Monitors that were installed once are there for all tests, and for the next time.
use_monitor_store() {
  local store=${EXECTAX_TEST_STORE:-/var/lib/exectax/monitors}
  [[ -d ${store%/*} ]] || install -d -m 0700 "${store%/*}"
  mkdir -p "$store"
  ln -s "$store" "$STATE/monitors"
}

# For teardown_file: unless it is still needed.
remove_state() {
  [[ -s $STATE/journal ]] || rm -rf "$STATE"
}

# What `exectax sweep` is told in all of these tests; the last option given wins. How many cells it has must not depend on
# the hypervisor.
sweep() {
  "$ROOT/exectax" sweep --yes --reps 1 --warmup 1 --duration 3 --instrumented 2 --side 0 --syscalls 0 --rates "$RATE" "$@"
}

# column FILE COLUMN TEST [RATE]
column() {
  mlr --icsv --onidx filter '$test == "'"$3"'" && ("'"${4:-}"'" == "" || $exec_per_sec == "'"${4:-}"'")' then cut -f "$2" "$1"
}

# cells COLUMNS: these of all cells as JSON, and on stderr for whoever reads why a test failed.
cells() {
  mlr --icsv --ocsv cut -o -f "$1" "$RUN/cells.csv" >&2
  mlr --icsv --ojson cut -f "$1" "$RUN/cells.csv"
}

# counted TEST RATE: of how many cells its means are: of those that the hypervisor did not disturb, if there are enough of them.
counted() {
  mlr --icsv --onidx filter '$test == "'"$1"'" && $exec_per_sec == '"$2"' && $in_means == "true"' then count "$RUN/cells.csv"
}

# wait_until_gone FILE
wait_until_gone() {
  local deadline=$((SECONDS + WAIT_SECONDS))
  while [[ -e $1 ]]; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

# wait_for_line PATTERN FILE
wait_for_line() {
  local deadline=$((SECONDS + WAIT_SECONDS))
  until grep -qs -- "$1" "$2"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

# Wait until a file that matches PATTERN is there.
wait_for_file() {
  local deadline=$((SECONDS + WAIT_SECONDS))
  until compgen -G "$1" >/dev/null; do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}
