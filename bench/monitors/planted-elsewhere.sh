# shellcheck shell=bash
# A double: a known cost in a task that is neither the monitor's nor a service's, as planted-daemon has it in the daemon.
source "$EXECTAX_ROOT/monitors/none.sh"
export DESCRIPTION="double: a known cost in another task"

# The monitor itself waits; the other process leaves the monitor's cgroups, and ends when it does.
monitor_start() {
  setpriv --pdeathsig TERM -- bash -c '
    while read -r _ folder kind _; do
      [[ $kind != cgroup* || ! -w $folder/cgroup.procs ]] || echo $$ >"$folder/cgroup.procs"
    done </proc/self/mounts
    exec "$@"' bash "$EXECTAX_ROOT/build/planted" daemon "$EXECTAX_PLANTED_PERCENT" "$MONITOR_RUN_DIR/used.txt" &
  exec sleep infinity
}
