#!/usr/bin/env bats
# Instructions that the load and the monitor execute. Most machines that tests run on have no performance counters, so perf is a double.

load ../rooms

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  EXECTAX_ROOT=$ROOT BUILD=$ROOT/build
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host measure
  # Without a run's cgroups.
  host_spawn() {
    shift
    "$@" 3>&- &
  }
  cd "$BATS_TEST_TMPDIR" || return
  CGROUP_MOUNTS=("$BATS_TEST_TMPDIR/cgroup")
  mkdir -p cgroup/exectax/load cgroup/exectax/monitor
  echo 'cgroup2 /sys/fs/cgroup cgroup2 rw 0 0' >mounts
  INSTRUCTIONS_MOUNTS=mounts
  # What perf has counted: FIRST,MIDDLE,LAST, with the cgroup in between or at the end as versions have it.
  COUNTED=(1600,,instructions:u,exectax/load,2000,100.00,, 3200,,instructions:k,exectax/load,2000,100.00,,
    800,,instructions:u,exectax/monitor,2000,100.00,, 80,,instructions:k,exectax/monitor,2000,100.00,,)
}

# perf stat on a machine that has performance counters, as the tests have them counted.
perf_counters_double() {
  local out
  echo "$*" >arguments
  while [[ $1 != -o ]]; do
    shift
  done
  out=$2
  printf '# started on Mon Jan  1 00:00:00 2026\n\n' >"$out"
  printf '%s\n' "${COUNTED[@]}" >>"$out"
}

perf() {
  perf_counters_double "$@"
}

count() {
  instructions_count . 2
  wait $!
  instructions_read . 2
}

@test "where they can be counted, and why they can't elsewhere" {
  [ -z "$(instructions_problem)" ]
  echo 'cgroup /sys/fs/cgroup/perf_event cgroup rw,perf_event 0 0' >>mounts
  [[ $(instructions_problem) == *"hierarchy v1"* ]]
  : >mounts
  [[ $(instructions_problem) == *"hierarchy v1"* ]]
  COUNTED=('<not supported>,,instructions:u,,0,100.00,,')
  [[ $(instructions_problem) == *"counters are not to be had here"* ]]
  perf_counters_double() { return 1; }
  [ "$(instructions_problem)" = "perf stat can't count on this machine" ]
  unset -f perf
  [ "$(PATH=/nowhere instructions_problem)" = "perf is not installed" ]
}

@test "user and kernel mode, of the load and of the monitor" {
  count
  [[ $(<arguments) == *"-e instructions:u -e instructions:k -e instructions:u -e instructions:k -G exectax/load,exectax/load,exectax/monitor,exectax/monitor -o "*" -- sleep 2" ]]
  [ "$(jq -c '[.seconds, .load_user, .load_kernel, .monitor_user, .monitor_kernel]' instructions.json)" = "[2,1600,3200,800,80]" ]
  [ ! -e instructions.txt ]
}

@test "the cgroup at the end of a line, as other versions of perf have it" {
  COUNTED=(1600,,instructions:u,2000,100.00,,,exectax/load 3200,,instructions:k,2000,100.00,,,exectax/load)
  count
  [ "$(jq -c '[.load_user, .load_kernel, .monitor_user]' instructions.json)" = "[1600,3200,null]" ]
}

@test "what is attached to has no cgroup of ours; one in which nothing ran has executed nothing" {
  rmdir cgroup/exectax/monitor
  COUNTED=("${COUNTED[@]:0:2}")
  count
  [[ $(<arguments) != *monitor* ]]
  mkdir cgroup/exectax/monitor
  COUNTED+=('<not counted>,,instructions:u,exectax/monitor,0,0.00,,' '<not counted>,,instructions:k,exectax/monitor,0,0.00,,')
  count
  [ "$(jq -c '[.load_user, .monitor_user, .monitor_kernel]' instructions.json)" = "[1600,0,0]" ]
}

@test "a load that was not counted is none" {
  COUNTED[0]='<not counted>,,instructions:u,exectax/load,0,0.00,,'
  run count
  [ "$status" -eq 1 ]
  [ ! -e instructions.json ]
  COUNTED=(1600,,instructions:u,exectax/load,2000,100.00,,)
  run count
  [ "$status" -eq 1 ]
}
