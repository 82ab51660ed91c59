# shellcheck shell=bash
# A double: floor-bpf, as if it could not be switched, so that the run time of its program is counted.
source "$EXECTAX_ROOT/monitors/floor-bpf.sh"
export DESCRIPTION="double: floor-bpf, counted and calibrated"

unset -f monitor_switch
