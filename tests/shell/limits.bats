#!/usr/bin/env bats
# Limits on the monitor's cgroup bite, in whichever hierarchy this host has them.

load ../rooms

setup() {
  ((EUID == 0)) || skip "needs root"
  EXECTAX_ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  mkdir -p "$EXECTAX_STATE_DIR"
  use_rooms base host
  CGROUP_MONITOR=limits-test
  cgroup_find_mounts
  limits_pass_on "${CGROUP_MOUNTS[0]}"
  host_record undo_cgroups
  cgroup_create "$CGROUP_MONITOR"
  limits_pass_on "${CGROUP_MOUNTS[0]}/exectax"
  split_lines FOLDERS "$(cgroup_folders "$CGROUP_MONITOR")"
}

teardown() {
  ((EUID == 0)) || return 0
  host_undo
}

needs_limit() {
  local problem
  problem=$(limits_problem "$1")
  [[ -z $problem ]] || skip "$problem"
}

# in_group COMMAND...
in_group() {
  (
    cgroup_enter "$CGROUP_MONITOR"
    exec "$@"
  )
}

# CPU time of the group in ns.
group_cpu_ns() {
  local folder
  folder=$(cgroup_cpu_folder "$CGROUP_MONITOR")
  cat "$folder/cpuacct.usage" 2>/dev/null || awk '$1 == "usage_usec" { print $2 * 1000 }' "$folder/cpu.stat"
}

# burn SECONDS: the group burns what CPU it gets; CPU time in % of one CPU on stdout.
burn() {
  local start cpu
  cpu=$(group_cpu_ns)
  start=$(now_us)
  in_group timeout "$1" sh -c 'while :; do :; done' || true
  echo $((($(group_cpu_ns) - cpu) / 10 / ($(now_us) - start)))
}

@test "a burner under 0.5 CPU gets 0.5, and is said to be throttled" {
  needs_limit cpus
  limits_set 0.5 -
  local before share
  before=$(limits_counters_json "${FOLDERS[@]}" | jq .throttled_us)
  share=$(burn 3)
  echo "$share %"
  # Two periods of 100 ms in 3 s are 3.3 points; a busy machine may give it less.
  ((share <= 54 && share >= 30))
  (($(limits_counters_json "${FOLDERS[@]}" | jq .throttled_us) - before > 500000))
}

@test "without the limit it gets more, and is not throttled" {
  needs_limit cpus
  limits_set 0.5 -
  limits_lift
  local before share
  before=$(limits_counters_json "${FOLDERS[@]}" | jq .throttled_us)
  share=$(burn 2)
  echo "$share %"
  ((share > 54))
  [ "$(limits_counters_json "${FOLDERS[@]}" | jq .throttled_us)" -eq "$before" ]
}

@test "who takes more memory than the limit is killed, and that is counted" {
  needs_limit memory
  limits_set - 32M
  local before
  before=$(limits_counters_json "${FOLDERS[@]}" | jq .oom_kills)
  # tail keeps all of a line in memory.
  run in_group sh -c 'head -c 200000000 /dev/zero | tail -n 1 >/dev/null'
  echo "status $status"
  (($(limits_counters_json "${FOLDERS[@]}" | jq .oom_kills) > before))
  limits_lift
  run in_group sh -c 'head -c 200000000 /dev/zero | tail -n 1 | wc -c'
  [ "$output" = 200000000 ]
}

@test "what the kernel does not take is no limit that was set" {
  needs_limit cpus
  # Less than the shortest that the kernel allows, 1 ms.
  ! limits_set_cpus 0.001
}
