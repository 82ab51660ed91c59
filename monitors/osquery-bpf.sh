# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/osquery.sh"
export DESCRIPTION="osquery, table bpf_process_events: BPF on 26 system calls, a query each second, each exec as one JSON line"

OSQUERY_TABLE=bpf_process_events
# The buffers are its defaults. What it lost, it says only with --verbose.
OSQUERY_FLAGS=(--enable_bpf_events=true --bpf_perf_event_array_exp=10 --bpf_buffer_storage_size=512 --verbose)

monitor_requires() {
  local binary
  osquery_requires
  binary=$(monitor_binary osqueryd) || true
  if [[ -x $binary ]] && ! "$binary" --help 2>&1 | grep -q enable_bpf_events; then
    SKIP_REASONS+=("$binary has no BPF publisher (it is gone after 5.23)")
  fi
  requires_kprobes
  requires_mounts tracefs,debugfs
  requires_memlock
}

# It looks for tracepoints below debugfs.
OSQUERY_EXEC=(exec_with_mounts "tracefs,debugfs")

monitor_start() { osquery_exec; }

# execveat is the last that it attaches to.
monitor_ready() { grep -q 'Initialized BPF probe for syscall execveat' "$MONITOR_RUN_DIR/stderr.txt"; }

monitor_losses() {
  awk '/Lost BPF event count: / { lost += $NF }
    /Buffers\/strings that could not be captured by the probe: / { strings += $NF }
    END { print "osquery_bpf_lost_events " lost + 0; print "osquery_bpf_lost_strings " strings + 0 }' "$MONITOR_RUN_DIR/stderr.txt"
}
