# shellcheck shell=bash
# What every monitor that owns the kernel's audit socket has in common.
export USES="audit" RECORDS=exec

monitor_ready() { audit_owned_by_cgroup "$MONITOR_CGROUP"; }

monitor_helpers() {
  echo "kthread kauditd"
  if journald_reads_audit; then
    echo "unit systemd-journald.service"
    echo "unit rsyslog.service"
  fi
}

# Records that the kernel dropped because its backlog was full (one exec is several records).
monitor_losses() { echo "kernel_audit_lost $(audit_status lost)"; }

monitor_stop() { kill -TERM "$MONITOR_PID"; }

# audit_load_rules NAME: the rules of configs/audit/NAME.rules. auditctl refuses files that root doesn't own,
# which a checkout's needn't be. They take effect once the daemon switches auditing on.
audit_load_rules() {
  render "$CONFIGS/audit/$1.rules" "$MONITOR_RUN_DIR/audit.rules"
  auditctl -R "$MONITOR_RUN_DIR/audit.rules" >/dev/null
}
