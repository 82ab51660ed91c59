# shellcheck shell=bash
# A double: a real auditd that finds a folder where its log should be, and tells it on stderr (-f).
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="double: cannot write its log"

monitor_start() {
  auditd_configure
  mkdir "$MONITOR_LOG_DIR/audit/audit.log"
  audit_load_rules "$AUDITD_RULES" "$(knob backlog)"
  exec "$(auditd_binary)" -f -c "$MONITOR_RUN_DIR"
}
