# shellcheck shell=bash
# The execsnoop.bt that comes with bpftrace.
source "$EXECTAX_ROOT/monitors/families/execsnoop.sh"
export DESCRIPTION="execsnoop.bt (bpftrace): BPF on the execve and execveat tracepoints, each exec as a line of text"

bpftrace_script() { PATH=/usr/sbin:/usr/bin:/usr/share/bpftrace/tools command -v execsnoop.bt; }

monitor_requires() {
  requires_syscall_tracepoints
  requires_binary bpftrace "package bpftrace, or EXECTAX_BPFTRACE=/path/to/bpftrace"
  bpftrace_script >/dev/null || SKIP_REASONS+=("execsnoop.bt is not installed (package bpftrace)")
}

monitor_files() { bpftrace_script; }

monitor_install() { install_packages bpftrace; }

monitor_version() { "$(monitor_binary bpftrace)" --version | sed 's/^bpftrace v//'; }

monitor_start() {
  # Its default, in pages a CPU.
  export BPFTRACE_PERF_RB_PAGES=64
  exec_with_mounts tracefs "$(monitor_binary bpftrace)" -B line -o "$MONITOR_LOG_DIR/execsnoop.txt" "$(bpftrace_script)"
}

monitor_losses() { echo "bpftrace_lost_events $(lost_events "$MONITOR_LOG_DIR/execsnoop.txt" "$MONITOR_RUN_DIR/stderr.txt")"; }
