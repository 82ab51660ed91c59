# shellcheck shell=bash
# What every monitor that owns the kernel's audit socket has in common.
export USES="audit"

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

# monitor_unwatch [GID [OLD]]: of what is forked from now on, members of that group are not audited; those of OLD, which were not, are
# again.
monitor_unwatch() {
  [[ -z ${1:-} ]] || auditctl -A never,task -F "gid=$1" >/dev/null
  [[ -z ${2:-} ]] || auditctl -d never,task -F "gid=$2" >/dev/null
}

# audit_load_rules NAME BACKLOG: the rules of NAME.rules, and those for other actions of the load generator, of which it
# alone is watched: every process opens files. auditctl refuses files that root doesn't own, which a checkout's needn't be.
# They take effect once the daemon switches auditing on.
audit_load_rules() {
  local actions file
  local -a files
  render "$CONFIGS/$1.rules" "$MONITOR_RUN_DIR/audit.rules" BACKLOG="$2"
  actions=$(action_files)
  split_lines files "$actions"
  for file in "${files[@]}"; do
    render "$file" "$MONITOR_RUN_DIR/action.rules" EXECRATE="$EXECTAX_ROOT/build/execrate"
    cat "$MONITOR_RUN_DIR/action.rules" >>"$MONITOR_RUN_DIR/audit.rules"
  done
  auditctl -R "$MONITOR_RUN_DIR/audit.rules" >/dev/null
}
