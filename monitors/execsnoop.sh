# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/execsnoop.sh"
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
monitor_version() {
  if [[ -n ${EXECTAX_EXECSNOOP:-} ]]; then
    echo "$EXECTAX_EXECSNOOP"
  else
    dpkg-query -W -f '${Version}\n' libbpf-tools 2>/dev/null
  fi
}

# Its buffer, 64 pages a CPU, is compiled in.
monitor_start() {
  exec_with_mounts tracefs stdbuf -oL "$(monitor_binary "$(execsnoop_name)")" -T >"$MONITOR_LOG_DIR/execsnoop.txt"
}

monitor_losses() { echo "execsnoop_lost_events $(lost_events "$MONITOR_RUN_DIR/stderr.txt")"; }
