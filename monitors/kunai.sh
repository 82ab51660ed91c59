# shellcheck shell=bash
export DESCRIPTION="Kunai, execve events alone: BPF on kprobes, each exec as one JSON line (with hashes of the program)"

KUNAI_RELEASE=0.6.2
export VERIFIED_BY="nothing: its vendor publishes neither signatures nor checksums (--allow-unverified)"

monitor_requires() {
  requires_binary kunai "exectax sweep --install, or EXECTAX_KUNAI=/path/to/kunai"
  requires_kprobes
  requires_mounts tracefs
  requires_btf
  requires_memlock
}

monitor_install() {
  ! monitor_binary kunai >/dev/null || return 0
  install_packages curl || return 1
  local machine
  machine=$(uname -m)
  install_from_url kunai '' \
    "https://github.com/kunai-project/kunai/releases/download/v$KUNAI_RELEASE/kunai-${machine/x86_64/amd64}" unverified
}

monitor_version() { "$(monitor_binary kunai)" --version | awk '{ print $NF }'; }

monitor_start() {
  render "$CONFIGS/kunai.yaml.in" "$MONITOR_RUN_DIR/kunai.yaml" LOG_DIR="$MONITOR_LOG_DIR"
  # It makes /run/kunai, and leaves it.
  exec_with_mounts tracefs,run "$(monitor_binary kunai)" run --config "$MONITOR_RUN_DIR/kunai.yaml"
}

# Its first line is about itself; whether it is attached, the tagged execution finds out.
monitor_ready() { [[ -s $MONITOR_LOG_DIR/kunai.ndjson ]]; }

monitor_log() { echo "$MONITOR_LOG_DIR/kunai.ndjson"; }

# Each of its warnings has the sum so far.
monitor_losses() {
  sed -nE 's/.*events have been lost .* lost=([0-9]+) .*/\1/p' "$MONITOR_RUN_DIR/stderr.txt" |
    awk 'END { print "kunai_lost_events " $1 + 0 }'
}

monitor_stop() { monitor_signal INT; }
