# shellcheck shell=bash
# The reference monitors, which make builds (docs/floor.md). Both take the same options.

floor_version() { "$(monitor_binary "$1")" --version | awk '{ print $NF }'; }

floor_start() {
  mkdir -p "$MONITOR_LOG_DIR"
  exec "$(monitor_binary "$1")" --output "$(monitor_log)" --losses "$MONITOR_RUN_DIR/losses.txt" \
    --buffer "$(knob buffer)"
}

floor_is_ready() { grep -qx ready "$MONITOR_RUN_DIR/stdout.txt"; }

# floor_losses PREFIX: its own counters, under a name that says whose they are.
floor_losses() { sed "s/^/$1_/" "$MONITOR_RUN_DIR/losses.txt"; }
