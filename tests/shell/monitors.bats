#!/usr/bin/env bats
# Every monitor's script keeps to the interface.

setup() {
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  cd "$ROOT" || return 1
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state MONITOR_CGROUP=monitor
  export MONITOR_RUN_DIR=$BATS_TEST_TMPDIR/run MONITOR_LOG_DIR=$BATS_TEST_TMPDIR/log
}

call() {
  bash lib/monitor-call.sh "$@"
}

each_monitor() {
  local file
  for file in monitors/*.sh; do
    "$1" "$(basename "$file" .sh)" || {
      echo "monitor: $file"
      return 1
    }
  done
}

has_functions() {
  local function
  for function in requires install version start ready helpers log losses stop; do
    EXECTAX_ROOT=$ROOT bash -c 'source "$1" && declare -F "$2"' - "monitors/$1.sh" "monitor_$function" >/dev/null || {
      echo "no monitor_$function"
      return 1
    }
  done
}

@test "every function is there" {
  each_monitor has_functions
}

has_facts() {
  local -a facts
  mapfile -t facts < <(call "$1" facts)
  [[ ${#facts[@]} == 3 && -n ${facts[0]} && ${facts[2]} =~ ^(exec|nothing)$ ]]
}

@test "description and what is recorded are given" {
  each_monitor has_facts
}

asks_quietly() {
  local before after
  before=$(find "$BATS_TEST_TMPDIR" | sort)
  call "$1" obstacles >/dev/null || return 1
  after=$(find "$BATS_TEST_TMPDIR" | sort)
  [[ $before == "$after" ]]
}

@test "asking whether it can run leaves nothing behind" {
  each_monitor asks_quietly
}

@test "an override that is no program is the reason why it can't run" {
  for pair in auditd-raw:EXECTAX_AUDITD laurel:EXECTAX_LAUREL auditbeat:EXECTAX_AUDITBEAT go-audit:EXECTAX_GO_AUDIT; do
    run env "${pair#*:}=/nonexistent/binary" bash lib/monitor-call.sh "${pair%%:*}" obstacles
    [[ $output == *"/nonexistent/binary is no executable file"* ]]
  done
}

@test "a template with a key that nobody filled in is refused" {
  echo 'path = @SOMETHING@' >"$BATS_TEST_TMPDIR/template"
  mkdir "$BATS_TEST_TMPDIR/monitors"
  cat >"$BATS_TEST_TMPDIR/monitors/renders.sh" <<'SCRIPT'
monitor_start() { render "$TEMPLATE" "$TARGET" "$@"; }
SCRIPT
  export EXECTAX_MONITORS=$BATS_TEST_TMPDIR/monitors TEMPLATE=$BATS_TEST_TMPDIR/template TARGET=$BATS_TEST_TMPDIR/target
  run call renders monitor_start
  [ "$status" -ne 0 ]
  [[ $output == *"no value for @SOMETHING@"* ]]
  [ ! -e "$TARGET" ]
}
