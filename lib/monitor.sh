# shellcheck shell=bash
# The monitors from outside.

source "$EXECTAX_ROOT/lib/monitor/monitor.sh"
source "$EXECTAX_ROOT/lib/monitor/attach.sh"
