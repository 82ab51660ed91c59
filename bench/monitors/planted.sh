# shellcheck shell=bash
# A double: the launched program itself (build/planted) pays for being watched, EXECTAX_PLANTED_US of CPU time.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: a known cost in the watched program"

# monitor_unwatch [GID [OLD]]: whoever opens the plan gets the old one or the new one, never a part.
monitor_unwatch() {
  local plan=$EXECTAX_ROOT/build/planted.plan
  echo "${1:-0} ${EXECTAX_PLANTED_US:-0}" >"$plan.new"
  mv "$plan.new" "$plan"
}
