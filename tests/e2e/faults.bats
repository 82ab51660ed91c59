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
  remove_state
}

setup() {
  RUN=$BATS_TEST_TMPDIR/run
}

# A small file system of its own at FOLDER.
small_disk() {
  mkdir -p "$1"
  mount -t tmpfs -o size=400m,mode=0755 exectax-test "$1"
  DISK=$1
}

# fill_disk FOLDER: made by small_disk. It is made smaller first, so that filling it does not take the host's memory.
fill_disk() {
  mount -o "remount,size=$(($(df --output=used -BM "$1" | tail -n 1 | tr -dc 0-9) + 2))m" "$1"
  head -c 8M /dev/zero >"$1/filler" 2>/dev/null || true
}

# sampler_pid NAME: of the run's samplers, the one that is a NAME; waits for it.
sampler_pid() {
  local deadline=$((SECONDS + 30)) pid
  while ((SECONDS < deadline)); do
    for pid in $(cat "$MOUNT/exectax/sampler/cgroup.procs" 2>/dev/null); do
      if [[ $(cat "/proc/$pid/comm" 2>/dev/null) == "$1" ]]; then
        echo "$pid"
        return
      fi
    done
    sleep 0.05
  done
  return 1
}

# of_cell COLUMN MONITOR RATE
of_cell() {
  mlr --icsv --onidx --ofs ' ' filter '$test == "'"$2"'" && $exec_per_sec == "'"$3"'"' then cut -o -f "$1" "$RUN/cells.csv"
}

# Every test ends with the host as before; one that failed half-way ends its run first.
teardown() {
  cat "$BATS_TEST_TMPDIR/stderr" 2>/dev/null || true
  if [[ -n ${SWEEP:-} ]] && kill -TERM "$SWEEP" 2>/dev/null; then
    wait "$SWEEP" || true
  fi
  [[ -z ${DISK:-} ]] || umount "$DISK"
  diff "$BATS_FILE_TMPDIR/before" <(host_state)
}

# start_sweep OPTIONS...: in the background, its pid in SWEEP. bash ignores SIGINT in what it puts there.
start_sweep() {
  env --default-signal=INT "$ROOT/exectax" sweep --yes --quick --repeat-disturbed 0 --warmup 1 --duration 2 --instrumented 0 --side 0 --syscalls 0 --rates "$RATE" --out "$RUN" "$@" \
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
  [[ $(column "$RUN/perf.csv" reason log-unwritable-double) == "ended before it was ready; its last words: The audit daemon"* ]]
  [ "$(column "$RUN/perf.csv" status none)" = ok ]
}

@test "a monitor's script that hangs costs its own time, not the run" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_CALL_SECONDS=10 \
    sweep --monitors none,stop-hangs-double --out "$RUN" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(column "$RUN/perf.csv" status stop-hangs-double)" = ok ]
  grep -q 'warning: stop-hangs-double: its script had not finished stopping it after 10 s' "$BATS_TEST_TMPDIR/stderr"
  STOP_HANGS_REQUIRES=yes EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_CALL_SECONDS=10 run "$ROOT/exectax" list
  [[ $output == *"stop-hangs-double  no "*"because: what it needs could not be looked at (its script ended with status 124)"* ]]
}

@test "a log that was to be kept and finds no room: said, and the run's exit status is 1" {
  small_disk "$BATS_TEST_TMPDIR/small"
  RUN=$DISK/run
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors start_sweep --monitors none,large-log-double --keep-logs
  wait_for_file "$RUN/cells/large-log-double/*/window-a.csv"
  mount -o "remount,size=$(($(df --output=used -BM "$DISK" | tail -n 1 | tr -dc 0-9) + 12))m" "$DISK"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 1 ]
  grep -q 'warning: the log of large-log-double could not be kept' "$BATS_TEST_TMPDIR/stderr"
  [ "$(jq -r .state "$RUN/manifest.json")" = complete ]
  [ "$(column "$RUN/perf.csv" status large-log-double)" = ok ]
  [ -z "$(find "$RUN/monitors/large-log-double" -name log)" ]
}

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
  start_sweep --monitors none,auditd-raw --rates "$RATE $((RATE + 10)) $((RATE + 20))"
  wait_for_file "$RUN/cells/auditd-raw/*/window-a.csv"
  kill -INT "$SWEEP"
  status=0
  wait "$SWEEP" || status=$?
  [ "$status" -eq 130 ]
  [ "$(jq -r '"\(.state) \(.reason)"' "$RUN/manifest.json")" = "interrupted SIGINT" ]
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
  cp -r "$STATE" "$BATS_TEST_TMPDIR/state"
  run env EXECTAX_STATE_DIR="$BATS_TEST_TMPDIR/state" "$ROOT/exectax" restore --forget
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

@test "the messages' disk is full: the sweep goes on, and the host is put back" {
  sweep --monitors none,auditd-raw --out "$RUN" >"$BATS_TEST_TMPDIR/stdout" 2>/dev/full
  column "$RUN/perf.csv" reason auditd-raw
  [ "$(column "$RUN/perf.csv" status auditd-raw)" = ok ]
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

# Time that a hypervisor steals can't be ordered, so the reading of one cell is doctored.
@test "a cell that the hypervisor disturbed is measured again, beside a baseline, and leaves the medians to the new one" {
  start_sweep --monitors none,auditd-raw --seed 2 --repeat-disturbed 1
  wait_for_file "$RUN/cells/auditd-raw/$RATE-1/cell.json"
  [ ! -e "$RUN/cells/none/$RATE-1/cell.json" ]
  # What cell_is_disturbed would have said.
  jq '.disturbed = true' "$RUN/cells/auditd-raw/$RATE-1/cell.json" >"$BATS_TEST_TMPDIR/cell.json"
  cp "$BATS_TEST_TMPDIR/cell.json" "$RUN/cells/auditd-raw/$RATE-1/cell.json"
  wait "$SWEEP"
  grep -q 'Measuring again what the hypervisor disturbed: ' "$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$RUN/plan.csv" | paste -sd ' ')" = "1,1,auditd-raw,$RATE,1 2,1,none,$RATE,1 3,1,none,$RATE,2 4,1,auditd-raw,$RATE,2" ]
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

@test "samplers that are stopped or killed fail their cells, with the reason" {
  require_full_rate
  EXECTAX_END_SECONDS=6 start_sweep --monitors none,floor-audit --rates "100 110 120" --instrumented 1
  wait_for_file "$RUN/plan.csv"
  wait_for_file "$RUN/manifest.json"
  while IFS=, read -r _ _ monitor rate _; do
    dir=$RUN/cells/$monitor/$rate-1
    wait_for_file "$dir/window-a.csv"
    case $monitor-$rate in
      none-100) kill -STOP "$(sampler_pid cpumeter)" ;;
      none-110) kill -KILL "$(sampler_pid pidstat)" ;;
      none-120) grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr" || kill -STOP "$(sampler_pid perf)" ;;
      floor-audit-100) kill -STOP "$(sampler_pid logfollow)" ;;
      floor-audit-110) kill -KILL "$(sampler_pid logfollow)" ;;
      floor-audit-120) kill -KILL "$(sampler_pid cpumeter)" ;;
    esac
    wait_for_file "$dir/cell.json"
  done < <(tail -n +2 "$RUN/plan.csv")
  wait "$SWEEP"
  mlr --icsv --oxtab cut -o -f test,exec_per_sec,status,reason "$RUN/cells.csv"
  [ "$(of_cell status,reason none 100)" = "failed cpumeter did not end within 6 s of when it was due: something stopped it (SIGSTOP)" ]
  [[ $(of_cell status,reason none 110) == "failed pidstat ended with status 137: "* ]]
  if ! grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr"; then
    [ "$(of_cell status,reason none 120)" = "failed perf record did not end within 6 s of when it was due: something stopped it (SIGSTOP)" ]
  fi
  [ "$(of_cell status,reason floor-audit 100)" = "failed the reader of the log did not end within 6 s of when it was due: something stopped it (SIGSTOP)" ]
  [[ $(of_cell status,reason floor-audit 110) == "failed the reader of the log ended with status 137"* ]]
  [[ $(of_cell status,reason floor-audit 120) == "failed cpumeter ended with status 137"* ]]
}

@test "a log folder that is removed, no answer of auditctl, a full disk: failed cells with the reason, and nothing is counted as lost" {
  require_full_rate
  # auditctl-double: says nothing to -s while there is a file `silent`, and is the real one otherwise.
  mkdir "$BATS_TEST_TMPDIR/auditctl-double"
  printf '#!/bin/sh\n[ "$*" = -s ] && [ -e "%s/silent" ] || exec %s "$@"\n' "$BATS_TEST_TMPDIR" "$(command -v auditctl)" >"$BATS_TEST_TMPDIR/auditctl-double/auditctl"
  chmod 0755 "$BATS_TEST_TMPDIR/auditctl-double/auditctl"
  small_disk "$BATS_TEST_TMPDIR/state"
  PATH=$BATS_TEST_TMPDIR/auditctl-double:$PATH EXECTAX_STATE_DIR=$DISK/state \
    start_sweep --monitors none,auditd-raw --seed 11 --rates "100 110 120 130" --duration 1
  for rate in $(wait_for_file "$RUN/manifest.json" && awk -F, '$3 == "auditd-raw" { print $4 }' "$RUN/plan.csv"); do
    dir=$RUN/cells/auditd-raw/$rate-1
    wait_for_file "$dir/window-a.csv"
    case $rate in
      100) rm -rf "$DISK"/state/scratch/*-auditd-raw ;;
      110) touch "$BATS_TEST_TMPDIR/silent" ;;
      120) fill_disk "$DISK" ;;
    esac
    wait_for_file "$dir/cell.json"
    case $rate in
      110) rm "$BATS_TEST_TMPDIR/silent" ;;
      120)
        rm "$DISK/filler"
        mount -o remount,size=400m "$DISK"
        ;;
    esac
  done
  wait "$SWEEP"
  mlr --icsv --oxtab cut -o -f test,exec_per_sec,status,launched,recorded,lost,reason "$RUN/cells.csv"
  [[ $(of_cell status,reason auditd-raw 100) == "failed its log $DISK/state/scratch/"*" is gone" ]]
  [[ $(of_cell status,reason auditd-raw 110) == "failed auditctl -s gave no answer"* ]]
  [[ $(of_cell status,reason auditd-raw 120) == "failed the disk of its log is full: "*" MiB are free in $DISK/state, expected 64" ]]
  [ -z "$(of_cell lost auditd-raw 100)$(of_cell lost auditd-raw 120)" ]
  # The order is 120, 130, 100, 110. 130 is complete by a start that gives up the log of 100, and comes after one that had no room.
  [ "$(of_cell lost auditd-raw 110)" = 0 ]
  [ "$(of_cell status,lost auditd-raw 130)" = "ok 0" ]
  [ "$(mlr --icsv --onidx filter '$test == "none"' then count-distinct -f status "$RUN/cells.csv")" = "ok 4" ]
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
  [ "$(mlr --icsv --onidx sort -f status then cut -f status "$RUN/cells.csv" | paste -sd ' ')" = "failed not-run" ]
  [ "$(jq -r .reason "$RUN"/cells/none/*/cell.json)" = "the disk of the results is full: less than 1 MiB is free in $RUN" ]
}

@test "somebody takes the audit socket while a monitor is measured that has no use for it: that cell failed" {
  start_sweep --monitors none
  wait_for_file "$RUN/cells/none/*/window-a.csv"
  "$ROOT/build/floor-audit" --output "$BATS_TEST_TMPDIR/log" >/dev/null 2>&1 3>&- &
  local taker=$!
  wait_for_file "$RUN/cells/none/*/cell.json"
  kill "$taker"
  wait "$taker" || true
  wait "$SWEEP"
  [ "$(column "$RUN/perf.csv" status none)" = failed ]
  [[ $(column "$RUN/perf.csv" reason none) == "somebody has taken the audit socket, so audit was not off: pid $taker" ]]
}
