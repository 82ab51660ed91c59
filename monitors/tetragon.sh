# shellcheck shell=bash
export DESCRIPTION="Tetragon without a policy: BPF on exec, fork and exit, each exec as one JSON line"

TETRAGON_RELEASE=1.7.0
export VERIFIED_BY="the checksums beside the release"
# Its default, in bytes a CPU. It is small: a reader that pauses for some hundred executions loses the next.
TETRAGON_BUFFER=65536

# Releases attach to kprobes; a build of one's own may attach elsewhere.
monitor_requires() {
  requires_btf
  requires_mounts tracefs
  [[ -n ${EXECTAX_TETRAGON:-} ]] || requires_kprobes
  requires_binary tetragon "exectax sweep --install, or EXECTAX_TETRAGON=/path/to/tetragon"
  ! monitor_binary tetragon >/dev/null || tetragon_bpf >/dev/null ||
    SKIP_REASONS+=("its BPF objects are not beside the binary, nor in /var/lib/tetragon (EXECTAX_TETRAGON_BPF=/their/folder)")
}

# The folder with its BPF programs: beside the binary under test, or where its packages put it. 1 if they are not there.
tetragon_bpf() {
  local binary folder
  binary=$(monitor_binary tetragon)
  for folder in "${binary%/*}/../bpf" "${binary%/*}/../lib/tetragon/bpf" /var/lib/tetragon; do
    folder=${EXECTAX_TETRAGON_BPF:-$folder}
    compgen -G "$folder/bpf_execve_event*.o*" >/dev/null || continue
    echo "$folder"
    return
  done
  return 1
}

monitor_install() {
  install_packages curl || return 1
  ! monitor_binary tetragon >/dev/null || return 0
  local machine release=v$TETRAGON_RELEASE
  machine=$(download_machine) || return 1
  local archive=tetragon-$release-$machine
  local url=https://github.com/cilium/tetragon/releases/download/$release/$archive.tar.gz
  install_from_tarball tetragon "$archive/usr/local/bin/tetragon" "$archive/usr/local/lib/tetragon/bpf" \
    "$url" sums sha256sum "$url.sha256sum"
}

monitor_files() { ! tetragon_bpf >/dev/null || printf '%s\n' "$(tetragon_bpf)"/*.o*; }

# It has no option that prints its version: what the linker was told is in its build information, or else we don't know.
monitor_version() {
  grep -aom 1 'tetragon/pkg/version\.Version=v[0-9][-.0-9a-z]*' "$(monitor_binary tetragon)" | sed 's/.*=v//' | grep . ||
    monitor_binary tetragon
}

# In a mount namespace of its own: it mounts a cgroup2 below /run and a bpffs where there is none, pins its programs
# there, and leaves the mounts when it stops. So all of it is gone with the process, however that ends; and a Tetragon
# that the host has already, its settings and its policies are neither seen nor touched.
monitor_start() {
  local binary port
  local -a options=(
    --bpf-lib "$(realpath "$(tetragon_bpf)")" --rb-size "$TETRAGON_BUFFER"
    --export-filename "$(monitor_log)" --export-file-max-size-mb 1000000 --export-file-rotation-interval 0s
    --export-rate-limit -1 --export-allowlist '{"event_set":["PROCESS_EXEC"]}'
    --server-address "" --health-server-address "" --gops-address "" --enable-k8s-api=false
  )
  if [[ -n ${MONITOR_RULES:-} ]]; then
    mkdir -p "$MONITOR_RUN_DIR/policies"
    rules_of_run
    options+=(--tracing-policy-dir "$MONITOR_RUN_DIR/policies")
  fi
  port=$(free_port)
  echo "$port" >"$MONITOR_RUN_DIR/port"
  binary=$(realpath "$(monitor_binary tetragon)")
  # It would take a tetragon.yaml or BPF objects from where it is started.
  cd "$MONITOR_LOG_DIR" || return 1
  exec_with_mounts tracefs bash -euc "$(declare -f tetragon_hide_host); tetragon_hide_host; exec \"\$@\"" - \
    "$binary" "${options[@]}" --metrics-server "127.0.0.1:$port"
}

# A policy each, in a file of its own.
monitor_rules() { rules_into_files "$MONITOR_RUN_DIR/policies" "$@"; }

tetragon_hide_host() {
  local folder
  while mountpoint -q /sys/fs/bpf; do
    umount /sys/fs/bpf
  done
  for folder in /run /etc/tetragon /usr/lib/tetragon/tetragon.conf.d /usr/local/lib/tetragon/tetragon.conf.d; do
    [[ ! -d $folder ]] || mount -t tmpfs tmpfs "$folder"
  done
}

monitor_ready() { grep -qs 'Listening for events' "$MONITOR_RUN_DIR/stdout.txt" "$MONITOR_RUN_DIR/stderr.txt"; }

monitor_log() { echo "$MONITOR_LOG_DIR/tetragon.ndjson"; }

# What its programs could not put into the ring buffer (operation 5 is an exec), of which its log says nothing, and what
# was lost further on.
monitor_losses() {
  curl -fsS --max-time 10 "http://127.0.0.1:$(<"$MONITOR_RUN_DIR/port")/metrics" | awk '
    /^tetragon_bpf_missed_events_total/ { if (/msg_op="5"/) execs += $NF; else others += $NF }
    /^tetragon_observer_ringbuf_events_lost_total / { print "tetragon_perf_buffer_lost", $2 }
    /^tetragon_observer_ringbuf_queue_events_lost_total / { print "tetragon_queue_lost", $2 }
    /^tetragon_notify_overflowed_events_total / { print "tetragon_listener_lost", $2 }
    /^tetragon_export_ratelimit_events_dropped_total / { print "tetragon_rate_limited", $2 }
    END { if (NR) printf "tetragon_missed_execs %.0f\ntetragon_missed_others %.0f\n", execs, others }'
}
