# shellcheck shell=bash
# A double: goes on recording launches that it was told to leave alone.
source "$EXECTAX_ROOT/monitors/floor-audit.sh"
export DESCRIPTION="double: leaves nothing alone"

monitor_unwatch() { :; }
