# shellcheck shell=bash
# A double: the same, as if it could not be switched, so that the run time of its programs is counted.
source "$EXECTAX_ROOT/bench/monitors/bpf-switched.sh"
export DESCRIPTION="double: BPF on all system calls, counted and calibrated"

unset -f monitor_switch
