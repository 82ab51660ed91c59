# shellcheck shell=bash
# What every monitor that owns the kernel's audit socket has in common.
export USES="audit" RECORDS=exec

# What audit_load_rules has rules for.
export AUDIT_ACTIONS="exec open read-sensitive write-below-bin change-namespace connect"

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

monitor_stop() { monitor_signal TERM; }

# audit_load_rules NAME BACKLOG: the rules of configs/audit/NAME.rules, and those for other actions of the load generator,
# of which it alone is watched: every process opens files. auditctl refuses files that root doesn't own, which a checkout's
# needn't be. They take effect once the daemon switches auditing on.
audit_load_rules() {
  local action
  render "$CONFIGS/audit/$1.rules" "$MONITOR_RUN_DIR/audit.rules" BACKLOG="$2"
  for action in $(other_actions); do
    render "$CONFIGS/audit/action-$action.rules" "$MONITOR_RUN_DIR/action.rules" EXECRATE="$EXECTAX_ROOT/build/execrate"
    cat "$MONITOR_RUN_DIR/action.rules" >>"$MONITOR_RUN_DIR/audit.rules"
  done
  auditctl -R "$MONITOR_RUN_DIR/audit.rules" >/dev/null
}
