# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="auditd running without any rule: what switching audit on costs"
# Not a product to choose: what the others are measured against.
export REFERENCE=yes
export RECORDS=nothing
AUDITD_RULES=none
