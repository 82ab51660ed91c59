# shellcheck shell=bash
# A double: auditd, which leaves alone all launches or none, by turns, in place of one group of them.
source "$EXECTAX_ROOT/monitors/auditd-raw.sh"
export DESCRIPTION="double: auditd, switched off and on"

unset -f monitor_unwatch

# monitor_switch on|off: for what is forked from then on in the groups of launches.
monitor_switch() {
  local gid
  for gid in $((EXECTAX_EXEMPT_GID + 1)) $((EXECTAX_EXEMPT_GID + 2)); do
    if [[ $1 == on ]]; then
      # Nothing to take away where it was on before.
      auditctl -d never,task -F "gid=$gid" >/dev/null 2>&1 || true
    else
      auditctl -A never,task -F "gid=$gid" >/dev/null
    fi
  done
}
