# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/floor.sh"
export DESCRIPTION="reference: a BPF program on exec and a ring buffer, each exec as one JSON line"
# Not a product to choose: what the others are measured against.
export REFERENCE=yes
export KNOBS="buffer 4194304,N bytes of the ring buffer; the kernel takes a power of two"
FLOOR_PROGRAM=floor-bpf

monitor_requires() {
  requires_btf
  requires_binary floor-bpf "make, with clang and libbpf 1.0 or later, or EXECTAX_FLOOR_BPF=/path/to/floor-bpf"
}

monitor_log() { echo "$MONITOR_LOG_DIR/exec.json"; }

# monitor_switch on|off
monitor_switch() { floor_switch "$1"; }
