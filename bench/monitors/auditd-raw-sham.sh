# shellcheck shell=bash
# A double: auditd, which watches all launches, whichever group they are in.
source "$EXECTAX_ROOT/monitors/auditd-raw.sh"
export DESCRIPTION="double: auditd, compared with itself"
# Its log is not looked at: that launches are in it that were to be left alone is what is wanted here.
export RECORDS=nothing

monitor_unwatch() { :; }
