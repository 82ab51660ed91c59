# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/audit.sh"
source "$EXECTAX_ROOT/monitors/families/floor.sh"
export DESCRIPTION="reference: a bare reader of the audit socket with an exec rule, each event's records as they are"
# Not a product to choose: what the others are measured against.
export REFERENCE=yes
export KNOBS="backlog 8192,N records that wait in the kernel at most
buffer 16777216,N bytes of the audit socket's buffer"
FLOOR_PROGRAM=floor-audit
# auditd's rules.
export CONFIGS=$EXECTAX_ROOT/configs/audit

monitor_requires() {
  requires_audit
  requires_binary floor-audit "make, with libaudit, or EXECTAX_FLOOR_AUDIT=/path/to/floor-audit"
}

# make builds it; auditctl loads its rules.
monitor_install() { install_packages auditd; }

monitor_start() {
  audit_load_rules exec "$(knob backlog)"
  floor_start
}

monitor_rules() { audit_rules "$@"; }

monitor_ready() { floor_is_ready && audit_owned_by_cgroup "$MONITOR_CGROUP"; }

monitor_log() { echo "$MONITOR_LOG_DIR/audit.log"; }

monitor_losses() {
  echo "kernel_audit_lost $(audit_status lost)"
  floor_losses
}
