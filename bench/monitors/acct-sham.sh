# shellcheck shell=bash
# A double: process accounting, which is switched on again where it was to be switched off.
source "$EXECTAX_ROOT/monitors/acct.sh"
export DESCRIPTION="double: process accounting, compared with itself"

monitor_switch() {
  "$(monitor_binary accton)" "/proc/$MONITOR_PID/root$MONITOR_LOG_DIR/pacct" >/dev/null
}
