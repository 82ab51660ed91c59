# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/audit.sh"
export DESCRIPTION="go-audit with an exec rule: raw records wrapped in JSON"

GO_AUDIT_RELEASE=1.2.2
export VERIFIED_BY="the checksums beside the release"

monitor_requires() {
  requires_audit
  requires_binary go-audit "exectax sweep --install, or EXECTAX_GO_AUDIT=/path/to/go-audit"
}

monitor_install() {
  install_packages auditd curl || return 1
  ! monitor_binary go-audit >/dev/null || return 0
  local machine
  machine=$(download_machine) || return 1
  local release=https://github.com/slackhq/go-audit/releases/download/v$GO_AUDIT_RELEASE
  install_from_tarball go-audit go-audit '' "$release/go-audit-linux-$machine.tar.gz" sums sha256sum "$release/SHASUM256.txt"
}

monitor_version() { "$(monitor_binary go-audit)" -version | awk '{ print $NF }'; }

# The rules are in its configuration, and it sets `enabled` only if one of them says so.
monitor_start() {
  local before after
  mkdir -p "$MONITOR_LOG_DIR"
  before=$(audit_rules_before)
  after=$(audit_rules_after)
  render "$CONFIGS/go-audit.yaml.in" "$MONITOR_RUN_DIR/go-audit.yaml" LOG_DIR="$MONITOR_LOG_DIR" \
    RULES_BEFORE="$before" RULES_AFTER="$after"
  exec "$(monitor_binary go-audit)" -config "$MONITOR_RUN_DIR/go-audit.yaml"
}

# A list, of which it hands each to auditctl.
monitor_rules() { audit_rules "$@" | sed 's/^/  - /'; }

monitor_log() { echo "$MONITOR_LOG_DIR/go-audit.log"; }

# It counts nothing itself but says on stderr which sequence numbers it misses.
monitor_losses() {
  echo "kernel_audit_lost $(audit_status lost)"
  echo "go_audit_missed_sequences $(grep -c 'Likely missed sequence' "$MONITOR_RUN_DIR/stderr.txt" || true)"
}
