# shellcheck shell=bash
# perf's samples of a run, folded: how many were in BPF programs, and flame graphs.

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
    -v subtitle="$(basename "$run"), ${#stacks[@]} of its cells; the whole machine, every CPU sampled" >"$out" || {
    rm -f "$out"
    return 1
  }
}
