#!/usr/bin/env bats
# Window T: its course, and what goes wrong in it, with a monitor that is a double.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  ((EUID == 0)) || skip "needs root: syscost sets group ids"
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  set -o pipefail
  OPTIONS=([syscalls]=2 [actions]='')
  EXECTAX_EXEMPT_GID=1900000300
  CELL_PROBLEM='' MONITOR_NAME=double MONITOR_WAY=double SIDE_MARGIN_SECONDS=30
  DIR=$BATS_TEST_TMPDIR/cell
  mkdir "$DIR"
}

# The monitor: it writes down what it was told.
double_side() { echo "${SIDE_OF_DOUBLE-groups}"; }
double_call() {
  echo "$*" >>"$BATS_TEST_TMPDIR/calls"
  [[ $1 == switch_phases ]] || return 0
  # As long as it takes until the load is under way: phases are seconds.
  for _ in {1..200}; do
    [[ ! -e $DIR/syscalls/slices.csv ]] || break
    sleep 0.05
  done
  echo none,1,2
}
double_pids() { echo 1; }

# run_syscalls: window T, with a syscost that is no group's.
run_syscalls() {
  host_spawn() {
    shift
    "$@" &
  }
  syscalls_run "$DIR" 2>"$BATS_TEST_TMPDIR/stderr"
  cat "$BATS_TEST_TMPDIR/stderr"
}

outcome() {
  jq -r "$1" "$DIR/syscalls/syscalls.json"
}

# slices FIELD: its values.
slices() {
  gzip -dc "$DIR/syscalls/slices.csv.gz" | tail -n +2 | cut -d, -f "$1" | sort -u | paste -sd ' '
}

@test "slices of two gids of nobody's, each left alone for a half; everybody is watched again at the end" {
  run_syscalls
  [ "$(outcome '.way + " " + .problem')" = "groups " ]
  [ "$(<"$BATS_TEST_TMPDIR/calls")" = $'monitor_unwatch 1900000301\nmonitor_unwatch 1900000302 1900000301\nmonitor_unwatch  1900000302' ]
  [ "$(slices 3)" = "1900000301 1900000302" ]
  jq -e '.groups == [1900000301, 1900000302] and .interrupted' "$DIR/syscalls/load.json"
  # Two phases of a second, one after the other, within the load, whose clock is another.
  awk -F, -v from="$(jq '(.start_mono_ns + .real_offset_ns) / 1000 - 1000000' "$DIR/syscalls/load.json")" \
    -v to="$(jq '(.end_mono_ns + .real_offset_ns) / 1000' "$DIR/syscalls/load.json")" \
    'NR > 1 { print; if ($1 != NR - 2 || $2 < from || $3 > to || $3 - $2 < 990000) bad = 1; from = $3 } END { exit bad || NR != 3 }' "$DIR/syscalls/phases.csv"
}

@test "a monitor that is switched tells its phases itself; all slices are alike" {
  SIDE_OF_DOUBLE=switched run_syscalls
  [ "$(outcome '.way + " " + .problem')" = "switched " ]
  [ "$(<"$DIR/syscalls/phases.csv")" = $'unwatched,from_real_us,to_real_us\nnone,1,2' ]
  [ "$(<"$BATS_TEST_TMPDIR/calls")" = "switch_phases 2 200000" ]
  [ "$(slices 3)" = "" ]
}

@test "a monitor that can't leave anybody alone is measured as it is, for as long as was said" {
  SIDE_OF_DOUBLE='' run_syscalls
  [ "$(outcome '.way + " " + .problem')" = "apart " ]
  [ ! -e "$BATS_TEST_TMPDIR/calls" ]
  [ "$(slices 4)" = "connect getppid open-close read" ]
  awk -F, 'NR == 2 { exit !($1 == "none" && $3 - $2 >= 1990000) }' "$DIR/syscalls/phases.csv"
}

@test "what goes wrong costs the window, is told, and is not the cell's" {
  OPTIONS[syscalls]=1
  double_call() { [[ $* != *1900000302\ * ]]; }
  run_syscalls
  [ "$(outcome .problem)" = "its script could not do monitor_unwatch" ]
  [[ $(<"$BATS_TEST_TMPDIR/stderr") == *"double, system calls: its script could not do monitor_unwatch" ]]
  double_call() { :; }
  double_pids() { :; }
  run_syscalls
  [ "$(outcome .problem)" = "the monitor died" ]
  double_pids() { echo 1; }
  BUILD=/nonexistent
  run_syscalls
  [[ $(outcome .problem) == "the load generator ended with status "* ]]
  [ -z "$CELL_PROBLEM" ]
}

@test "there is a window unless it is to take no time, or the monitor is not the run's own" {
  MONITOR_WAY=started
  syscalls_is_asked
  OPTIONS[syscalls]=0
  ! syscalls_is_asked
  OPTIONS[syscalls]=2 MONITOR_WAY=attached
  ! syscalls_is_asked
}
