# shellcheck shell=bash
# A double: stops when asked to, but the call that asks never returns; and what it needs can't be looked at where STOP_HANGS_REQUIRES is set.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: stopping it hangs"

monitor_requires() {
  [[ -z ${STOP_HANGS_REQUIRES:-} ]] || sleep 600
}

monitor_stop() {
  monitor_signal TERM
  sleep 600
}
