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

# fault FOLDER NAME SIGNAL: to that sampler of the cell, once it is there.
fault() {
  wait_for_file "$RUN/cells/$1/window-a.csv"
  kill "-$3" "$(sampler_pid "$2")"
}

# of_detailed MONITOR PASS 0|1: the folders of the cells of its first start in that pass which are detailed or not, one a line.
of_detailed() {
  wait_for_line "^[0-9]*,$2,$1," "$RUN/plan.csv"
  awk -F, -v monitor="$1" -v pass="$2" -v detailed="$3" '$2 == pass && $3 == monitor && $5 == 1 && $6 == detailed { print $3 "/" $4 "-" $2 }' "$RUN/plan.csv"
}

# reason_of FOLDER: status and reason of the cell.
reason_of() {
  jq -r '"\(.status) \(.reason)"' "$RUN/cells/$1/cell.json"
}

# Each start has one cell with a profile and a reader of the log.
@test "samplers that are stopped or killed fail their cells, with the reason" {
  local stopped="did not end within 6 s of when it was due: something stopped it (SIGSTOP)"
  local -a none floor
  require_full_rate
  EXECTAX_END_SECONDS=6 start_sweep --monitors none,floor-audit --rates "100 110 120 130" --instrumented 1 --reps 2 --seed 3
  wait_for_file "$RUN/plan.csv"
  wait_for_file "$RUN/manifest.json"
  mapfile -t none < <(of_detailed none 1 0)
  mapfile -t floor < <(of_detailed floor-audit 1 0)
  none+=("$(of_detailed none 1 1)") floor+=("$(of_detailed floor-audit 1 1)")
  # In the order of measurement.
  while IFS=, read -r _ _ monitor rate turn _; do
    [[ $turn == 1 ]] || continue
    case $monitor/$rate-1 in
      "${none[0]}") fault "${none[0]}" cpumeter STOP ;;
      "${none[1]}") fault "${none[1]}" pidstat KILL ;;
      "${none[2]}")
        wait_for_file "$RUN/cells/${none[2]}/window-a.csv"
        [[ ! -e $RUN/cells/${none[2]}/cores.csv ]] || fault "${none[2]}" corewatch KILL
        ;;
      "${none[3]}") grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr" || fault "${none[3]}" perf STOP ;;
      "${floor[0]}") fault "${floor[0]}" cpumeter KILL ;;
      "${floor[3]}") fault "${floor[3]}" logfollow STOP ;;
    esac
    wait_for_file "$RUN/cells/$monitor/$rate-1/cell.json"
  done < <(tail -n +2 "$RUN/plan.csv")
  floor+=("$(of_detailed floor-audit 2 1)")
  fault "${floor[4]}" logfollow KILL
  wait "$SWEEP"
  [ "$(reason_of "${none[0]}")" = "failed cpumeter $stopped" ]
  [[ $(reason_of "${none[1]}") == "failed pidstat ended with status 137: "* ]]
  if [[ -e $RUN/cells/${none[2]}/cores.csv ]]; then
    [[ $(reason_of "${none[2]}") == "failed corewatch ended with status 137: "* ]]
  fi
  if ! grep -q '^No profiles' "$BATS_TEST_TMPDIR/stderr"; then
    [ "$(reason_of "${none[3]}")" = "failed perf record $stopped" ]
  fi
  [[ $(reason_of "${floor[0]}") == "failed cpumeter ended with status 137"* ]]
  [ "$(reason_of "${floor[3]}")" = "failed the reader of the log $stopped" ]
  [[ $(reason_of "${floor[4]}") == "failed the reader of the log ended with status 137"* ]]
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
