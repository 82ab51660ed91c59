#!/usr/bin/env bats
# However a run is cut off, the host is put back, and what was measured is kept.

load helpers
load faults

@test "a monitor that dies half-way is a marked row, and is started again for its next rate" {
  start_sweep --monitors none,auditd-raw --rates "$RATE $((RATE + 10))"
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -KILL "$(auditctl -s | awk '$1 == "pid" { print $2 }')"
  wait "$SWEEP"
  [ "$(mlr --icsv --onidx filter '$test == "auditd-raw"' then sort -f status then cut -f status "$RUN/perf.csv" | paste -sd ' ')" = "failed ok" ]
  mlr --icsv --onidx filter '$status == "failed"' then cut -f reason "$RUN/perf.csv" | grep -q '^died'
  grep -q 'warning: auditd-raw at .*: died' "$BATS_TEST_TMPDIR/stderr"
}

@test "Ctrl-C: the host is put back, what was measured is kept, exit status 130" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -INT "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 130 ]
  [ "$(jq -r '"\(.state) \(.reason)"' "$RUN/manifest.json")" = "interrupted SIGINT" ]
  grep -q 'Interrupted: putting the host back' "$BATS_TEST_TMPDIR/stderr"
}

# passes_of_report: how many passes the rows of the run are of, by the cells of a monitor.
passes_of_report() {
  [[ -s $RUN/report.html ]]
  column "$RUN/perf.csv" reps forkstat
}

@test "a run that is ended within a pass leaves a complete report of those before, as if no more had been asked for" {
  start_sweep --monitors forkstat --reps auto --duration 1
  wait_for_line '"forkstat"' "$RUN/cells/forkstat/$RATE-1/cell.json"
  # The first report comes while the run goes on.
  wait_for_file "$RUN/report.html"
  wait_for_file "$RUN/cells/*/*-3*/window-a.csv"
  kill -INT "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 130 ]
  [[ $(jq -r .outcome "$RUN/manifest.json") == "2 passes in "*"; ended by Ctrl-C" ]]
  [ "$(tail -n 1 "$BATS_TEST_TMPDIR/stderr")" = "$(jq -r .outcome "$RUN/manifest.json")" ]
  [ "$(passes_of_report)" -eq 2 ]
  # The table after each whole pass, and at the end.
  [ "$(grep -c '^| forkstat | ' "$BATS_TEST_TMPDIR/stdout")" -ge 3 ]
  # A run of these two passes has the same rows.
  mkdir "$BATS_TEST_TMPDIR/two"
  cp -r "$RUN/manifest.json" "$RUN/cells" "$BATS_TEST_TMPDIR/two"
  rm -r "$BATS_TEST_TMPDIR"/two/cells/*/*-3*
  awk -F, 'NR == 1 || $2 < 3' "$RUN/plan.csv" >"$BATS_TEST_TMPDIR/two/plan.csv"
  "$ROOT/build/figures" "$BATS_TEST_TMPDIR/two"
  cmp "$RUN/perf.csv" "$BATS_TEST_TMPDIR/two/perf.csv"
}

@test "kill -9 within a pass leaves the report of those before; --resume goes on to as many as were asked for" {
  start_sweep --monitors forkstat --reps 2 --duration 1
  wait_for_file "$RUN/cells/*/*-2*/window-a.csv"
  kill -KILL "$SWEEP"
  wait "$SWEEP" || true
  wait_until_gone "$MOUNT/exectax-watcher"
  rm -f "$STATE/watcher.log"
  [ "$(passes_of_report)" -eq 1 ]
  "$ROOT/exectax" sweep --resume "$RUN" --yes
  [ "$(passes_of_report)" -eq 2 ]
  [ "$(jq -r .outcome "$RUN/manifest.json")" = "2 passes in 2 sessions; 2 passes asked for" ]
}

@test "SIGTERM: the host is put back, exit status 143" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -TERM "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 143 ]
}

# A power cut leaves neither: the harness and its watcher are killed at once.
kill_sweep_and_watcher() {
  kill -KILL $(cat "$MOUNT/exectax-watcher/cgroup.procs") "$SWEEP"
  wait "$SWEEP" || true
  # Nobody has put the host back.
  [ -d "$MOUNT/exectax" ]
}

@test "kill -9 of the harness: its watcher puts the host back" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -KILL "$SWEEP"
  wait "$SWEEP" || true
  wait_until_gone "$MOUNT/exectax-watcher"
  grep -q 'has put the host back' "$STATE/watcher.log"
  rm "$STATE/watcher.log"
}

@test "SIGSTOP of the harness, as by Ctrl-Z: its watcher says so, ends it and puts the host back" {
  export EXECTAX_STOPPED_WARNING_SECONDS=1 EXECTAX_STOPPED_LIMIT_SECONDS=3
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -STOP "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 137 ]
  wait_until_gone "$MOUNT/exectax-watcher"
  grep -q 'has been stopped for 1 s' "$STATE/watcher.log"
  grep -q 'has put the host back' "$STATE/watcher.log"
  rm "$STATE/watcher.log"
}

@test "kill -9 of the watcher: the run ends before its next measurement, says why, and puts the host back" {
  start_sweep --monitors none,auditd-raw --rates "$RATE $((RATE + 10))"
  wait_for_file "$RUN/cells/*/*/window-a.csv"
  kill -KILL $(cat "$MOUNT/exectax-watcher/cgroup.procs")
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 1 ]
  [ "$(grep -c '^exectax: the watcher, process .*, does not run any more' "$BATS_TEST_TMPDIR/stderr")" -eq 1 ]
  [ "$(jq -r .state "$RUN/manifest.json")" != complete ]
}

@test "the connection goes, or kill -9, while install-deps.sh installs: it ends, and the host is put back" {
  "$ROOT/tests/e2e/kills/run" --kill 'pty deps 0.5' 3>&-
  "$ROOT/tests/e2e/kills/run" --kill 'KILL deps 0.5' 3>&-
}

@test "kill -9 of harness and watcher: exectax restore puts the host back" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill_sweep_and_watcher
  run "$ROOT/exectax" restore --show
  [ "$status" -eq 0 ]
  [[ $output == *"undo_audit"*"Saved of the host, in $STATE/saved:"*"audit/rules"* ]]
  [ -d "$MOUNT/exectax" ]
  run "$ROOT/exectax" restore
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"The host is as it was before the run."* ]]
  run "$ROOT/exectax" restore
  [ "$output" = "Nothing to put back." ]
}

@test "restore leaves alone what an administrator has changed meanwhile, and says so; --force puts it back, --forget leaves all" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill_sweep_and_watcher
  auditctl -b 777
  auditctl -a always,exit -F arch=b64 -S settimeofday -k exectax-test-admin
  run "$ROOT/exectax" restore
  echo "$output"
  [ "$status" -eq 1 ]
  [[ $output == *"somebody has changed audit's backlog_limit since the run set it, so it is left alone: now '777', set by the run '8192', before it '321'"* ]]
  [[ $output == *"somebody has changed audit's rules"* ]]
  [[ $output == *"$STATE/saved"* ]]
  auditctl -s | grep -qx 'backlog_limit 777'
  auditctl -l | grep -q exectax-test-admin
  # What nobody else has changed is put back all the same.
  [ "$(auditctl -s | awk '$1 == "rate_limit" { print $2 }')" -eq 7 ]
  [ ! -d "$MOUNT/exectax" ]
  # With a lock of its own: by that of the host, the folder that it is a copy of would be asked for.
  cp -r "$STATE" "$BATS_TEST_TMPDIR/state"
  run env EXECTAX_LOCK="$BATS_TEST_TMPDIR/lock" EXECTAX_STATE_DIR="$BATS_TEST_TMPDIR/state" "$ROOT/exectax" restore --forget
  [ "$status" -eq 0 ]
  [ ! -e "$BATS_TEST_TMPDIR/state/journal" ]
  auditctl -s | grep -qx 'backlog_limit 777'
  run "$ROOT/exectax" restore --force
  [ "$status" -eq 0 ]
}

@test "restore: two of its ways at once are refused" {
  run "$ROOT/exectax" restore --show --force
  [ "$status" -eq 2 ]
  [[ $output == "exectax: restore: '--show' and '--force', expected one of them" ]]
}

@test "kill -9 of harness and watcher: the next run puts the host back first" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill_sweep_and_watcher
  run sweep --monitors none --out "$BATS_TEST_TMPDIR/next"
  [ "$status" -eq 0 ]
  [[ $output == *"An earlier run was killed: putting the host back first."* ]]
}

@test "one audit rule that is refused, or a service that does not start, costs none of the other steps" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill_sweep_and_watcher
  sed -i '1s/^/-a always,exit -F arch=b64 -S no_such_call_double -F key=x\n/' "$STATE/saved/audit/rules"
  run "$ROOT/exectax" restore --force
  [ "$status" -eq 1 ]
  [[ $output == *"audit rejects this saved rule: -a always,exit -F arch=b64 -S no_such_call_double"* ]]
  diff "$BATS_FILE_TMPDIR/before" <(host_state | grep -vx 'journal\|saved\|watcher.log')
  sed -i 1d "$STATE/saved/audit/rules"
  "$ROOT/exectax" restore --force
}

@test "an administrator's rules: refused with one line and nothing changed, unless --yes" {
  run "$ROOT/exectax" sweep --quick --monitors none --out "$RUN"
  [ "$status" -eq 2 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ $output == "exectax: this host has audit rules (2), which would not be in force"*"expected none, or --yes" ]]
  [ ! -e "$RUN" ]
}

@test "a second run at the same time says who holds the lock and changes nothing" {
  start_sweep --monitors none
  wait_for_file "$RUN/cells/none/*/window-a.csv"
  run sweep --monitors none --out "$BATS_TEST_TMPDIR/second"
  [ "$status" -eq 1 ]
  [[ ${lines[0]} == "exectax: another run is under way: pid $SWEEP, since "*"sweep into $RUN" ]]
  wait "$SWEEP"
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

@test "an earlier run's watcher that still waits does not end what the next run starts" {
  start_sweep --monitors none,auditd-raw
  wait_for_file "$RUN/cells/*/*/window-a.csv"
  # An installation of packages that does not end by itself.
  mkdir -p "$MOUNT/exectax/install"
  sleep 600 3>&- &
  INSTALLATION=$!
  echo "$INSTALLATION" >"$MOUNT/exectax/install/cgroup.procs"
  kill -KILL "$SWEEP"
  wait "$SWEEP" || true
  wait_for_line 'without putting the host back' "$STATE/watcher.log"
  run sweep --monitors none --out "$BATS_TEST_TMPDIR/next"
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $output == *"An earlier run was killed: putting the host back first."* ]]
  rm "$STATE/watcher.log"
}

@test "a full disk under the results: the run ends, the host is put back, and the cell says why" {
  small_disk "$BATS_TEST_TMPDIR/small"
  RUN=$DISK/run
  start_sweep --monitors none --rates "100 110"
  wait_for_file "$RUN/cells/none/*/window-a.csv"
  fill_disk "$DISK"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 1 ]
  grep -q "^exectax: the disk of the results is full: less than 1 MiB is free in $RUN\$" "$BATS_TEST_TMPDIR/stderr"
  [ "$(jq -r '"\(.state) \(.reason)"' "$RUN/manifest.json")" = "interrupted the disk of the results is full: less than 1 MiB is free in $RUN" ]
  [ "$(mlr --icsv --onidx sort -f status then cut -f status "$RUN/cells.csv" | uniq | paste -sd ' ')" = "failed not-run" ]
  [ "$(mlr --icsv --onidx filter '$status == "failed"' then count "$RUN/cells.csv")" -eq 1 ]
  [ "$(jq -r .reason "$RUN"/cells/none/*/cell.json)" = "the disk of the results is full: less than 1 MiB is free in $RUN" ]
}
