# shellcheck shell=bash
# A double: one BPF program on exec that counts to EXECTAX_STEPS (build/bpfmonitor), which can be switched.
source "$EXECTAX_ROOT/monitors/families/floor.sh"
export DESCRIPTION="double: a BPF program of known length on exec, switched"
export RECORDS=nothing

monitor_version() { echo double; }

monitor_start() { exec "$EXECTAX_ROOT/build/bpfmonitor" "$EXECTAX_STEPS"; }

monitor_losses() { :; }

# monitor_switch on|off
monitor_switch() { floor_switch "$1"; }
