# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/independent.sh"
export DESCRIPTION="execsnoop (libbpf-tools): BPF on the execve tracepoints, each exec as a line of text"

# Debian calls it execsnoop-libbpf since 13.
execsnoop_name() {
  if ! monitor_binary execsnoop >/dev/null && monitor_binary execsnoop-libbpf >/dev/null; then
    echo execsnoop-libbpf
  else
    echo execsnoop
  fi
}

monitor_requires() {
  requires_btf
  requires_syscall_tracepoints
  requires_binary "$(execsnoop_name)" "package libbpf-tools, or EXECTAX_EXECSNOOP=/path/to/execsnoop"
}

monitor_install() { install_packages libbpf-tools; }

# All libbpf-tools call themselves version 0.1.
monitor_version() { echo "${EXECTAX_EXECSNOOP:-$(package_version libbpf-tools)}"; }

# Its buffer, 64 pages a CPU, is compiled in.
monitor_start() {
  exec_with_mounts tracefs stdbuf -oL "$(monitor_binary "$(execsnoop_name)")" -T >"$MONITOR_LOG_DIR/execsnoop.txt"
}

# It prints its header once it is attached.
monitor_ready() { grep -q '^TIME .*ARGS' "$MONITOR_LOG_DIR/execsnoop.txt"; }

monitor_log() { echo "$MONITOR_LOG_DIR/execsnoop.txt"; }

monitor_losses() { echo "execsnoop_lost_events $(lost_events "$MONITOR_RUN_DIR/stderr.txt")"; }
