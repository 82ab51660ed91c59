# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/sysmon.sh"
export DESCRIPTION="Sysmon for Linux (eBPF), process-create events: each exec as one XML line in syslog"
SYSMON_RULES="process-create"
