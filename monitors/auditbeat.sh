# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/audit.sh"
export DESCRIPTION="Auditbeat (OSS), auditd module alone, with an exec rule: each exec as one JSON line"

export KNOBS="backlog 8192,N records that wait in the kernel at most"

AUDITBEAT_RELEASE=7.17.29
# Elastic's, for all that it publishes.
AUDITBEAT_KEY="https://artifacts.elastic.co/GPG-KEY-elasticsearch 46095ACC8548582C1A2699A9D27D666CD88E42B4"
export BUILD_MINUTES=4
export VERIFIED_BY="the release: a signature by Elastic's key ${AUDITBEAT_KEY#* }; its Go module: Go's checksum database"

monitor_requires() {
  requires_audit
  requires_built auditbeat "exectax sweep --install, or EXECTAX_AUDITBEAT=/path/to/auditbeat"
}

monitor_install() {
  install_packages auditd curl gpg gpgv || return 1
  ! monitor_binary auditbeat >/dev/null || return 0
  auditbeat_install_release
}

auditbeat_install_release() {
  local machine archive url
  machine=$(uname -m)
  archive=auditbeat-oss-$AUDITBEAT_RELEASE-linux-${machine/aarch64/arm64}
  url=https://artifacts.elastic.co/downloads/beats/auditbeat/$archive.tar.gz
  install_from_tarball auditbeat "$archive/auditbeat" '' "$url" signed "$url.asc" "$AUDITBEAT_KEY"
}

# Its Go module: built inside the module's own folder, so that the module's replace lines and checksums apply.
monitor_build() {
  if ! command -v go >/dev/null; then
    warn "Auditbeat is not built: its Go module needs go, which is not installed"
    return 1
  fi
  say "Building Auditbeat $AUDITBEAT_RELEASE from its Go module (about $BUILD_MINUTES min)"
  in_build_folder auditbeat_build
}

auditbeat_build() {
  local -a settings
  split_lines settings "$(build_go_settings)"
  quietly as_builder "$(go env GOROOT)" "${settings[@]}" "GOMODCACHE=$PWD/modules" "GOCACHE=$PWD/cache" CGO_ENABLED=0 GOWORK=off \
    bash -euo pipefail -c "$(declare -f auditbeat_go_build); auditbeat_go_build $AUDITBEAT_RELEASE" || return 1
  build_install auditbeat auditbeat
}

# auditbeat_go_build RELEASE
auditbeat_go_build() {
  local folder output=$PWD/auditbeat
  folder=$(go mod download -json "github.com/elastic/beats/v7@v$1" | jq -r .Dir)
  cd "$folder" || return 1
  go build -mod=readonly -trimpath -ldflags '-s -w' -o "$output" ./auditbeat
}

monitor_version() { "$(monitor_binary auditbeat)" version | awk '{ print $3 }'; }

monitor_start() {
  local folder=$MONITOR_LOG_DIR before after
  before=$(audit_rules_before)
  after=$(audit_rules_after)
  render "$CONFIGS/auditbeat.yml.in" "$MONITOR_RUN_DIR/auditbeat.yml" LOG_DIR="$folder" BACKLOG="$(knob backlog)" \
    RULES_BEFORE="$before" RULES_AFTER="$after"
  chmod 0600 "$MONITOR_RUN_DIR/auditbeat.yml"
  exec "$(monitor_binary auditbeat)" -e -c "$MONITOR_RUN_DIR/auditbeat.yml" \
    --path.home "$folder/home" --path.config "$MONITOR_RUN_DIR" --path.data "$folder/data" --path.logs "$folder/logs"
}

# Lines of a block of text, which it parses itself.
monitor_rules() { audit_rules "$@" | sed 's/^/      /'; }

monitor_log() { echo "$MONITOR_LOG_DIR/auditbeat.ndjson"; }

# Its reassembler_seq_gaps is left out: records out of order make that counter wrap.
monitor_losses() {
  echo "kernel_audit_lost $(audit_status lost)"
  curl -sS --max-time 10 --unix-socket "$MONITOR_LOG_DIR/stats.sock" http://localhost/stats |
    jq -r '"auditbeat_userspace_lost \(.auditd.userspace_lost // 0)",
      "auditbeat_output_dropped \(.libbeat.output.events.dropped // 0)"'
}
