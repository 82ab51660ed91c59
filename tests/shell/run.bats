#!/usr/bin/env bats
# How a run takes the host and gives it back; nothing of the host is touched: what would is a note of its name.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  use_rooms base host monitor measure
  NOTES=$BATS_TEST_TMPDIR/notes
  OPTIONS=([out]=$BATS_TEST_TMPDIR/out [limits]=yes [journald_audit]=off [keep_logs]=no [yes]=no)
  CGROUP_MOUNTS=(/double)
  CGROUP_MONITOR=monitor
  monitor_is_ours() { true; }
}

# notes NAME...: calls of these functions are noted, and do nothing else.
notes() {
  local name
  for name in "$@"; do
    eval "$name() { echo \"$name\${*:+ \$*}\" >>\"$NOTES\"; }"
  done
}

noted() {
  paste -sd ';' "$NOTES"
}

@test "audit is taken before journald, and groups are noted last, so that they are ended first and audit's flags are put back last" {
  notes audit_isolate journald_isolate host_make_scratch disk_reserve limits_pass_on host_record cgroup_create
  run_isolate
  [ "$(noted)" = "audit_isolate;journald_isolate off;host_make_scratch;disk_reserve $HOST_STATE_DIR/scratch;limits_pass_on /double;host_record undo_cgroups;cgroup_create load;cgroup_create sampler;cgroup_create monitor;limits_pass_on /double/exectax" ]
}

@test "beside a monitor that was there already, audit is left as it is" {
  monitor_is_ours() { false; }
  OPTIONS[limits]=no
  notes audit_isolate journald_isolate host_make_scratch disk_reserve limits_pass_on host_record cgroup_create
  run_isolate
  [ "$(noted)" = "host_record undo_cgroups;cgroup_create load;cgroup_create sampler" ]
}

@test "what only the figures are against, --yes says is known; what the disks lack, nobody can" {
  RUN_KIND=double
  double_launches() { echo 700 80; }
  notes refuse_folders refuse_company
  run_refuse
  OPTIONS[yes]=yes
  run_refuse
  [ "$(noted)" = "refuse_folders $BATS_TEST_TMPDIR/out 700 80 no;refuse_company;refuse_folders $BATS_TEST_TMPDIR/out 700 80 no" ]
  monitor_is_ours() { false; }
  OPTIONS[yes]=no OPTIONS[keep_logs]=yes
  : >"$NOTES"
  run_refuse
  [ "$(noted)" = "refuse_folders $BATS_TEST_TMPDIR/out 700 0 no" ]
}

# leaves STATUS: a run that has measured something ends with that; its own exit status.
leaves() {
  RUN_BEGUN=yes
  mkdir -p "$BATS_TEST_TMPDIR/out"
  touch "$BATS_TEST_TMPDIR/out/manifest.json"
  : >"$NOTES"
  (
    (exit "$1") || run_leave
  ) && echo 0 || echo $?
}

@test "however a run ends, the host is put back before anything is reported" {
  notes block_end cgroup_leave_harness host_undo watch_end host_unlock run_finish
  [ "$(leaves 3)" = 3 ]
  [ "$(noted)" = "block_end;cgroup_leave_harness;host_undo;watch_end;host_unlock;run_finish 3" ]
  # Whatever fails on the way.
  block_end() { die "a monitor that can't be stopped"; }
  [ "$(leaves 3 2>/dev/null)" = 3 ]
  [ "$(noted)" = "cgroup_leave_harness;host_undo;watch_end;host_unlock;run_finish 3" ]
}

@test "what the run has set is put back also where it differs by then" {
  notes block_end cgroup_leave_harness watch_end host_unlock run_finish
  host_undo() { echo "$HOST_RESTORE" >>"$NOTES"; }
  leaves 3
  [ "$(noted)" = "block_end;cgroup_leave_harness;forced;watch_end;host_unlock;run_finish 3" ]
}

@test "a host that is not put back is a failure, and so is a report or a log that is not there" {
  notes block_end cgroup_leave_harness watch_end host_unlock
  host_undo() { return 1; }
  run_finish() { echo "$1" >"$BATS_TEST_TMPDIR/finished"; }
  leaves 130
  [ "$(<"$BATS_TEST_TMPDIR/finished")" = 1 ]
  host_undo() { :; }
  run_finish() { return 1; }
  [ "$(leaves 3)" = 1 ]
  run_finish() { echo "$1" >"$BATS_TEST_TMPDIR/finished"; }
  BLOCK_KEPT_ALL=no
  # Of a run that went well otherwise.
  leaves_well() {
    (trap run_leave EXIT) && echo 0 || echo $?
  }
  [ "$(leaves_well)" = 1 ]
  BLOCK_KEPT_ALL=yes
  [ "$(leaves_well)" = 0 ]
}

@test "a run that could not go on is left as it was" {
  notes block_end cgroup_leave_harness host_undo watch_end host_unlock run_finish
  mkdir "$BATS_TEST_TMPDIR/out"
  echo '{"state": "complete"}' >"$BATS_TEST_TMPDIR/out/manifest.json"
  status=0
  ( (exit 2) || run_leave) || status=$?
  [ "$status" -eq 2 ]
  [ "$(noted)" = "block_end;cgroup_leave_harness;host_undo;watch_end;host_unlock" ]
  [ "$(<"$BATS_TEST_TMPDIR/out/manifest.json")" = '{"state": "complete"}' ]
}

# Folders that were made for a run which then had nothing to write are removed, those that were there stay.
@test "a run that has measured nothing leaves no folder" {
  notes block_end cgroup_leave_harness host_undo watch_end host_unlock
  OPTIONS[out]=$BATS_TEST_TMPDIR/on/the/way
  mkdir "$BATS_TEST_TMPDIR/on"
  run_make_out
  [ -d "$BATS_TEST_TMPDIR/on/the/way" ]
  [ "$(stat -c %a "$BATS_TEST_TMPDIR/on/the/way")" = 700 ]
  ( (exit 1) || run_leave) || true
  [ -d "$BATS_TEST_TMPDIR/on" ]
  [ ! -e "$BATS_TEST_TMPDIR/on/the" ]
}

@test "why a run ended early" {
  [ "$(run_reason 130) $(run_reason 143) $(run_reason 1)" = "SIGINT SIGTERM exit status 1" ]
  LOG_DIED_OF="the disk is full"
  [ "$(run_reason 1)" = "the disk is full" ]
}

@test "what comes ready is installed first; what has to be built, then, and only if it was asked for" {
  OPTIONS+=([monitors]="none ready built broken" [allow_unverified]=no)
  monitor_call_install() {
    echo "install $1" >>"$NOTES"
    [[ $1 != built && $1 != broken ]]
  }
  monitor_can_be_built() { [[ $1 == built ]]; }
  monitor_call_build() { echo "build $1" >>"$NOTES"; }
  OPTIONS[install]=yes
  run run_install
  [ "$output" = "exectax: warning: broken could not be installed; 'exectax list' says what it needs" ]
  [ "$(noted)" = "install none;install ready;install built;install broken" ]
  : >"$NOTES"
  OPTIONS[install]=all
  run_install
  [ "$(noted)" = "install none;install ready;install built;install broken;build none;build ready;build built;build broken" ]
}

@test "how many executions a sweep that is attached launches: of no baseline, and beside nobody" {
  OPTIONS+=([monitors]="a b c" [rates]="0 100 200" [reps]=2 [warmup]=1 [duration]=2 [instrumented]=3 [load_margin]=4 [seed]=5)
  monitor_is_ours() { false; }
  # 7 s under each start, and 3 s more at one rate.
  detailed=$(for pass in 1 2; do plan_pass 5 "$pass" "0 100 200" a b c; done | awk -F, '$5 { sum += $3 } END { print sum }')
  [ "$(sweep_launches)" = "$((6 * 300 * 7 + 3 * detailed)) $((300 * 7 + 200 * 3))" ]
}

# verdict REACHED LAUNCHED RECORDED [AFTERWARDS]: where records are missing, others are made to follow them.
verdict() {
  COUNTED=$3 COUNTED_AFTERWARDS=${4:-$3}
  mkdir -p "$BATS_TEST_TMPDIR/round"
  echo "{\"reached\": $1, \"launched\": $2}" >"$BATS_TEST_TMPDIR/round/load.json"
  CELL_STATUS=ok CELL_COUNTABLE=yes MONITOR_RECORDS=exec
  BUILD=$BATS_TEST_TMPDIR/build
  mkdir -p "$BUILD"
  printf '#!/bin/sh\necho >>"%s"\n' "$BATS_TEST_TMPDIR/followed" >"$BUILD/execrate"
  chmod +x "$BUILD/execrate"
  rm -f "$BATS_TEST_TMPDIR/followed"
  logs_count_tags() {
    local count=$COUNTED
    [[ ! -e $BATS_TEST_TMPDIR/followed ]] || count=$COUNTED_AFTERWARDS
    ((count == 0)) || echo "$1 $count"
  }
  monitor_is_alive() { true; }
  pause() { :; }
  saturate_verdict "$BATS_TEST_TMPDIR/round" x.1
}

@test "a round's verdict: lossy, whether its rate was reached or not; else that" {
  [ "$(verdict true 800 800)" = clean ]
  [ "$(verdict false 800 800)" = unreached ]
  [ "$(verdict true 800 799)" = lossy ]
  [ "$(verdict false 800 799)" = lossy ]
  [ "$(verdict true 800 0)" = lossy ]
}

@test "records that others have to follow are no loss" {
  [ "$(verdict true 800 790 800)" = clean ]
  [ "$(verdict true 800 790 795)" = lossy ]
  # All are there: nothing has to follow.
  [ "$(verdict true 800 800 0)" = clean ]
}

@test "a round of which nothing can be said" {
  verdict true 800 800
  CELL_STATUS=not-ready
  [ "$(saturate_verdict "$BATS_TEST_TMPDIR/round" x.1)" = failed ]
  CELL_STATUS=ok CELL_COUNTABLE=no
  [ "$(saturate_verdict "$BATS_TEST_TMPDIR/round" x.1)" = failed ]
  CELL_COUNTABLE=yes
  [ "$(saturate_verdict "$BATS_TEST_TMPDIR/round" x.1)" = clean ]
  logs_count_tags() { return 1; }
  set -o pipefail
  [ "$(saturate_verdict "$BATS_TEST_TMPDIR/round" x.1)" = failed ]
  : >"$BATS_TEST_TMPDIR/round/load.json"
  [ "$(saturate_verdict "$BATS_TEST_TMPDIR/round" x.1)" = failed ]
}
