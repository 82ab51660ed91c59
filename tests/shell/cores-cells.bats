#!/usr/bin/env bats
# bench/cores-cells.sh finds what was planted.

bats_require_minimum_version 1.5.0

BENCH=$BATS_TEST_DIRNAME/../../bench/cores-cells.sh

# run_with STATUS: a run whose daemons take half as long again on one core and a tenth longer far apart; the program pays nothing for either. Its cells are in neither state for long.
run_with() {
  export RUN=$BATS_TEST_TMPDIR
  awk -v status="$1" 'BEGIN {
    print "status,test,exec_per_sec,shared_cores,far_cores,daemon_us,child_cpu_mean_us"
    for (monitor = 1; monitor <= 8; monitor++)
      for (rep = 1; rep <= 5; rep++) {
        shared = monitor * rep * 7 % 23 / 20
        far = (monitor * 5 + rep * 11) % 19 / 20
        print status ",m" monitor ",100," shared "," far "," 50 * monitor * (1 + 0.5 * shared / 100 + 0.1 * far / 100) ",500"
        # Neither may count: the baseline, and what costs next to nothing.
        print "ok,none,100," shared "," far "," 100 * rep ",500"
        print "ok,cheap,100," shared "," far "," rep ","
      }
  }' >"$RUN/cells.csv"
}

@test "what CPUs on one core and far apart were planted to cost is found" {
  run_with ok
  run "$BENCH"
  [ "$status" -eq 0 ]
  [[ ${lines[2]} == *daemon_us*' | +50 ± 0 % | +10 ± 0 % | 40 | 8 |' ]]
  [[ ${lines[3]} == *child_cpu_mean_us*' | '[+−]'0 ± 0 % | '[+−]'0 ± 0 % | 40 | 8 |' ]]
}

@test "without cells there is nothing to tell" {
  run_with failed
  run "$BENCH"
  [ "$status" -eq 0 ]
  [[ ${lines[2]} == *daemon_us*' | – | – | 0 | 0 |' ]]
}

@test "without a run it says what it needs" {
  RUN=$BATS_TEST_TMPDIR/none run -2 "$BENCH"
  [ "$output" = "cores-cells.sh: RUN '$BATS_TEST_TMPDIR/none': expected the folder of a run with cells.csv" ]
}
