# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="auditd with an exec rule, log_format ENRICHED (uids and syscalls resolved to names)"
AUDITD_LOG_FORMAT=ENRICHED
