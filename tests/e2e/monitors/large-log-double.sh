# shellcheck shell=bash
# A double: records nothing, with a log of 16 MiB.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: a large log"

monitor_start() {
  head -c 16M /dev/zero >"$MONITOR_LOG_DIR/log"
  exec sleep infinity
}
