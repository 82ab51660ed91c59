# shellcheck shell=bash
# Where the CPUs' time goes, sampled: perf's stacks of the whole machine, folded, and a flame graph of them.
#
# Every CPU is sampled PROFILE_HZ times a second of its own time (event cpu-clock, a timer: works in guests without
# hardware counters). A count of n samples has a standard error of about the square root of n. The timer's interrupt waits
# while interrupts are off, and such code is charged to where they are switched on again: a BPF program on sched_switch
# is never sampled, one on sched_process_exec is. A CPU that the hypervisor took away has no samples.

# Not a divisor of any usual rate of executions, so that the samples do not keep step with them.
PROFILE_HZ=997
# no: nothing can be sampled here.
PROFILE_POSSIBLE=yes

# profile_never: from here on.
profile_never() {
  PROFILE_POSSIBLE=no
}

# profile_problem: why nothing can be sampled here; nothing if it can.
profile_problem() {
  local data said
  if ! command -v perf >/dev/null; then
    echo "perf is not installed"
    return
  fi
  data=$(mktemp)
  said=$(perf record -a -e cpu-clock -F "$PROFILE_HZ" -g --no-buildid --no-buildid-cache -o "$data" -- true 2>&1 >/dev/null) ||
    echo "perf record cannot sample this machine: $(grep -m 1 . <<<"$said")"
  rm -f "$data"
}

# profile_record DIR SECONDS: samples in the background, in the cgroup `sampler`; its pid is $!. Writes DIR/perf.data.
# perf takes some tenths of a second to start, more where many processes run.
profile_record() {
  local dir=$1 seconds=$2
  # Build ids would have it read its file again at the end, and copy binaries to the user's ~/.debug.
  host_spawn sampler perf record -a -e cpu-clock -F "$PROFILE_HZ" -g --no-buildid --no-buildid-cache \
    -o "$dir/perf.data" -- sleep "$seconds" >"$dir/perf.txt" 2>&1
}

# profile_fold DIR LOAD_PID: DIR/perf.data becomes DIR/stacks.folded.gz, and DIR/payers.csv says in whose time the samples were: the
# load's, its launches', the processes' in DIR/pids.csv, others'. To be done before the next restart of the machine: the
# kernel's symbols are those of the running kernel.
profile_fold() {
  local dir=$1 daemon command=${EXECTAX_COMMAND:-/bin/true}
  daemon=$(awk -F, '$2 == "daemon" { print $1 }' "$dir/pids.csv" "$dir/pids-after.csv" | sort -u | paste -sd ' ')
  # Names of inlined functions and debug symbols from the network take far too long.
  DEBUGINFOD_URLS='' perf script -i "$dir/perf.data" --no-inline -F comm,pid,ip,sym,dso 2>>"$dir/perf.txt" |
    LC_ALL=C awk -v payers="$dir/payers.csv" -v load="${2:-}" -v daemon="$daemon" -v command="$(cut -c 1-15 <<<"${command##*/}")" -f "$EXECTAX_ROOT/lib/measure/fold.awk" | LC_ALL=C sort | gzip >"$dir/stacks.folded.gz" || {
    rm -f "$dir/stacks.folded.gz" "$dir/payers.csv"
    return 1
  }
  rm -f "$dir/perf.data"
}
