# shellcheck shell=bash
# A double: a daemon that uses EXECTAX_PLANTED_PERCENT of one CPU, by its own clock. What it has used by when is in used.txt.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: a known cost in a daemon"

monitor_start() { exec "$EXECTAX_ROOT/build/planted" daemon "$EXECTAX_PLANTED_PERCENT" "$MONITOR_RUN_DIR/used.txt"; }
