# shellcheck shell=bash
# Where the hypervisor has placed the CPUs of this host. It may put two of them on the two hardware threads of one core, or on cores that have no
# cache in common, and elsewhere seconds later, and doesn't say so. What a monitor costs depends on it: on one core, a daemon and the
# program that it watches slow each other down; far apart, what one has written comes slowly to the other. build/corewatch
# finds out, during a whole cell, from before its load to after window S.

# yes: corewatch runs during cells.
CORES_WATCHED=no
CORES_PID=
CORES_SYS=/sys
CORES_PROC=/proc
# In a cell that counts, CPUs share a core or are far from each other for at most so much of the time from the beginning of window A to the end of B, in %.
CORES_MISPLACED_PERCENT=5

# cores_watch: from here on, if it can change where they are.
cores_watch() {
  ! cores_can_change || CORES_WATCHED=yes
}

# Where the kernel knows of two CPUs that they share one, as on hardware, that does not change.
cores_can_change() {
  local file cpus=0
  grep -qw hypervisor "$CORES_PROC/cpuinfo" || return 1
  for file in "$CORES_SYS"/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list; do
    [[ -r $file && $(<"$file") != *[,-]* ]] || return 1
    cpus=$((cpus + 1))
  done
  ((cpus > 1))
}

# cores_begin DIR: of a cell.
cores_begin() {
  CORES_PID=
  [[ $CORES_WATCHED == yes ]] || return 0
  host_spawn sampler "$BUILD/corewatch" --output "$1/cores.csv" 2>"$1/cores.stderr"
  CORES_PID=$!
}

# cores_end DIR
cores_end() {
  [[ -n $CORES_PID ]] || return 0
  ! cgroup_has sampler "$CORES_PID" || kill -TERM "$CORES_PID" 2>/dev/null || true
  cell_await corewatch "$CORES_PID" 0 "$1/cores.stderr"
  CORES_PID=
}

# cores_were_misplaced DIR: for longer than a cell can stand that counts.
cores_were_misplaced() {
  local -a windows=()
  local window
  for window in "$1"/window-{a,b}.csv; do
    [[ ! -s $window ]] || windows+=("$window")
  done
  [[ -s $1/cores.csv ]] && ((${#windows[@]})) && awk -F, -v percent="$CORES_MISPLACED_PERCENT" '
    FILENAME ~ /cores\.csv$/ { if (FNR > 1 && $1 >= from && $1 < to) { looks += $3 != ""; misplaced += $3 == "1" || $5 == "1" }; next }
    $2 == "clock" && $3 == "monotonic" { if (from == "") from = $4; to = $4 }
    END { exit !(misplaced * 100 > percent * looks) }' "${windows[@]}" "$1/cores.csv"
}
