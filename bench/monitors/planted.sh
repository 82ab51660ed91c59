# shellcheck shell=bash
# A double: the launched program itself (build/planted) pays for being watched, EXECTAX_PLANTED_US of CPU time.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: a known cost in the watched program"

# monitor_unwatch [GID [OLD]]: whoever opens the plan gets the old one or the new one, never a part. How many launches there have been, and what they have
# used by their own clocks, is a line each time: window S is from the first to the last.
monitor_unwatch() {
  local plan=$EXECTAX_ROOT/build/planted.plan
  echo "${1:-0} ${EXECTAX_PLANTED_US:-0}" >"$plan.new"
  mv "$plan.new" "$plan"
  od -An -v -w32 -t d8 "$EXECTAX_ROOT/build/planted.burnt" >>"$MONITOR_RUN_DIR/burnt.txt"
}
