# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="auditd with an exec rule, log_format RAW"
AUDITD_LOG_FORMAT=RAW
