#!/usr/bin/env bats
# What goes wrong costs its own cells only, is said, and leaves the host as it was.

load helpers

setup_file() {
  require_audit
  mkdir -p "$STATE"
  touch "$STATE/lock"
  host_give_audit_state
  host_state >"$BATS_FILE_TMPDIR/before"
}

teardown_file() {
  host_take_audit_state_back
}

setup() {
  RUN=$BATS_TEST_TMPDIR/run
}

# Every test ends with the host as before; one that failed half-way ends its run first.
teardown() {
  cat "$BATS_TEST_TMPDIR/stderr" 2>/dev/null || true
  if [[ -n ${SWEEP:-} ]] && kill -TERM "$SWEEP" 2>/dev/null; then
    wait "$SWEEP" || true
  fi
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

# start_sweep OPTIONS...: in the background, its pid in SWEEP. bash ignores SIGINT in what it puts there.
start_sweep() {
  env --default-signal=INT "$ROOT/exectax" sweep --yes --quick --repeat-disturbed 0 --warmup 1 --duration 3 --rates 100 --out "$RUN" "$@" \
    >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
  SWEEP=$!
}

@test "a monitor that never gets ready is a marked row, and the rest of the run goes on" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_READY_SECONDS=3 \
    sweep --monitors none,never-ready-double,auditd-raw --out "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(column "$RUN/perf.csv" status never-ready-double)" = not-ready ]
  [ "$(column "$RUN/perf.csv" reason never-ready-double)" = "not ready after 3 s" ]
  grep -q 'warning: never-ready-double, repetition 1: not ready after 3 s' "$BATS_TEST_TMPDIR/stderr"
  [ "$(column "$RUN/perf.csv" status auditd-raw)" = ok ]
}

@test "a monitor that cannot write its log is a marked row with its own words" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_READY_SECONDS=5 \
    sweep --monitors none,log-unwritable-double --out "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(column "$RUN/perf.csv" status log-unwritable-double)" = not-ready ]
  [[ $(column "$RUN/perf.csv" reason log-unwritable-double) == "ended before it was ready"* ]]
  [ "$(column "$RUN/perf.csv" status none)" = ok ]
}

@test "a monitor that dies half-way is a marked row, and is started again for its next rate" {
  start_sweep --monitors none,auditd-raw --rates "100 110"
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -KILL "$(auditctl -s | awk '$1 == "pid" { print $2 }')"
  wait "$SWEEP"
  [ "$(mlr --icsv --onidx filter '$test == "auditd-raw"' then sort -f status then cut -f status "$RUN/perf.csv" | paste -sd ' ')" = "failed ok" ]
  mlr --icsv --onidx filter '$status == "failed"' then cut -f reason "$RUN/perf.csv" | grep -q '^died'
  grep -q 'warning: auditd-raw at .*: died' "$BATS_TEST_TMPDIR/stderr"
}

@test "Ctrl-C: the host is put back, what was measured is kept, exit status 130" {
  start_sweep --monitors none,auditd-raw --rates "100 110 120"
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -INT "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 130 ]
  [ "$(jq -r .state "$RUN/manifest.json")" = interrupted ]
  grep -q 'Interrupted: putting the host back' "$BATS_TEST_TMPDIR/stderr"
}

@test "SIGTERM: the host is put back, exit status 143" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -TERM "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 143 ]
}

@test "kill -9: exectax restore puts the host back" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -KILL "$SWEEP"
  wait "$SWEEP" || true
  ! diff -q "$BATS_FILE_TMPDIR/before" <(host_state)
  run "$ROOT/exectax" restore
  [ "$status" -eq 0 ]
  [[ $output == *"The host is as it was before the run."* ]]
  run "$ROOT/exectax" restore
  [ "$output" = "Nothing to put back." ]
}

@test "kill -9: the next run puts the host back first" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -KILL "$SWEEP"
  wait "$SWEEP" || true
  run sweep --monitors none --out "$BATS_TEST_TMPDIR/next"
  [ "$status" -eq 0 ]
  [[ $output == *"An earlier run was killed: putting the host back first."* ]]
}

@test "a second run at the same time says who holds the lock and changes nothing" {
  start_sweep --monitors none
  wait_for_file "$RUN/cells/none/*/window-a.csv"
  run sweep --monitors none --out "$BATS_TEST_TMPDIR/second"
  [ "$status" -eq 1 ]
  [[ ${lines[0]} == "exectax: another run is under way: pid $SWEEP, since "*"sweep into $RUN" ]]
  wait "$SWEEP"
}

# Time that a hypervisor steals can't be ordered, so the reading of one cell is doctored.
@test "a cell that the hypervisor disturbed is measured again, beside a baseline, and leaves the medians to the new one" {
  start_sweep --monitors none,auditd-raw --seed 2 --repeat-disturbed 1
  wait_for_file "$RUN/cells/auditd-raw/100-1/cell.json"
  [ ! -e "$RUN/cells/none/100-1/cell.json" ]
  # The later of the two readings of stolen time.
  mlr --icsv --ocsv -I put '$source == "host" && $name == "steal" { @readings += 1; if (@readings == 2) { $cpu_ns += 1000000000 } }' \
    "$RUN/cells/auditd-raw/100-1/window-a.csv"
  wait "$SWEEP"
  grep -q 'Measuring again what the hypervisor disturbed: ' "$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$RUN/plan.csv" | paste -sd ' ')" = "1,1,auditd-raw,100,1 2,1,none,100,1 3,1,none,100,2 4,1,auditd-raw,100,2" ]
  of() { mlr --icsv --onidx filter '$test == "auditd-raw" && $turn == '"$1" then cut -f "$2" "$RUN/cells.csv"; }
  [[ $(of 1 marks) == *steal* ]]
  [ "$(of 2 status)" = ok ]
  if [[ $(of 2 marks) == *steal* ]]; then
    # The hypervisor did disturb that one: there are no others than disturbed ones.
    [ "$(column "$RUN/perf.csv" reps auditd-raw)" -eq 2 ]
  else
    [ "$(column "$RUN/perf.csv" reps auditd-raw)" -eq 1 ]
    [ "$(column "$RUN/perf.csv" cpu auditd-raw)" = "$(of 2 cpu)" ]
  fi
  # Executions and losses of both.
  [ "$(column "$RUN/perf.csv" launched auditd-raw)" -eq $(($(of 1 launched) + $(of 2 launched))) ]
}

@test "a load that dies is a failed row, and the rest of the run goes on" {
  start_sweep --monitors none,auditd-raw --seed 1
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  load=$(pgrep -of "execrate .*$RUN")
  kill -KILL "$load"
  wait "$SWEEP"
  [ "$(column "$RUN/perf.csv" status auditd-raw)" = failed ]
  [ "$(column "$RUN/perf.csv" status none)" = ok ]
  [[ $(column "$RUN/perf.csv" reason auditd-raw) == "the load generator ended with status 137"* ]]
}
