#!/usr/bin/env bats
# exectax saturate: its options, the combinations that it measures, and its figures from rounds written by hand.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
}

# refused PATTERN ARGUMENTS...: exit status 2, one line on stderr that matches, nothing made.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" saturate --out "$BATS_TEST_TMPDIR/run" "$@"
  echo "status $status, stderr '$stderr'"
  # shellcheck disable=SC2154 # bats sets it
  [[ $status -eq 2 && -z $output && ${#stderr_lines[@]} -eq 1 ]]
  # shellcheck disable=SC2053 # it is a pattern
  [[ $stderr == exectax:*$pattern && ! -e $BATS_TEST_TMPDIR/run ]]
}

@test "bad options are refused, each in one line" {
  refused "*--start is '0'*" --start 0
  refused "*--max-rate is '50'*from 100 to*" --max-rate 50
  refused "*--precision is '51'*" --precision 51
  refused "*--repeat is 'x'*" --repeat x
  refused "*--round is '0'*" --round 0
  refused "*--action 'exec,fork'*expected some of *exec, open*" --action exec,fork
  refused "*--limit-cpus: '0'*" --limit-cpus 1,0
  refused "*--limit-cpus: '0.001'*" --limit-cpus 0.001
  refused "*--limit-memory: '1T'*" --limit-memory 1T
  refused "*--monitors: there is no monitor 'auditdd'*" --monitors auditdd
  refused "*--monitors: expected a monitor that records something" --monitors none
  refused "*--vary is 'buffered'*" --vary buffered
  refused "*none of the monitors has a knob 'nothing'*" --vary nothing=1
  refused "*--vary backlog: auditd-raw does not take 'many', expected 8192,N" --monitors auditd-raw --vary backlog=many
  refused "*--vary buffered: falco does not take 'maybe', expected no,yes" --monitors falco --vary buffered=maybe
  refused "*unexpected argument 'x'*" x
}

@test "every monitor under every limit, with the knobs that it has" {
  use_rooms base host monitor measure
  RUN_MONITORS=(auditd-raw execsnoop)
  OPTIONS=([limit_cpus]="- 0.5" [limit_memory]="512M" [vary_flush]="NONE SYNC" [vary_backlog]="64" [seed]=3 [repeat]=2)
  [ "$(saturate_combinations)" = "$(
    cat <<'LIST'
auditd-raw+memory=512M+backlog=64+flush=NONE,auditd-raw,-,512M,backlog=64 flush=NONE
auditd-raw+memory=512M+backlog=64+flush=SYNC,auditd-raw,-,512M,backlog=64 flush=SYNC
auditd-raw+cpus=0.5+memory=512M+backlog=64+flush=NONE,auditd-raw,0.5,512M,backlog=64 flush=NONE
auditd-raw+cpus=0.5+memory=512M+backlog=64+flush=SYNC,auditd-raw,0.5,512M,backlog=64 flush=SYNC
execsnoop+memory=512M,execsnoop,-,512M,
execsnoop+cpus=0.5+memory=512M,execsnoop,0.5,512M,
LIST
  )" ]
  monitor_obstacles() { :; }
  [ "$(saturate_plan | wc -l)" -eq 13 ]
  [ "$(saturate_plan | cut -d, -f2- | sort -u | wc -l)" -eq 13 ]
}

@test "a combination whose knob asks for what is not here is skipped, the others are not" {
  use_rooms base host monitor measure
  RUN_MONITORS=(auditd-raw)
  OPTIONS=([limit_cpus]=- [limit_memory]=- [vary_backlog]="64 128" [seed]=3 [repeat]=1)
  monitor_obstacles() { [[ $EXECTAX_KNOB_BACKLOG != 64 ]] || echo "needs more than $1 has"; }
  saturate_plan >"$BATS_TEST_TMPDIR/plan" 2>"$BATS_TEST_TMPDIR/stderr"
  [ "$(tail -n +2 "$BATS_TEST_TMPDIR/plan")" = "1,1,auditd-raw+backlog=128,auditd-raw,-,-,backlog=128" ]
  [ "${RUN_SKIPPED[auditd-raw+backlog=64]}" = "needs more than auditd-raw has" ]
  grep -qx 'Skipping auditd-raw+backlog=64: needs more than auditd-raw has' "$BATS_TEST_TMPDIR/stderr"
}

@test "where no combination can run, nothing is measured" {
  use_rooms base host monitor measure
  OPTIONS=([out]=$BATS_TEST_TMPDIR [limits]=no)
  saturate_ceilings() { echo measured; }
  echo "search,rep,test,monitor,cpus,memory,knobs" >"$BATS_TEST_TMPDIR/plan.csv"
  run saturate_measure
  [ "$status" -eq 1 ]
  [ "$output" = "exectax: none of these monitors can run here with the given options (see above)" ]
}

# A row of rounds.csv as JSON. round KEY=JSON...
round() {
  local pair row
  row='{"test": "m", "monitor": "m", "combination": "no limits", "rep": 1, "round": 1, "phase": "ramp", "asked_per_sec": 100, "achieved_per_sec": 100,
    "host_saturated": "false", "verdict": "clean", "recorded_percent": 100, "cpu": 5, "behind_s": 2, "written_per_sec": 80, "status": "ok", "reason": ""}'
  for pair in "$@"; do
    row=$(jq ".${pair%%=*} = ${pair#*=}" <<<"$row")
  done
  echo "$row"
}

@test "the lossless rate: medians over searches; loss, host and load as what bounds it" {
  {
    # Three searches of m: lossless 400, 600 and 500; each loses at 800.
    round rep=1 round=1 asked_per_sec=400 achieved_per_sec=400
    round rep=1 round=2 asked_per_sec=800 achieved_per_sec=790 'verdict="lossy"' recorded_percent=90
    round rep=1 round=3 asked_per_sec=600 achieved_per_sec=600 'verdict="lossy"' recorded_percent=99 'phase="bisect"'
    round rep=2 round=1 asked_per_sec=400 achieved_per_sec=400
    round rep=2 round=2 asked_per_sec=800 achieved_per_sec=800 'verdict="lossy"' recorded_percent=80
    round rep=2 round=3 asked_per_sec=600 achieved_per_sec=600 'phase="bisect"' cpu=9
    round rep=3 round=1 asked_per_sec=500 achieved_per_sec=500
    round rep=3 round=2 asked_per_sec=800 achieved_per_sec=780 'verdict="lossy"' recorded_percent=90
    # A clean round above a lossy one is luck.
    round rep=3 round=3 asked_per_sec=900 achieved_per_sec=900 'phase="bisect"'
    round 'test="h"' asked_per_sec=400 achieved_per_sec=400
    round 'test="h"' round=2 asked_per_sec=800 achieved_per_sec=700 'verdict="host-saturated"'
    # Asked for more, the overloaded host does less.
    round 'test="o"' asked_per_sec=400 achieved_per_sec=395
    round 'test="o"' round=2 asked_per_sec=800 achieved_per_sec=390 'verdict="host-saturated"'
    round 'test="l"' asked_per_sec=400 achieved_per_sec=300 'verdict="load-limited"'
    round 'test="x"' asked_per_sec=400 achieved_per_sec=400
  } >"$BATS_TEST_TMPDIR/rounds"
  jq -s . "$BATS_TEST_TMPDIR/rounds" | jq -c -L "$ROOT/lib/report/tables" --slurpfile manifest <(echo '{"skipped": {"gone": "not here"}}') -f "$ROOT/lib/report/tables/searches.jq" >"$BATS_TEST_TMPDIR/rows"
  of() { jq -r "select(.test == \"$1\") | $2" "$BATS_TEST_TMPDIR/rows"; }
  [ "$(of m '"\(.lossless_per_sec) \(.lossless_lowest) \(.lossless_highest) \(.bound) \(.reps) \(.rounds)"')" = "500 400 600 monitor 3 9" ]
  [ "$(of m '"\(.dropped_at_per_sec) \(.success_percent) \(.success_per_sec)"')" = "790 90 702" ]
  [ "$(of m .cpu)" = 5 ]
  [ "$(of m '"\(.behind_s) \(.written_per_sec)"')" = "2 80" ]
  [ "$(of h '"\(.lossless_per_sec) \(.bound) \(.dropped_at_per_sec)"')" = "700 host null" ]
  [ "$(of o '"\(.lossless_per_sec) \(.bound)"')" = "395 host" ]
  [ "$(of l '"\(.lossless_per_sec) \(.bound)"')" = "300 load" ]
  [ "$(of x '"\(.lossless_per_sec) \(.bound)"')" = "400 --max-rate" ]
  [ "$(of gone '"\(.status) \(.reason)"')" = "skipped not here" ]
}

@test "a search in which no round has figures has a table and says that there is no picture" {
  local run=$BATS_TEST_TMPDIR/none-has-figures
  mkdir -p "$run/cells/m/1-01"
  echo "search,rep,test,monitor,cpus,memory,knobs" >"$run/plan.csv"
  echo '{"kind": "saturate", "state": "complete", "started": "2026-01-01T00:00:00+00:00", "skipped": {}, "options": {"reps": 1, "round_s": 2, "load_s": 5, "actions": ["exec"]},
    "host": {"cpus": 2, "virtualisation": "none"}}' >"$run/manifest.json"
  echo '{"actions": ["exec"], "achieved_hz": 3000}' >"$run/ceiling-exec.json"
  echo '{"cell": 1, "test": "m", "monitor": "m", "exec_per_sec": 100, "rep": 1, "search": 1, "round": 1, "phase": "ramp", "cpus": "-", "memory": "-",
    "knobs": "", "status": "not-ready", "reason": "not ready after 2 s"}' >"$run/cells/m/1-01/cell.json"
  run --separate-stderr "$ROOT/exectax" report "$run"
  [ "$status" -eq 0 ]
  [ "$stderr" = "exectax: warning: no round has figures, so there is no picture" ]
  [[ $output == *"| m | no limits | – (failed) |"*"not-ready: not ready after 2 s"* ]]
  [ "$(cd "$run" && echo *)" = "ceiling-exec.json cells manifest.json plan.csv report.html rounds.csv saturation.csv saturation.md" ]
}
