# shellcheck shell=bash
# The monitors from outside.

source "$EXECTAX_ROOT/lib/monitor/monitor.sh"
source "$EXECTAX_ROOT/lib/monitor/builds.sh"
source "$EXECTAX_ROOT/lib/monitor/logs.sh"
source "$EXECTAX_ROOT/lib/monitor/started.sh"
source "$EXECTAX_ROOT/lib/monitor/pods.sh"
source "$EXECTAX_ROOT/lib/monitor/attached.sh"
