# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="auditd running without any rule: what switching audit on costs"
export RECORDS=nothing
AUDITD_RULES=none
