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
# More of the time than that with CPUs on one core, or far from each other, is worth telling, in %.
CORES_MISPLACED_PERCENT=5
# How long it takes to see how it is now.
CORES_LOOK_SECONDS=3

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

# cores_shares: of corewatch's records on stdin: for how much of the time CPUs shared a core, and for how much they were far from each other, in %.
cores_shares() {
  awk -F, '
    NR > 1 && $3 != "" { looks++; shared += $3; far += !$3 && $5 }
    END { if (!looks) looks = 1; printf "%.1f %.1f\n", 100 * shared / looks, 100 * far / looks }'
}

# cores_are_misplaced SHARED FAR: for so long that it is told. Both in %.
cores_are_misplaced() {
  awk -v shared="$1" -v far="$2" -v most="$CORES_MISPLACED_PERCENT" 'BEGIN { exit !(shared + far > most) }'
}

# cores_tell: before the first cell, since whoever can measure elsewhere or later had better know now.
cores_tell() {
  local looks shared far
  [[ $CORES_WATCHED == yes ]] || return 0
  looks=$(host_run timeout --preserve-status "$CORES_LOOK_SECONDS" "$BUILD/corewatch") || die "corewatch failed"
  read -r shared far <<<"$(cores_shares <<<"$looks")"
  ! cores_are_misplaced "$shared" "$far" ||
    say "In the last $CORES_LOOK_SECONDS s, the hypervisor had CPUs of this guest on one core for $shared % of the time, and on cores without a cache in common for $far %. \
Monitors cost more then, and figures scatter more (docs/accounting.md): another hour or machine may be better."
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
  child_signal TERM "$CORES_PID"
  cell_await corewatch "$CORES_PID" 0 "$1/cores.stderr"
  CORES_PID=
}
