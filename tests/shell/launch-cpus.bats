#!/usr/bin/env bats
# bench/launch-cpus.sh finds what was planted.

bats_require_minimum_version 1.5.0

BENCH=$BATS_TEST_DIRNAME/../../bench/launch-cpus.sh

HEADER=seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status,group,launcher_cpu_ns,minor_faults,voluntary_switches,involuntary_switches

# cell_with WAY COLUMN: a cell with a launch every ms, by turns from CPU 0 and 3, two of them in either group. Two phases of 0.1 s each. A launch from
# CPU 3 takes 100 µs more; one that is watched, 7 µs more. What may not count takes 900 µs, or fails.
cell_with() {
  local side=$BATS_TEST_TMPDIR/cells/m/100-1/side
  mkdir -p "$side"
  export RUN=$BATS_TEST_TMPDIR
  {
    echo unwatched,from_real_us,to_real_us
    if [[ $1 == groups ]]; then printf '%s\n' 0,1000,101000 1,200000,300000; else printf '%s\n' all,1000,101000 none,200000,300000; fi
  } >"$side/phases.csv"
  awk -v way="$1" -v header="$HEADER$2" 'BEGIN {
    print header
    for (ms = 0; ms < 400; ms++) {
      cpu = ms % 2 * 3
      group = int(ms / 2) % 2
      # The first tenth and the last quarter of a phase are not looked at.
      first = ms >= 11 && ms < 76
      second = ms >= 210 && ms < 275
      watched = way == "groups" ? group != second : second
      us = first || second ? 400 + (cpu ? 100 : 0) + (watched ? 7 : 0) : 900
      printf "%d,,,,%d,%d,500000,0,%d,1,1,1,1,%d\n", ms, ms * 1000000, us, group, cpu
    }
    print "400,,,,50000000,99999,500000,0,0,1,1,1,1,0"
    print "401,,,,50000000,,,EAGAIN,0,,,,,0"
  }' | gzip >"$side/launches.csv.gz"
}

@test "what a launch costs from each CPU, watched and not, by groups and switched" {
  cell_with groups ,cpu
  run -0 "$BENCH"
  [ "${#lines[@]}" -eq 4 ]
  [[ ${lines[2]} == '| m/100-1 | 0 | 3'[0-9]' | 400 | 3'[0-9]' | 407 |' ]]
  [[ ${lines[3]} == '| m/100-1 | 3 | 3'[0-9]' | 500 | 3'[0-9]' | 507 |' ]]
  cell_with switched ,cpu
  CELLS='m/*' run -0 "$BENCH"
  [[ ${lines[2]} == '| m/100-1 | 0 | 3'[0-9]' | 400 | 3'[0-9]' | 407 |' ]]
  [[ ${lines[3]} == '| m/100-1 | 3 | 3'[0-9]' | 500 | 3'[0-9]' | 507 |' ]]
}

@test "a run whose launches have no CPU has no rows, and is told" {
  cell_with groups ''
  run --separate-stderr -0 "$BENCH"
  [ "${#lines[@]}" -eq 2 ]
  [ "$stderr" = "launch-cpus.sh: m/100-1: its launches have no CPU, of an older run" ]
}

@test "without such cells it says what it needs" {
  RUN=$BATS_TEST_TMPDIR/none CELLS='a/*' run -2 "$BENCH"
  [ "$output" = "launch-cpus.sh: RUN '$BATS_TEST_TMPDIR/none', CELLS 'a/*': expected the folder of a run, and a pattern of cells that have a window S" ]
}
