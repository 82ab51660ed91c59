# shellcheck shell=bash
# The reference monitors, which make builds (docs/floor.md). Both take the same options. A variant sets FLOOR_PROGRAM.
export VERIFIED_BY="built from this tree"

FLOOR_PROGRAM=

monitor_version() { "$(monitor_binary "$FLOOR_PROGRAM")" --version | awk '{ print $NF }'; }

monitor_start() { floor_start; }

floor_start() {
  mkdir -p "$MONITOR_LOG_DIR"
  exec "$(monitor_binary "$FLOOR_PROGRAM")" --output "$(monitor_log)" --losses "$MONITOR_RUN_DIR/losses.txt" \
    --buffer "$(knob buffer)"
}

monitor_ready() { floor_is_ready; }

# floor_wait_for LINE: until that is the last line of its stdout. Looked at often, since executions are measured meanwhile.
floor_wait_for() {
  local -a lines=('')
  local -i now deadline
  clock_cs now
  deadline=$((now + 1000))
  while [[ ${lines[-1]} != "$1" ]]; do
    ((now < deadline)) || return 1
    pause 0.002
    mapfile -t lines <"$MONITOR_RUN_DIR/stdout.txt"
    clock_cs now
  done
}

# floor_switch on|off: the BPF program is attached to the tracepoint, or not. It answers on stdout when that is so.
floor_switch() {
  if [[ $1 == on ]]; then
    monitor_signal USR2
  else
    monitor_signal USR1
  fi
  floor_wait_for "$1"
}

floor_is_ready() { grep -qx ready "$MONITOR_RUN_DIR/stdout.txt"; }

monitor_losses() { floor_losses; }

# Its own counters, under names that say whose they are.
floor_losses() { sed "s/^/${FLOOR_PROGRAM//-/_}_/" "$MONITOR_RUN_DIR/losses.txt"; }
