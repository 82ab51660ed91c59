#!/usr/bin/env bats
# A kernel module is loaded for its monitor only, and goes with it. No module is really loaded: modprobe is a note here.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  mkdir "$EXECTAX_STATE_DIR"
  use_rooms base host
  CALLS=$BATS_TEST_TMPDIR/calls
  modprobe() { echo "$*" >>"$CALLS"; }
  cgroup_kill() { echo "kill $1" >>"$CALLS"; }
  # Any module that is in the kernel, built in or loaded, stands for the monitor's.
  PRESENT=$(basename "$(find /sys/module -mindepth 1 -maxdepth 1 | head -n 1)")
}

@test "one that is missing is recorded, then loaded" {
  module_load exectax_missing
  [ "$(<"$CALLS")" = exectax_missing ]
  [ "$(tail -n 1 "$HOST_JOURNAL" | cut -d" " -f2-)" = "undo_module exectax_missing " ]
}

@test "one that is there already is left alone, at the end as well" {
  module_load "$PRESENT"
  module_unload "$PRESENT"
  ! host_has_changes
  [ ! -e "$CALLS" ]
}

@test "its readers are ended before it is removed" {
  host_record undo_module "$PRESENT"
  module_unload "$PRESENT"
  [ "$(<"$CALLS")" = "kill monitor"$'\n'"--remove $PRESENT" ]
}

@test "undoing what was not done is no error" {
  host_record undo_module exectax_missing
  host_undo
  [ ! -e "$CALLS" ]
}
