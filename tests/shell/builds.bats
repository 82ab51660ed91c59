#!/usr/bin/env bats
# Builds of a monitor that are measured beside each other: sweep --build.

bats_require_minimum_version 1.5.0

load ../rooms

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors
  mkdir -p "$EXECTAX_MONITORS"
  # Monitors that tell which program they would start.
  cat >"$EXECTAX_MONITORS/some-daemon.sh" <<'MONITOR'
DESCRIPTION="a double"
monitor_requires() { requires_binary some-daemon nothing; }
monitor_start() { exec "$(monitor_binary some-daemon)"; }
monitor_log() { echo "$MONITOR_LOG_DIR/log"; }
monitor_version() { "$(monitor_binary some-daemon)" --version; }
monitor_told() { echo "$MONITOR_NAME $(monitor_binary some-daemon)"; }
MONITOR
  sed 's/requires_binary some-daemon nothing;/requires_binary some-daemon nothing; requires_binary plugin nothing;/' \
    "$EXECTAX_MONITORS/some-daemon.sh" >"$EXECTAX_MONITORS/of-two.sh"
  mkdir -p "$BATS_TEST_TMPDIR/old build" "$BATS_TEST_TMPDIR/new"
  OLD="$BATS_TEST_TMPDIR/old build/some-daemon" NEW=$BATS_TEST_TMPDIR/new/some-daemon
  printf '#!/bin/sh\necho 1.0\n' >"$OLD"
  printf '#!/bin/sh\necho 1.1\n' >"$NEW"
  chmod +x "$OLD" "$NEW"
}

# planned ARGUMENT...: the monitors of such a sweep.
planned() {
  "$ROOT/exectax" sweep --dry-run --rates 100 "$@" | sed -nE 's/^Monitors: +//p'
}

@test "builds are monitors of their own, in place of theirs, in turn with the baseline" {
  ((EUID == 0)) || skip "needs root"
  [ "$(planned --build old="$OLD" --build new="$NEW")" = "none some-daemon@old some-daemon@new" ]
  # That could be measured itself.
  [ "$(EXECTAX_SOME_DAEMON=$OLD planned --monitors some-daemon)" = "none some-daemon" ]
  [ "$(EXECTAX_SOME_DAEMON=$OLD planned --monitors some-daemon --build old="$OLD" --build new="$NEW")" = "none some-daemon@old some-daemon@new" ]
  # Beside others.
  cp "$EXECTAX_MONITORS/some-daemon.sh" "$EXECTAX_MONITORS/other.sh"
  sed -i 's/some-daemon/other/g' "$EXECTAX_MONITORS/other.sh"
  cp "$OLD" "$BATS_TEST_TMPDIR/other"
  [ "$(EXECTAX_OTHER=$OLD planned --monitors "other,some-daemon" --build old="$OLD" --build some-daemon@new="$NEW")" = "none other some-daemon@old some-daemon@new" ]
  # Whatever the file is called, if it is said what it is a build of.
  cp "$NEW" "$BATS_TEST_TMPDIR/renamed"
  [ "$(planned --build some-daemon@x.2="$BATS_TEST_TMPDIR/renamed")" = "none some-daemon@x.2" ]
  [ "$(planned --monitors some-daemon --build x="$BATS_TEST_TMPDIR/renamed")" = "none some-daemon@x" ]
  # Each pass has all of them.
  run "$ROOT/exectax" sweep --dry-run --rates 100 --reps 2 --build old="$OLD" --build new="$NEW"
  [ "$(grep -cE '^[0-9]+ +1 +some-daemon@(old|new) +100 ' <<<"$output")" = 2 ]
}

# refused PATTERN ARGUMENT...: exit 2, one line on stderr, nothing changed.
refused() {
  local pattern=$1
  shift
  run --separate-stderr "$ROOT/exectax" sweep --check-options "$@"
  echo "$output$stderr"
  [ "$status" -eq 2 ]
  [ -z "$output" ]
  [ "${#stderr_lines[@]}" = 1 ]
  [[ $stderr == $pattern ]]
  [ ! -e "$EXECTAX_STATE_DIR" ]
}

@test "builds that can't be measured are refused" {
  refused "*--build is 'old', expected NAME=FILE or MONITOR@NAME=FILE" --build old
  refused "*--build is 'a/b=$OLD', expected*" --build "a/b=$OLD"
  refused "*--build: '/nonexistent' is no executable file, expected*" --build old=/nonexistent
  refused "*--build: '$BATS_TEST_TMPDIR' is no executable file*" --build old="$BATS_TEST_TMPDIR"
  refused "*--build: there are two builds 'old' of some-daemon*" --build old="$OLD" --build old="$NEW"
  refused "*--build x: there is no monitor 'true', expected MONITOR@NAME=FILE with one of: *some-daemon*" --build x=/bin/true
  refused "*--build none@x: there is no monitor 'none', expected*" --build none@x=/bin/true
  sed '/requires_binary/d' "$EXECTAX_MONITORS/some-daemon.sh" >"$EXECTAX_MONITORS/bare.sh"
  refused "*--build: bare has no program of its own that a build could stand for" --build bare@x=/bin/true
  refused "*--build: of-two has several programs, expected a file with the name of one of them: some-daemon plugin" --build of-two@x=/bin/true
  refused "*--build: not expected with --attach*" --yes --attach "pid:$$" --build old="$OLD"
}

@test "a build's script is told of its program, and of that one alone" {
  use_rooms base host monitor
  builds_add some-daemon old "$OLD"
  builds_add some-daemon new "$NEW"
  [ "$(monitor_call some-daemon@old monitor_told)" = "some-daemon $OLD" ]
  [ "$(monitor_call some-daemon@new monitor_told)" = "some-daemon $NEW" ]
  [ "$(EXECTAX_SOME_DAEMON=/other monitor_call some-daemon monitor_told)" = "some-daemon /other" ]
  [ "$(EXECTAX_SOME_DAEMON=/other monitor_call some-daemon@new monitor_told)" = "some-daemon $NEW" ]
  [ "$(monitor_fact some-daemon@old description)" = "a double" ]
  monitor_exists some-daemon@old
  run ! monitor_exists some-daemon@gone
  # What a run notes of them.
  [ "$(monitor_versions_json some-daemon@old some-daemon@new | jq -c .)" = '{"some-daemon@old":"1.0","some-daemon@new":"1.1"}' ]
  [ "$(monitor_binaries_json some-daemon@old some-daemon@new | jq -c 'map_values(.[0].sha256)')" = \
    "{\"some-daemon@old\":\"$(sha256sum <"$OLD" | cut -d ' ' -f 1)\",\"some-daemon@new\":\"$(sha256sum <"$NEW" | cut -d ' ' -f 1)\"}" ]
}

@test "of several programs, a build stands for the one of its name" {
  use_rooms base host monitor
  cp "$OLD" "$BATS_TEST_TMPDIR/plugin"
  [ "$(builds_variable of-two "$BATS_TEST_TMPDIR/plugin")" = EXECTAX_PLUGIN ]
  [ "$(builds_variable of-two "$OLD")" = EXECTAX_SOME_DAEMON ]
  [ "$(builds_variable some-daemon "$BATS_TEST_TMPDIR/plugin")" = EXECTAX_SOME_DAEMON ]
}

@test "a run that goes on has the builds that it was begun with" {
  local json
  use_rooms base host monitor measure
  builds_add some-daemon old "$OLD"
  builds_add some-daemon new "$NEW"
  json=$(builds_json)
  [ "$json" = "$(jq -nc --arg old "$OLD" --arg new "$NEW" '{"some-daemon@old": $old, "some-daemon@new": $new}')" ]
  # In the manifest, and back by way of the options.
  BUILDS_NAMES=() BUILDS_FILES=() BUILDS_ASSIGNMENTS=()
  [ "$(builds_json)" = "{}" ]
  OPTIONS=([goes_on]=resume)
  jq -n --argjson builds "$json" '{options: {monitors: ["none", "some-daemon@old"], builds: $builds, seed: 1}}' >"$BATS_TEST_TMPDIR/manifest.json"
  resume_take_options "$BATS_TEST_TMPDIR" sweep
  builds_take_json "${OPTIONS[builds]}"
  [ "$(builds_json)" = "$json" ]
  [ "$(monitor_call some-daemon@old monitor_told)" = "some-daemon $OLD" ]
  builds_take_json ""
  [ "$(builds_json)" = "$json" ]
}

# run_with_builds: a run's folder whose manifest names a program that leaves a mark.
run_with_builds() {
  RUN=$BATS_TEST_TMPDIR/run
  mkdir -p "$RUN/cells"
  printf '#!/bin/sh\ntouch "%s/executed"\necho 1.0\n' "$BATS_TEST_TMPDIR" >"$OLD"
  echo cell,rep,monitor,rate,turn >"$RUN/plan.csv"
  jq -n --arg old "$OLD" '{kind: "sweep", schema: 3, state: "interrupted", exectax: "v", sessions: [{tag: "x1", state: "interrupted"}], host: {}, versions: {}, binaries: {}, skipped: {},
    options: {monitors: ["none", "some-daemon@old"], builds: {"some-daemon@old": $old}, rates: [100], duration_s: 1, instrumented_s: 0, side_s: 0, syscalls_s: 0,
      warmup_s: 1, reps: 1, repeat_disturbed: 0, seed: 1, journald_audit: "off", keep_logs: "no", attached: false}}' >"$RUN/manifest.json"
}

@test "a program that a run's folder names is not executed unless the caller names it, too" {
  local how
  run_with_builds
  for how in --resume --repeat; do
    run "$ROOT/exectax" sweep "$how" "$RUN" --dry-run
    echo "$output"
    [ "$status" -eq 2 ]
    [ "$output" = "exectax: '$RUN' measures a build: expected --build 'some-daemon@old=$OLD' again, if that is to be executed" ]
    # Another program of that name is not it, nor is one more than the run has.
    run "$ROOT/exectax" sweep "$how" "$RUN" --dry-run --build old="$NEW"
    [ "$status" -eq 2 ]
    run "$ROOT/exectax" sweep "$how" "$RUN" --dry-run --build old="$OLD" --build new="$NEW"
    [ "$status" -eq 2 ]
    [[ $output == "exectax: --build: expected the builds of '$RUN' (1), each once, and no others" ]]
  done
  [ ! -e "$BATS_TEST_TMPDIR/executed" ]
  ((EUID == 0)) || skip "needs root"
  run "$ROOT/exectax" sweep --resume "$RUN" --dry-run --build old="$OLD"
  [ -e "$BATS_TEST_TMPDIR/executed" ]
}

@test "root does not go on with a run that somebody else could have written" {
  ((EUID == 0)) || skip "needs root"
  run_with_builds
  chown 65534 "$RUN/manifest.json"
  run "$ROOT/exectax" sweep --resume "$RUN" --dry-run --build old="$OLD"
  [ "$status" -eq 2 ]
  [ "$output" = "exectax: '$RUN' is left alone: others can change manifest.json in it: expected a run of root's or yours" ]
  chown 0 "$RUN/manifest.json"
  chown 65534 "$RUN"
  run "$ROOT/exectax" sweep --repeat "$RUN" --dry-run --build old="$OLD"
  [ "$status" -eq 2 ]
  [[ $output == "exectax: '$RUN' is left alone: $RUN belongs to nobody, who could change it: expected a run of root's or yours" ]]
  chown 0 "$RUN"
  chmod 0777 "$RUN"
  run "$ROOT/exectax" sweep --resume "$RUN" --dry-run --build old="$OLD"
  [ "$status" -eq 2 ]
  [ ! -e "$BATS_TEST_TMPDIR/executed" ]
}
