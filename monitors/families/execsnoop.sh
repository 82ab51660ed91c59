# shellcheck shell=bash
# The two that are called execsnoop and print a table.

# They print its header once they are attached.
monitor_ready() { grep -q '^TIME.*ARGS' "$MONITOR_LOG_DIR/execsnoop.txt"; }

monitor_log() { echo "$MONITOR_LOG_DIR/execsnoop.txt"; }

# lost_events FILE...: the sum of all "Lost N events" in them.
lost_events() {
  { grep -haoE 'Lost [0-9]+ events' "$@" || true; } | awk '{ sum += $2 } END { print sum + 0 }'
}
