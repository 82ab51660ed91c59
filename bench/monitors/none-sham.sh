# shellcheck shell=bash
# A double: nobody watches, whichever group a launch is in.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: no monitor, compared with itself"

monitor_unwatch() { :; }
