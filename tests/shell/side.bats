#!/usr/bin/env bats
# Window S: its course, and what goes wrong in it, with a monitor that is a double.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ((EUID == 0)) || skip "needs root: execrate sets group ids"
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT BUILD=$ROOT/build
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  OPTIONS=([side]=2 [actions]='')
  EXECTAX_EXEMPT_GID=1900000300
  LOGS_FILES=("$BATS_TEST_TMPDIR/log") LOGS_FAULT='' CELL_PROBLEM='' MONITOR_RECORDS=exec MONITOR_NAME=double MONITOR_WAY=double
  CELL_DRAIN_QUIET_SECONDS=0 SIDE_MARGIN_SECONDS=3
  DIR=$BATS_TEST_TMPDIR/cell
  mkdir "$DIR"
  touch "$LOGS_FILES"
}

# The monitor: it writes down what it was told, and records what execrate launches, all of it.
double_side() { echo "${SIDE_OF_DOUBLE-groups}"; }
double_call() {
  echo "$*" >>"$BATS_TEST_TMPDIR/calls"
  [[ $1 != switch_phases ]] || echo none,1,2
}
double_pids() { echo 1; }
double_guard() { :; }

host_spawn_execrate() {
  shift
  "$@" &
}

# run_side: window S at 100/s, with an execrate that is no group's and a monitor that records all.
run_side() {
  host_spawn() { host_spawn_execrate "$@"; }
  side_run "$DIR" x1s.7 100 5 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
}

outcome() {
  jq -r "$1" "$DIR/side/side.json"
}

@test "two gids of nobody's, each left alone for a half; everybody is watched again at the end" {
  printf 'a1="x1s.7-%d"\n' 3 1 3 12 >"$LOGS_FILES"
  echo 'a1="x1s.70-4" x1s17-5 x1.7-6' >>"$LOGS_FILES"
  run_side
  [ "$(outcome .problem)" = "" ]
  [ "$(outcome '.way + " " + .records')" = "groups exec" ]
  [ "$(<"$BATS_TEST_TMPDIR/calls")" = $'monitor_unwatch 1900000301\nmonitor_unwatch 1900000302 1900000301\nmonitor_unwatch  1900000302' ]
  jq -e '.groups == [1900000301, 1900000302] and .seed == 5 and .tag == "x1s.7" and .interrupted and .launched > 250' "$DIR/side/load.json"
  # Two phases of a second, one after the other, after the lead and within the load.
  awk -F, -v from="$(jq '.start_real_ns / 1000 + 900000' "$DIR/side/load.json")" -v to="$(jq '.end_real_ns / 1000' "$DIR/side/load.json")" \
    'NR > 1 { print; if ($1 != NR - 2 || $2 < from || $3 > to || $3 - $2 < 990000 || $3 - $2 > 1500000) bad = 1; from = $3 } END { exit bad || NR != 3 }' "$DIR/side/phases.csv"
  [ "$(gzip -dc "$DIR/side/recorded.csv.gz" | paste -sd ' ')" = "seq 1 3 12" ]
  gzip -t "$DIR/side/launches.csv.gz"
}

@test "what it changes of audit is known to be the run's own" {
  audit_forget_ours() { echo forget >>"$BATS_TEST_TMPDIR/calls"; }
  audit_note_ours() { echo note >>"$BATS_TEST_TMPDIR/calls"; }
  run_side
  [ "$(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/calls" | paste -sd ' ')" = "forget monitor_unwatch note forget monitor_unwatch note forget monitor_unwatch note" ]
}

@test "a monitor that is switched tells its phases itself" {
  SIDE_OF_DOUBLE=switched run_side
  [ "$(outcome .way)" = switched ]
  [ "$(<"$DIR/side/phases.csv")" = $'unwatched,from_real_us,to_real_us\nnone,1,2' ]
  [ "$(<"$BATS_TEST_TMPDIR/calls")" = "switch_phases 2 200000" ]
}

@test "without a way, or for other actions than exec, there is no window" {
  SIDE_OF_DOUBLE='' run_side
  [ ! -e "$DIR/side" ]
  OPTIONS[actions]="exec open"
  run_side
  [ ! -e "$DIR/side" ]
}

@test "what goes wrong costs the window, is told, and is not the cell's" {
  double_call() { [[ $* != *1900000302\ * ]]; }
  run_side
  [ "$(outcome .problem)" = "its script could not do monitor_unwatch" ]
  [[ $(<"$BATS_TEST_TMPDIR/stderr") == *"double at 100/s, side by side: its script could not do monitor_unwatch" ]]
  [ -z "$CELL_PROBLEM" ]
  double_call() { :; }
  double_pids() { :; }
  run_side
  [ "$(outcome .problem)" = "the monitor died" ]
  double_pids() { echo 1; }
  # A load that ends by itself was too short.
  SIDE_MARGIN_SECONDS=-2
  run_side
  [[ $(outcome .problem) == "the load generator ended with status 0: "* ]]
}

@test "the two groups are nobody's, and not the harness's" {
  getent() { [[ $2 == 1900000301 || $2 == 1900000303 ]]; }
  [ "$(exempt_groups)" = "1900000302,1900000304" ]
}

@test "what must be recorded is what was watched, between switches" {
  printf 'unwatched,from_real_us,to_real_us\n0,10,20\n1,30,40\nall,50,60\nnone,60,70\n' >"$DIR/phases.csv"
  {
    echo seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status,group
    # Before, in each phase (watched: group 1, 0, none, both), one that failed, between, after.
    printf '0,,,,%d,,,%s,%d\n' 5000 0 1 12000 0 0 13000 0 1 14000 EAGAIN 1 25000 0 1 31000 0 0 32000 0 1 55000 0 0 65000 0 0 66000 0 1 75000 0 1
  } >"$DIR/launches.csv"
  [ "$(side_watched "$DIR")" = 4 ]
}

@test "its length is the option's, or enough for as many executions at low rates" {
  [ "$(side_window_seconds 100)" = 2 ]
  [ "$(side_length)" = "2 s" ]
  OPTIONS[side]=auto
  [ "$(for rate in 1 100 101 200 399 400 1600; do side_window_seconds "$rate"; done | paste -sd ' ')" = "12 12 12 6 4 3 3" ]
  [ "$(side_length)" = "3 s (up to 12 s at low rates)" ]
}

@test "the time and the launches of a plan have its length at each rate, for monitors that have it" {
  OPTIONS+=([side]=auto [warmup]=1 [duration]=2 [instrumented]=2 [load_margin]=4 [rates]="100 800") MONITOR_WAY=started
  monitor_fact() { [[ $* != "a side" ]] || echo groups; }
  rows=$'1,1,a,100,1,1\n2,1,a,800,1,1\n3,1,b,100,1,1\n4,1,none,100,1,1\n5,2,a,100,1,1\n6,2,a,800,1,0'
  [ "$(sweep_side_seconds "$rows")" = $((14 + 5 + 14)) ]
  [ "$(sweep_side_seconds "")" = 0 ]
  # What is attached to has none.
  [ "$(MONITOR_WAY=attached sweep_side_seconds "$rows")" = 0 ]
  [ "$(sweep_block_launches)" = $((900 * 7 + 800 * 5)) ]
  [ "$(sweep_launches_of <<<"$rows")" = $((4 * 2100 + 9600 + 800 * 7)) ]
}

@test "a phase that is switched is as short as launches allow" {
  switch_us_of() {
    echo "$1" >"$DIR/load.json"
    side_switch_us "$DIR/load.json"
  }
  [ "$(switch_us_of '{"spawn_to_exit_us": {"p999": 3000.1}}')" = 20000 ]
  [ "$(switch_us_of '{"spawn_to_exit_us": {"p999": 7500.2}}')" = 30001 ]
  [ "$(switch_us_of '{"spawn_to_exit_us": {"p999": 80000}}')" = 200000 ]
  # None was seen.
  [ "$(switch_us_of '{"spawn_to_exit_us": null}')" = 200000 ]
  rm "$DIR/load.json"
  [ "$(side_switch_us "$DIR/load.json" 2>/dev/null)" = 200000 ]
  switch_us_of '{"spawn_to_exit_us": {"p999": 10000}}'
  SIDE_OF_DOUBLE=switched run_side
  grep -qx 'switch_phases 2 40000' "$BATS_TEST_TMPDIR/calls"
}

@test "its phases and its load are as long as it is at that rate" {
  OPTIONS[side]=auto SIDE_OF_DOUBLE=switched SIDE_AUTO_LAUNCHES=200 SIDE_AUTO_SECONDS=1
  run_side
  grep -qx 'switch_phases 2 200000' "$BATS_TEST_TMPDIR/calls"
  [ "$(side_load_seconds 100)" = $((SIDE_LEAD_SECONDS + 2 + SIDE_MARGIN_SECONDS)) ]
}
