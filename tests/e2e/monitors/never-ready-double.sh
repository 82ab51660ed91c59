# shellcheck shell=bash
# A double: a real auditd whose readiness is never confirmed.
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="double: never ready"

monitor_ready() { false; }
