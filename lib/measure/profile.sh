# shellcheck shell=bash
# Where the CPUs' time goes, sampled: perf's stacks of the whole machine, folded, and a flame graph of them.
#
# Every CPU is sampled PROFILE_HZ times a second of its own time (event cpu-clock, a timer: works in guests without
# hardware counters). A count of n samples has a standard error of about the square root of n. The timer's interrupt waits
# while interrupts are off, and such code is charged to where they are switched on again: a BPF program on sched_switch
# is never sampled, one on sched_process_exec is. A CPU that the hypervisor took away has no samples.

# Not a divisor of any usual rate of executions, so that the samples do not keep step with them.
PROFILE_HZ=997

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

# profile_fold DIR: DIR/perf.data becomes DIR/stacks.folded.gz. To be done before the next restart of the machine: the
# kernel's symbols are those of the running kernel.
profile_fold() {
  local dir=$1
  # Names of inlined functions and debug symbols from the network take far too long.
  DEBUGINFOD_URLS='' perf script -i "$dir/perf.data" --no-inline -F comm,pid,ip,sym,dso 2>>"$dir/perf.txt" |
    LC_ALL=C awk -f "$EXECTAX_ROOT/lib/measure/fold.awk" | LC_ALL=C sort | gzip >"$dir/stacks.folded.gz" || {
    rm -f "$dir/stacks.folded.gz"
    return 1
  }
  rm -f "$dir/perf.data"
}

# profile_bpf_share STACKS: `name value` a line. Samples of idle CPUs; of busy ones (all others); of those, the ones taken
# in a BPF program's own code, and the ones taken within one, the kernel's code that it had called included. The last
# compares with the programs' run time as the kernel counts it; the leaf alone can be a fiftieth of that.
profile_bpf_share() {
  gzip -dcf "$1" | LC_ALL=C awk '
    BEGIN {
      hex4 = "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
      program = ";bpf_prog_" hex4 hex4 hex4 hex4
    }
    / [0-9]+$/ {
      samples = $NF
      sub(/ [0-9]+$/, "")
      if (/;\[idle\]$/) { idle += samples; next }
      busy += samples
      if ($0 ~ program "(_[^;]*)?$") leaf += samples
      if ($0 ~ program "(_|;|$)") any += samples
    }
    END { printf "idle %d\nbusy %d\nbpf_leaf %d\nbpf_any %d\n", idle, busy, leaf, any }'
}

# profile_flamegraph RUN MONITOR OUT.svg: of all the monitor's cells together; 1 if the run has no samples of it.
profile_flamegraph() {
  local run=$1 monitor=$2 out=$3
  local -a stacks
  split_lines stacks "$(find "$run/cells/$monitor" -mindepth 2 -maxdepth 2 -name stacks.folded.gz 2>/dev/null | LC_ALL=C sort)"
  ((${#stacks[@]})) || return 1
  gzip -dc "${stacks[@]}" | LC_ALL=C awk -f "$EXECTAX_ROOT/plots/flamegraph.awk" -v title="$monitor: where the CPU time goes" \
    -v subtitle="$(basename "$run"), ${#stacks[@]} of its cells; the whole machine, every CPU sampled $PROFILE_HZ times a second" >"$out" || {
    rm -f "$out"
    return 1
  }
}
