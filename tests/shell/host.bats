#!/usr/bin/env bats
# The state journal: what is recorded is undone, newest first, and what fails stays.

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  mkdir "$EXECTAX_STATE_DIR"
  for part in log lines progress wait host; do
    source "$BATS_TEST_DIRNAME/../../lib/$part.sh"
  done
  UNDONE=$BATS_TEST_TMPDIR/undone
  undo_note() { echo "$1" >>"$UNDONE"; }
  undo_refuse() { return 1; }
}

@test "undone newest first, arguments whole" {
  host_record undo_note "first one"
  host_record undo_note 'second "$(false)" one'
  host_has_changes
  host_undo
  [ "$(<"$UNDONE")" = $'second "$(false)" one\nfirst one' ]
  ! host_has_changes
}

@test "what can't be undone stays in the journal, the rest is undone" {
  host_record undo_note one
  host_record undo_refuse two
  host_record undo_note three
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"could not undo: undo_refuse two"* ]]
  [ "$(<"$UNDONE")" = $'three\none' ]
  [ "$(tail -n +2 "$HOST_JOURNAL")" = "undo_refuse two " ]
}

@test "nothing but undo functions is ever called from the journal" {
  host_record touch "$BATS_TEST_TMPDIR/called"
  run host_undo
  [ "$status" -eq 1 ]
  [ ! -e "$BATS_TEST_TMPDIR/called" ]
}

@test "after a restart of the machine there is nothing to undo" {
  host_record undo_note one
  sed -i '1s/.*/boot 00000000-0000-0000-0000-000000000000/' "$HOST_JOURNAL"
  host_undo
  [ ! -e "$UNDONE" ]
  ! host_has_changes
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
  ! host_has_changes
}
