#!/usr/bin/env bats
# What goes wrong costs its own cells only, is said, and leaves the host as it was.

load helpers
load faults

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

@test "a monitor that does not get ready in a pass is tried once more, and is then left out, said in the table" {
  EXECTAX_MONITORS=$BATS_TEST_DIRNAME/monitors EXECTAX_READY_SECONDS=3 \
    sweep --monitors none,never-ready-double --reps 3 --duration 1 --instrumented 0 --out "$RUN" >"$BATS_TEST_TMPDIR/stdout" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(grep -c '^never-ready-double could not be started, and is tried once more in the next pass\.$' "$BATS_TEST_TMPDIR/stderr")" -eq 1 ]
  reason="could not be started in passes 1 and 2, and is in no further one: not ready after 3 s"
  grep -qxF "Skipping never-ready-double: $reason" "$BATS_TEST_TMPDIR/stderr"
  [ "$(jq -r '.skipped["never-ready-double"]' "$RUN/manifest.json")" = "$reason" ]
  [ "$(awk -F, '$3 == "never-ready-double" { print $2 }' "$RUN/plan.csv" | paste -sd ' ')" = "1 2" ]
  grep -q "^| never-ready-double .*$reason" "$BATS_TEST_TMPDIR/stdout"
  jq -e '.state == "complete" and (.outcome | endswith("; no monitor can be started"))' "$RUN/manifest.json"
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

@test "the messages' disk is full: the sweep goes on, and the host is put back" {
  sweep --monitors none,auditd-raw --out "$RUN" >"$BATS_TEST_TMPDIR/stdout" 2>/dev/full
  column "$RUN/perf.csv" reason auditd-raw
  [ "$(column "$RUN/perf.csv" status auditd-raw)" = ok ]
}

# reason_of FOLDER: status and reason of the cell.
reason_of() {
  jq -r '"\(.status) \(.reason)"' "$RUN/cells/$1/cell.json"
}

@test "samplers that are stopped or killed fail their cells, with the reason" {
  local stopped="did not end within 6 s of when it was due: something stopped it (SIGSTOP)"
  require_full_rate
  EXECTAX_END_SECONDS=6 start_sweep --monitors none,floor-audit --rates "100 110 120 130" --instrumented 1
  wait_for_file "$RUN/plan.csv"
  wait_for_file "$RUN/manifest.json"
  while IFS=, read -r _ _ monitor rate turn _; do
    [[ $turn == 1 ]] || continue
    dir=$RUN/cells/$monitor/$rate-1
    wait_for_file "$dir/window-a.csv"
    case $monitor-$rate in
      none-100) kill -STOP "$(sampler_pid cpumeter)" ;;
      none-110) kill -KILL "$(sampler_pid pidstat)" ;;
      none-120) grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr" || kill -STOP "$(sampler_pid perf)" ;;
      none-130) [[ ! -e $dir/cores.csv ]] || kill -KILL "$(sampler_pid corewatch)" ;;
      floor-audit-100) kill -STOP "$(sampler_pid logfollow)" ;;
      floor-audit-110) kill -KILL "$(sampler_pid logfollow)" ;;
      floor-audit-120) kill -KILL "$(sampler_pid cpumeter)" ;;
    esac
    wait_for_file "$dir/cell.json"
  done < <(tail -n +2 "$RUN/plan.csv")
  wait "$SWEEP"
  mlr --icsv --oxtab cut -o -f test,exec_per_sec,status,reason "$RUN/cells.csv"
  [ "$(reason_of none/100-1)" = "failed cpumeter $stopped" ]
  [[ $(reason_of none/110-1) == "failed pidstat ended with status 137: "* ]]
  if ! grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr"; then
    [ "$(reason_of none/120-1)" = "failed perf record $stopped" ]
  fi
  if [[ -e $RUN/cells/none/130-1/cores.csv ]]; then
    [[ $(reason_of none/130-1) == "failed corewatch ended with status 137: "* ]]
  fi
  [ "$(reason_of floor-audit/100-1)" = "failed the reader of the log $stopped" ]
  [[ $(reason_of floor-audit/110-1) == "failed the reader of the log ended with status 137"* ]]
  [[ $(reason_of floor-audit/120-1) == "failed cpumeter ended with status 137"* ]]
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
