# shellcheck shell=bash
# Window T, the tax on everything else: what system calls cost a program that executes nothing. build/syscost makes cheap ones on every
# CPU, once a start of a monitor, after the last window of its last cell, so that nothing in it is in another figure. Each of its slices is
# a process of its own, since audit decides at the fork whether it watches one.
#
# Under a monitor that has a window S, some of the slices are left alone, in the same way (lib/measure/side.sh). Otherwise all are alike (the
# way `apart`), and are compared with those of the baseline's starts.
#
# Writes load.json, slices.csv.gz and phases.csv into the folder syscalls of the cell, and syscalls.json: the way, and what went wrong.

# A block of four is short beside what drifts, and a phase of a monitor that is switched has room for several slices.
SYSCALLS_SLICE_SECONDS=0.02
SYSCALLS_SWITCH_US=200000

# Whether this run has window T: what is attached to has no baseline.
syscalls_is_asked() {
  [[ ${OPTIONS[syscalls]} != 0 ]] && monitor_is_ours
}

# What the window takes in all, of one start.
syscalls_seconds() {
  echo $((OPTIONS[syscalls] + 1))
}

# syscalls_run DIR: under the monitor that runs, in the cell whose folder is DIR. What goes wrong costs this window alone.
syscalls_run() {
  local dir=$1/syscalls way groups load_pid
  local -a options=()
  way=$(monitor_side)
  groups=$(exempt_groups)
  side_begin "$dir" "$way" "$groups"
  [[ $way != groups ]] || options=(--groups "$groups")
  host_spawn load "$BUILD/syscost" --duration $((OPTIONS[syscalls] + SIDE_MARGIN_SECONDS)) --slice "$SYSCALLS_SLICE_SECONDS" "${options[@]}" \
    --json "$dir/load.json" --output "$dir/slices.csv" 2>"$dir/load.stderr"
  load_pid=$!
  if [[ -n $way ]]; then
    "side_phases_$way" "$dir" "$groups" "${OPTIONS[syscalls]}" "$SYSCALLS_SWITCH_US"
  else
    side_phase "$dir" none $((OPTIONS[syscalls] * 1000000))
  fi
  side_end_load "$load_pid" "$dir/load.stderr"
  gzip -f "$dir/slices.csv" || side_problem "the list of slices can't be packed"
  monitor_is_alive || side_problem "the monitor died"
  jq -n --arg way "${way:-apart}" --arg problem "$SIDE_PROBLEM" '$ARGS.named' >"$dir/syscalls.json" || cell_problem "syscalls.json could not be written"
  [[ -z $SIDE_PROBLEM ]] || warn "$MONITOR_NAME, system calls: $SIDE_PROBLEM"
}
