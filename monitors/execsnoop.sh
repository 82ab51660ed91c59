# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/independent.sh"
export DESCRIPTION="execsnoop (libbpf-tools): BPF on the execve tracepoints, each exec as a line of text"

monitor_requires() {
  requires_btf
  requires_binary execsnoop "package libbpf-tools, or EXECTAX_EXECSNOOP=/path/to/execsnoop"
}

monitor_install() { install_packages libbpf-tools; }

# All libbpf-tools call themselves version 0.1.
monitor_version() { echo "${EXECTAX_EXECSNOOP:-$(package_version libbpf-tools)}"; }

# Its buffer, 64 pages a CPU, is compiled in.
monitor_start() { exec stdbuf -oL "$(monitor_binary execsnoop)" -T >"$MONITOR_LOG_DIR/execsnoop.txt"; }

# It prints its header once it is attached.
monitor_ready() { grep -q '^TIME .*ARGS' "$MONITOR_LOG_DIR/execsnoop.txt"; }

monitor_log() { echo "$MONITOR_LOG_DIR/execsnoop.txt"; }

monitor_losses() { echo "execsnoop_lost_events $(lost_events "$MONITOR_RUN_DIR/stderr.txt")"; }
