#!/usr/bin/env bats
# The state journal: what is recorded is undone, newest first, and what fails stays; and the lock.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock
  mkdir "$EXECTAX_STATE_DIR"
  use_rooms base host
  UNDONE=$BATS_TEST_TMPDIR/undone
  undo_note() { echo "$1" >>"$UNDONE"; }
  undo_refuse() { return 1; }
  undo_die() { die "an undo that ends its process"; }
}

@test "undone newest first, arguments whole" {
  host_record undo_note "first one"
  host_record_lasting undo_note 'second "$(false)" one'
  host_has_changes
  host_undo
  [ "$(<"$UNDONE")" = $'second "$(false)" one\nfirst one' ]
  [ ! -s "$HOST_JOURNAL" ]
}

@test "what can't be undone stays in the journal, the rest is undone" {
  host_record undo_note one
  host_record undo_refuse two
  host_record undo_die three
  host_record undo_note four
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"not undone: undo_refuse two"* ]]
  [ "$(<"$UNDONE")" = $'four\none' ]
  [ "$(cut -d' ' -f2- "$HOST_JOURNAL")" = $'undo_refuse two \nundo_die three ' ]
}

@test "nothing but undo functions is ever called from the journal" {
  do_note() { touch "$BATS_TEST_TMPDIR/called"; }
  host_record touch "$BATS_TEST_TMPDIR/called"
  host_record do_note
  host_record undo_unheard_of
  run host_undo
  [ "$status" -eq 1 ]
  [ ! -e "$BATS_TEST_TMPDIR/called" ]
}

@test "after a restart of the machine what outlives it is undone, and nothing else" {
  host_record undo_note volatile
  host_record_lasting undo_note lasting
  sed -i "s/^$(</proc/sys/kernel/random/boot_id) /00000000-0000-0000-0000-000000000000 /" "$HOST_JOURNAL"
  host_undo
  [ "$(<"$UNDONE")" = lasting ]
  [ ! -s "$HOST_JOURNAL" ]
}

@test "a journal cut off at any byte: all whole entries are undone, and nothing else" {
  local whole size
  host_record undo_note first
  host_record_lasting undo_note 'the second; $(touch x)'
  host_record undo_note third
  cp "$HOST_JOURNAL" "$BATS_TEST_TMPDIR/journal"
  for ((size = 0; size <= $(stat -c %s "$BATS_TEST_TMPDIR/journal"); size++)); do
    mkdir -p "$EXECTAX_STATE_DIR"
    head -c "$size" "$BATS_TEST_TMPDIR/journal" >"$HOST_JOURNAL"
    whole=$(head -c "$size" "$BATS_TEST_TMPDIR/journal" | wc -l)
    : >"$UNDONE"
    host_undo
    [ "$(<"$UNDONE")" = "$(printf '%s\n' first 'the second; $(touch x)' third | head -n "$whole" | tac)" ]
    [ ! -s "$HOST_JOURNAL" ]
  done
}

@test "a whole line that is no bash costs none of the others" {
  host_record undo_note one
  echo "lasting undo_note 'open" >>"$HOST_JOURNAL"
  host_record undo_note two
  run host_undo
  [ "$status" -eq 1 ]
  [ "$(<"$UNDONE")" = $'two\none' ]
}

@test "where the journal can't be written nothing is changed, and it is said what helps" {
  ((EUID == 0)) || skip "needs root"
  mkdir "$BATS_TEST_TMPDIR/full"
  run unshare --mount bash -c '
    mount -t tmpfs -o size=16k tmpfs "$1/full"
    export EXECTAX_STATE_DIR=$1/full
    EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh
    host_record undo_note one
    head -c 1M /dev/zero >"$1/full/filler" 2>/dev/null
    host_record undo_note "$(head -c 8192 /dev/zero | tr "\0" x)" && touch "$1/changed"' - "$BATS_TEST_TMPDIR"
  [ "$status" -eq 1 ]
  [[ $output == *"can't write "*"expected a disk with room, or EXECTAX_STATE_DIR=/such/a/folder" ]]
  [ ! -e "$BATS_TEST_TMPDIR/changed" ]
}

@test "what is in the journal is undone where it can't be removed" {
  ((EUID == 0)) || skip "needs root"
  host_record_lasting undo_note one
  run unshare --mount bash -c '
    mount --bind "$EXECTAX_STATE_DIR" "$EXECTAX_STATE_DIR" && mount -o remount,ro,bind "$EXECTAX_STATE_DIR"
    EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh
    undo_note() { echo "undone $1"; }
    host_undo'
  [[ $output == *"undone one"* ]]
}

@test "messages fail without ending anything: stderr closed, full, or a pipe that nobody reads" {
  local log=$BATS_TEST_DIRNAME/../../lib/base
  for stderr in '2>&-' '2>/dev/full' '2> >(:)'; do
    run bash -c "
      set -e; trap : PIPE
      source $log/log.sh; source $log/progress.sh
      exec $stderr; sleep 0.2
      say one; warn two; progress_step 1 2 3 four
      echo reached"
    [ "$status" -eq 0 ]
    [ "${lines[-1]}" = reached ]
  done
}

@test "the lock: one holder, who is named; it ends with him and leaves no file" {
  host_lock "first run"
  run bash -c 'EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh; host_lock second'
  [ "$status" -eq 1 ]
  [[ $output == "exectax: another run is under way: pid $$, since "*", first run" ]]
  host_unlock
  [ ! -e "$EXECTAX_LOCK" ]
  host_lock again
  host_unlock
}

@test "two state folders see each other: what is left in one is put back before another is used" {
  local other=$BATS_TEST_TMPDIR/other
  second() { EXECTAX_STATE_DIR=$other bash -c 'EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh; host_lock second; host_unlock'; }
  host_lock first
  host_record undo_note one
  # Its end without putting anything back.
  exec {HOST_LOCK_FD}>&-
  HOST_LOCK_FD=
  run second
  [ "$status" -eq 2 ]
  [ "$output" = "exectax: an earlier run, with the state folder $EXECTAX_STATE_DIR, has left this host changed: expected 'EXECTAX_STATE_DIR=$EXECTAX_STATE_DIR exectax restore' first" ]
  [ ! -e "$other" ]
  # By the same folder it is seen anyway, and one that puts nothing back forgets nothing.
  host_lock again
  host_unlock
  run second
  [ "$status" -eq 2 ]
  # A restart of the machine has put it back.
  sed -i 's/^[^ ]*/another-boot/' "$EXECTAX_STATE_DIR/journal"
  second
  [ ! -e "$EXECTAX_LOCK" ]
}

@test "the lock: a file that its last holder removes meanwhile is not taken for the lock" {
  host_lock first
  bash -c 'EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh; host_lock second 20; [[ /proc/self/fd/$HOST_LOCK_FD -ef $HOST_LOCK ]] && echo taken' \
    >"$BATS_TEST_TMPDIR/second" {HOST_LOCK_FD}>&- &
  local waiting=$! deadline=$((SECONDS + 20))
  # It waits for the lock of a file that is open.
  until find "/proc/$(pgrep -P $waiting flock)/fd" -lname "$EXECTAX_LOCK" 2>/dev/null | grep -q .; do
    ((SECONDS < deadline))
    sleep 0.1
  done
  host_unlock
  wait $waiting
  [ "$(<"$BATS_TEST_TMPDIR/second")" = taken ]
}

@test "a state folder is root's alone from the start" {
  rmdir "$EXECTAX_STATE_DIR"
  host_record undo_note one
  [ "$(stat -c %a "$EXECTAX_STATE_DIR")" = 700 ]
}

@test "what is undone at once leaves the journal, the rest stays in it" {
  host_record undo_note one
  host_record_lasting undo_note "two words"
  host_undo_now undo_note "two words"
  [ "$(<"$UNDONE")" = "two words" ]
  run host_undo_now undo_refuse three
  [ "$status" -eq 1 ]
  [ "$(wc -l <"$HOST_JOURNAL")" -eq 1 ]
  host_undo_now undo_note one
  [ ! -s "$HOST_JOURNAL" ]
}

# A double of the kernel's settings: a file for each.
settings_double() {
  mkdir "$BATS_TEST_TMPDIR/settings"
  sysctl() {
    local name=${2%%=*}
    case $1 in
      -n) cat "$BATS_TEST_TMPDIR/settings/$2" ;;
      -qw) echo "${2#*=}" >"$BATS_TEST_TMPDIR/settings/$name" ;;
    esac
  }
  sysctl -qw kernel.double=3
}

@test "a setting of the kernel is back, and is left alone where somebody else has changed it" {
  settings_double
  host_set_sysctl kernel.double -1
  [ "$(sysctl -n kernel.double)" = -1 ]
  host_undo
  [ "$(sysctl -n kernel.double)" = 3 ]

  host_set_sysctl kernel.double -1
  sysctl -qw kernel.double=2
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"kernel.double was changed after the run had set it, and is left alone: now 2, set by the run -1, before it 3"* ]]
  [ "$(sysctl -n kernel.double)" = 2 ]
  # Somebody has put it back.
  sysctl -qw kernel.double=3
  host_undo
  host_set_sysctl kernel.double -1
  sysctl -qw kernel.double=2
  host_restore_forced
  host_undo
  [ "$(sysctl -n kernel.double)" = 3 ]
}

@test "a change is in the journal before it is made" {
  settings_double
  sysctl() {
    case $1 in
      -n) echo 3 ;;
      *) cp "$HOST_JOURNAL" "$BATS_TEST_TMPDIR/noted" ;;
    esac
  }
  host_set_sysctl kernel.double -1
  [ "$(cut -d' ' -f2- "$BATS_TEST_TMPDIR/noted")" = "undo_sysctl kernel.double -1 3 " ]
}

@test "the scratch folder is gone afterwards, and the state folder as closed as before" {
  chmod 0700 "$EXECTAX_STATE_DIR"
  host_make_scratch
  touch "$EXECTAX_STATE_DIR/scratch/log" "$EXECTAX_STATE_DIR/kept"
  # As for a monitor whose daemon is another user's.
  chmod 0711 "$EXECTAX_STATE_DIR"
  # Also after a restart of the machine.
  sed -i 's/^[0-9a-f-]\{36\} /00000000-0000-0000-0000-000000000000 /' "$HOST_JOURNAL"
  host_undo
  [ "$(ls "$EXECTAX_STATE_DIR")" = kept ]
  [ "$(stat -c %a "$EXECTAX_STATE_DIR")" = 700 ]
}

@test "what was saved of the host stays as long as something is to be undone" {
  mkdir "$HOST_SAVED"
  host_record undo_refuse one
  run host_undo
  [ -d "$HOST_SAVED" ]
  sed -i 's/undo_refuse/undo_note/' "$HOST_JOURNAL"
  host_undo
  [ ! -e "$HOST_SAVED" ]
}

@test "what is started for good has neither the lock nor the harness's own group" {
  ((EUID == 0)) || skip "needs root"
  local lock=$EXECTAX_LOCK
  export EXECTAX_GROUPS
  EXECTAX_GROUPS=$(id -G | tr ' ' ,)
  host_lock run
  [ -z "$(host_run bash -c 'find /proc/self/fd -lname "$1"' - "$lock")" ]
  [ "$(setpriv --groups "$EXECTAX_GROUPS,1900000000" bash -c 'EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh; host_run id -G' | tr ' ' ,)" = "$EXECTAX_GROUPS" ]
  host_unlock
}

# limits_double FILE...: a group of the monitor's in a folder of the test's own, with these files.
limits_double() {
  CGROUP_MOUNTS=("$BATS_TEST_TMPDIR/hierarchy")
  LIMITED=$BATS_TEST_TMPDIR/hierarchy/exectax/monitor
  rm -rf "$BATS_TEST_TMPDIR/hierarchy"
  mkdir -p "$LIMITED"
  local file
  for file in "$@"; do
    echo unset >"$LIMITED/$file"
  done
}

# written: name and content of each file.
written() {
  (cd "$LIMITED" && grep -H '' -- * | paste -sd ' ')
}

@test "limits, as cgroup v2 takes them" {
  limits_double cpu.max memory.max memory.swap.max
  limits_set 0.5 512M
  [ "$(written)" = "cpu.max:50000 100000 memory.max:536870912 memory.swap.max:0" ]
  limits_lift
  [ "$(written)" = "cpu.max:max 100000 memory.max:max memory.swap.max:max" ]
  rm "$LIMITED"/memory.*
  limits_set 1.5 -
  run limits_set - 512M
  [ "$status" -eq 1 ]
  [[ $(limits_problem memory) == "no cgroup hierarchy here limits memory"* ]]
  [ -z "$(limits_problem cpus)" ]
}

@test "limits, as cgroup v1 takes them" {
  limits_double cpu.cfs_quota_us cpu.cfs_period_us memory.limit_in_bytes memory.memsw.limit_in_bytes
  limits_set 2 1G
  [ "$(written)" = "cpu.cfs_period_us:100000 cpu.cfs_quota_us:200000 memory.limit_in_bytes:1073741824 memory.memsw.limit_in_bytes:1073741824" ]
  limits_lift
  [ "$(written)" = "cpu.cfs_period_us:100000 cpu.cfs_quota_us:-1 memory.limit_in_bytes:-1 memory.memsw.limit_in_bytes:-1" ]
}

@test "a limit that the kernel rounds or refuses is not set" {
  limits_double
  ln -s /dev/null "$LIMITED/cpu.max"
  run limits_set 0.5 -
  [ "$status" -eq 1 ]
  limits_double memory.max
  ln -s /dev/null "$LIMITED/memory.swap.max"
  run limits_set - 1G
  [ "$status" -eq 1 ]
  # The limit on memory itself, with that on swap or without.
  limits_double
  ln -s /dev/null "$LIMITED/memory.max"
  run limits_set - 1G
  [ "$status" -eq 1 ]
  limits_double memory.memsw.limit_in_bytes
  ln -s /dev/null "$LIMITED/memory.limit_in_bytes"
  run limits_set - 1G
  [ "$status" -eq 1 ]
}

@test "what limits did: time in either version's unit, processes killed, null where it is not told" {
  limits_double
  [ "$(limits_counters_json "$LIMITED")" = '{"throttled_us": null, "throttled_periods": null, "oom_kills": null}' ]
  printf 'nr_throttled 3\nthrottled_usec 1234\n' >"$LIMITED/cpu.stat"
  printf 'oom 9\noom_kill 2\n' >"$LIMITED/memory.events"
  [ "$(limits_counters_json "$LIMITED")" = '{"throttled_us": 1234, "throttled_periods": 3, "oom_kills": 2}' ]
  printf 'nr_throttled 3\nthrottled_time 1234999\n' >"$LIMITED/cpu.stat"
  [ "$(limits_counters_json "$LIMITED")" = '{"throttled_us": 1234, "throttled_periods": 3, "oom_kills": 2}' ]
}

@test "controllers that are passed on to the groups below are taken back, those that were before stay" {
  local folder=$BATS_TEST_TMPDIR/group
  mkdir "$folder"
  echo "cpuset cpu memory pids" >"$folder/cgroup.controllers"
  echo "cpu pids" >"$folder/cgroup.subtree_control"
  limits_pass_on "$folder"
  [ "$(<"$folder/cgroup.subtree_control")" = +memory ]
  [ "$(cut -d' ' -f2- "$HOST_JOURNAL")" = "undo_controller memory $folder/cgroup.subtree_control " ]
  host_undo
  [ "$(<"$folder/cgroup.subtree_control")" = -memory ]
}
