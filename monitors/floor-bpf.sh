# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/floor.sh"
export DESCRIPTION="reference: a BPF program on exec and a ring buffer, each exec as one JSON line"
export VERIFIED_BY="built from this tree"
export USES="" RECORDS=exec

export KNOBS="buffer 4194304,N bytes of the ring buffer; the kernel takes a power of two"

monitor_requires() {
  [[ -r /sys/kernel/btf/vmlinux ]] || SKIP_REASONS+=("the kernel does not describe its types (no /sys/kernel/btf/vmlinux)")
  requires_binary floor-bpf "make, with clang and libbpf 1.0 or later, or EXECTAX_FLOOR_BPF=/path/to/floor-bpf"
}

# make builds it.
monitor_install() { :; }

monitor_version() { floor_version floor-bpf; }

monitor_start() { floor_start floor-bpf; }

monitor_ready() { floor_is_ready; }

monitor_helpers() { :; }

monitor_log() { echo "$MONITOR_LOG_DIR/exec.json"; }

monitor_losses() { floor_losses floor_bpf; }

monitor_stop() { monitor_signal TERM; }
