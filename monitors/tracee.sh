# shellcheck shell=bash
export DESCRIPTION="Tracee: BPF on the scheduler's exec tracepoint, each exec as one JSON line"
# It takes 64 policies, of which ours is one.
export RULES_MAX=63

TRACEE_RELEASE=0.24.1
export VERIFIED_BY="the checksums beside the release"
# Its default: 1024 pages (4 MiB) a CPU.
TRACEE_BUFFER_PAGES=1024

# A build of one's own may do without what the release needs.
monitor_requires() {
  requires_btf
  requires_mounts tracefs
  if [[ -z ${EXECTAX_TRACEE:-} ]]; then
    requires_memlock
    [[ -e /proc/modules ]] ||
      SKIP_REASONS+=("its programs read the kernel's list of modules, and this kernel was built without (no CONFIG_MODULES)")
  fi
  requires_binary tracee "exectax sweep --install, or EXECTAX_TRACEE=/path/to/tracee"
}

# Of the two binaries in the release, the static one runs on every distribution.
monitor_install() {
  install_packages curl || return 1
  ! monitor_binary tracee >/dev/null || return 0
  local release=https://github.com/aquasecurity/tracee/releases/download/v$TRACEE_RELEASE machine
  machine=$(uname -m)
  install_from_tarball tracee ./dist/tracee-static '' "$release/tracee-$machine.v$TRACEE_RELEASE.tar.gz" \
    sums sha256sum "$release/checksum-$machine.v$TRACEE_RELEASE.txt"
}

monitor_version() { "$(monitor_binary tracee)" version | awk '{ sub(/^v/, "", $NF); print $NF }'; }

monitor_start() {
  local port
  local -a options
  cp "$CONFIGS/exec.yaml" "$MONITOR_RUN_DIR/"
  port=$(free_port)
  echo "$port" >"$MONITOR_RUN_DIR/port"
  split_lines options "$(tracee_options_of_version)"
  if [[ -n ${MONITOR_RULES:-} ]]; then
    mkdir -p "$MONITOR_RUN_DIR/policies"
    rules_of_run
    options+=(--policy "$MONITOR_RUN_DIR/policies")
  fi
  exec_with_mounts tracefs "$(monitor_binary tracee)" --policy "$MONITOR_RUN_DIR/exec.yaml" --output "json:$(monitor_log)" "${options[@]}" \
    --server "http-address=127.0.0.1:$port" --server metrics
}

# A policy each, in a file of its own.
monitor_rules() { rules_into_files "$MONITOR_RUN_DIR/policies" "$@"; }

# Where it may write, and its buffer: the versions after 0.24 have other names for it.
tracee_options_of_version() {
  if "$(monitor_binary tracee)" --help 2>&1 | grep -e --perf-buffer-size >/dev/null; then
    printf '%s\n' --install-path "$MONITOR_LOG_DIR/tracee" --capture "dir:$MONITOR_LOG_DIR/tracee" \
      --perf-buffer-size "$TRACEE_BUFFER_PAGES"
  else
    printf '%s\n' --artifacts "dir.path=$MONITOR_LOG_DIR/tracee" --buffers "kernel.events=$TRACEE_BUFFER_PAGES"
  fi
}

tracee_metrics() {
  curl -fsS --max-time 10 "http://127.0.0.1:$(<"$MONITOR_RUN_DIR/port")/metrics"
}

# It starts to serve once its programs are attached and its pipeline runs. (/healthz of 0.24 says `NOT OK` for ever, unless
# an internal event is asked for: aquasecurity/tracee issue 5000.)
monitor_ready() { tracee_metrics >/dev/null; }

monitor_log() { echo "$MONITOR_LOG_DIR/tracee.ndjson"; }

# Events of any kind that found its buffer full. The name lost its middle after 0.24.
monitor_losses() {
  tracee_metrics | awk '/^tracee_(ebpf_)?lostevents_total / { print "tracee_lost_events", $2 }'
}

monitor_stop() { monitor_signal INT; }
