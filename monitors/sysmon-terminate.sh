# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/sysmon.sh"
export DESCRIPTION="Sysmon for Linux (eBPF), process-create and process-terminate events, as XML lines in syslog"
SYSMON_RULES="process-create-terminate"
