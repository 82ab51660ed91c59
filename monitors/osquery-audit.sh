# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/audit.sh"
source "$EXECTAX_ROOT/monitors/families/osquery.sh"
export DESCRIPTION="osquery, table process_events: reads audit itself, a query each second, each exec as one JSON line"

OSQUERY_TABLE=process_events
OSQUERY_FLAGS=(--disable_audit=false --audit_allow_config=true --audit_persist=true --audit_allow_process_events=true
  --audit_allow_user_events=false --audit_backlog_limit=8192 --audit_backlog_wait_time=0)

monitor_requires() {
  requires_audit
  osquery_requires
}

# It adds its rule and switches audit on, but leaves the rules alone that it finds: those that keep audit quiet.
monitor_start() {
  auditctl -D >/dev/null
  osquery_exec
}

# It warns, at most once a minute, when it read so slowly that the kernel may have dropped records.
monitor_losses() {
  echo "kernel_audit_lost $(audit_status lost)"
  echo "osquery_throttle_warnings $(grep -c 'has throttled reading records' "$MONITOR_RUN_DIR/stderr.txt" || true)"
}
