#!/usr/bin/env bats
# Where CPUs are placed: where that can change, what a cell can stand, and corewatch as its callers see it.

bats_require_minimum_version 1.5.0

load ../rooms
load process

setup() {
  EXECTAX_ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")") BUILD=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")/build
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  CORES_SYS=$BATS_TEST_TMPDIR/sys CORES_PROC=$BATS_TEST_TMPDIR
  COREWATCH=$BUILD/corewatch
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  end_started
}

# machine FLAGS SIBLINGS...: what the kernel says of it; SIBLINGS are those of each CPU.
machine() {
  local cpu=0
  echo "flags : fpu $1" >cpuinfo
  rm -rf sys
  shift
  for siblings in "$@"; do
    mkdir -p "sys/devices/system/cpu/cpu$cpu/topology"
    echo "$siblings" >"sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list"
    cpu=$((cpu + 1))
  done
}

@test "who shares a core can change in a guest of several CPUs whose cores it is not told" {
  machine hypervisor 0 1
  cores_can_change
  cores_watch
  [ "$CORES_WATCHED" = yes ]
}

@test "it does not change on hardware, where the guest is told, with one CPU, or where nothing is said" {
  local kind
  for kind in "vmx 0 1" "hypervisor 0-1 0-1" "hypervisor 0,2 1 0,2 1" "hypervisor 0" hypervisor; do
    # shellcheck disable=SC2086 # several words
    machine $kind
    CORES_WATCHED=no
    cores_watch
    [ "$CORES_WATCHED" = no ]
  done
}

# looks LOOK...: 0, 1 (a core is shared), f (far from each other) or ? (nothing is known), one a second.
looks() {
  {
    echo mono_ns,slowdown,shared,distance_ns,far
    awk -v looks="$*" 'BEGIN { n = split(looks, shared, " "); for (i = 1; i <= n; i++) printf "%d500000000,%s\n", i - 1, shared[i] == "?" ? ",,," : shared[i] == 1 ? "1.7,1,50,0" : shared[i] == "f" ? "1.0,0,300,1" : "1.0,0,40,0" }'
  } >cores.csv
}

@test "where CPUs are is said, if they are not where they should be for more than one look in twenty" {
  host_run() { cat cores.csv; }
  looks 0 1 0 f
  CORES_WATCHED=no
  [ -z "$(cores_tell 2>&1)" ]
  CORES_WATCHED=yes
  [[ $(cores_tell 2>&1) == *"on one core for 25.0 % of the time, and on cores without a cache in common for 25.0 %."* ]]
  looks 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
  [ -z "$(cores_tell 2>&1)" ]
}

@test "where CPUs are is what corewatch sees" {
  (($(nproc) > 1)) || skip "there is one CPU"
  CORES_WATCHED=yes CORES_LOOK_SECONDS=1
  # Any placement is too much.
  CORES_MISPLACED_PERCENT=-1
  [[ $(cores_tell 2>&1) =~ "In the last 1 s, the hypervisor had CPUs of this guest on one core for "[0-9.]+" % of the time" ]]
}

@test "corewatch: a record an interval, until a signal" {
  (($(nproc) > 1)) || skip "there is one CPU"
  local signal
  for signal in TERM INT HUP; do
    start env --default-signal=INT,TERM,HUP "$COREWATCH" --interval 20 --output looks.csv
    sleep 1
    kill -s "$signal" "$pid"
    finish
    [ "$status" -eq 0 ]
    [ "$(head -n 1 looks.csv)" = mono_ns,slowdown,shared,distance_ns,far ]
    # 50 of them, on a host that is not held up.
    (($(wc -l <looks.csv) > 20))
    # 1.400 may have been rounded up.
    awk -F, 'NR > 1 { if (NF != 5 || $1 <= last || ($2 == "") != ($3 == "") || ($2 == "") != ($4 == "") || $2 != "" && ($2 < 0.5 || $2 != 1.4 && ($2 > 1.4) != $3 || $4 < 5 || ($4 >= 150) != $5)) exit 1; last = $1 }' looks.csv
  done
}

@test "corewatch: bad options are refused" {
  refuses "$COREWATCH" "*interval*" --interval 19
  refuses "$COREWATCH" "*interval*" --interval 10001
  refuses "$COREWATCH" "*cpus*" --cpus 0,99999
  refuses "$COREWATCH" "*there is one CPU to look at, expected two or more" --cpus "$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')"
  refuses "$COREWATCH" "*" argument
}
