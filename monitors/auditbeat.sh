# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/audit.sh"
export DESCRIPTION="Auditbeat (OSS), auditd module alone, with an exec rule: each exec as one JSON line"

export KNOBS="backlog 8192,N records that wait in the kernel at most"

AUDITBEAT_RELEASE=7.17.29

monitor_requires() {
  requires_audit
  requires_binary auditbeat "exectax sweep --install, or EXECTAX_AUDITBEAT=/path/to/auditbeat"
}

monitor_install() {
  install_packages auditd curl || return 1
  ! monitor_binary auditbeat >/dev/null || return 0
  auditbeat_install_release || auditbeat_install_module
}

auditbeat_install_release() {
  local machine archive
  machine=$(uname -m)
  archive=auditbeat-oss-$AUDITBEAT_RELEASE-linux-${machine/aarch64/arm64}
  install_from_tarball auditbeat "$archive/auditbeat" \
    "https://artifacts.elastic.co/downloads/beats/auditbeat/$archive.tar.gz" sha512sum
}

# Its Go module: built inside the module's own folder, so that the module's replace lines and checksums apply.
auditbeat_install_module() (
  command -v go >/dev/null || return 1
  say "Building Auditbeat $AUDITBEAT_RELEASE from its Go module (minutes)"
  work=$(mktemp -d)
  trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
  export GOMODCACHE=$work/modules GOCACHE=$work/cache CGO_ENABLED=0 GOWORK=off GOFLAGS=-mod=readonly
  folder=$(go mod download -json "github.com/elastic/beats/v7@v$AUDITBEAT_RELEASE" | jq -r .Dir)
  cd "$folder" || return 1
  quietly go build -trimpath -ldflags '-s -w' -o "$MONITOR_STORE/auditbeat/bin/auditbeat" ./auditbeat
)

monitor_version() { "$(monitor_binary auditbeat)" version | awk '{ print $3 }'; }

monitor_start() {
  local folder=$MONITOR_LOG_DIR
  render "$CONFIGS/auditbeat/auditbeat.yml.in" "$MONITOR_RUN_DIR/auditbeat.yml" LOG_DIR="$folder" BACKLOG="$(knob backlog)"
  chmod 0600 "$MONITOR_RUN_DIR/auditbeat.yml"
  exec "$(monitor_binary auditbeat)" -e -c "$MONITOR_RUN_DIR/auditbeat.yml" \
    --path.home "$folder/home" --path.config "$MONITOR_RUN_DIR" --path.data "$folder/data" --path.logs "$folder/logs"
}

monitor_log() { echo "$MONITOR_LOG_DIR/auditbeat.ndjson"; }

# Its reassembler_seq_gaps is left out: records out of order make that counter wrap.
monitor_losses() {
  echo "kernel_audit_lost $(audit_status lost)"
  curl -sS --max-time 10 --unix-socket "$MONITOR_LOG_DIR/stats.sock" http://localhost/stats |
    jq -r '"auditbeat_userspace_lost \(.auditd.userspace_lost // 0)",
      "auditbeat_output_dropped \(.libbeat.output.events.dropped // 0)"'
}
