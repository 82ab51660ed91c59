# shellcheck shell=bash
# A double: one BPF program on exec that counts to EXECTAX_STEPS (build/bpfmonitor), which can be switched.
source "$EXECTAX_ROOT/bench/monitors/bpf-switched.sh"
export DESCRIPTION="double: a BPF program of known length on exec, switched"

monitor_start() { exec "$EXECTAX_ROOT/build/bpfmonitor" "$EXECTAX_STEPS"; }
