# shellcheck shell=bash
# The tests' own way to keep and put back audit's rules and flags, which shares no code with the harness that they test.

# audit_save FOLDER
audit_save() {
  auditctl -l >"$1/audit-rules"
  auditctl -s >"$1/audit-flags"
}

# audit_put_back FOLDER: as they were when audit_save was called.
audit_put_back() {
  local key value
  auditctl -D
  grep -q '^No rules' "$1/audit-rules" || auditctl -R "$1/audit-rules"
  while read -r key value _; do
    case $key in
      failure) auditctl -f "$value" ;;
      rate_limit) auditctl -r "$value" ;;
      backlog_limit) auditctl -b "$value" ;;
      backlog_wait_time) auditctl --backlog_wait_time "$value" ;;
      enabled) auditctl -e "$value" ;;
    esac
  done <"$1/audit-flags"
}
