# shellcheck shell=bash
# Flame graphs, from perf's samples of a run.

# profile_flamegraph RUN MONITOR OUT.svg [RATE [SHARE]]: of all the monitor's cells together, or of those at RATE; frames below SHARE of the samples
# (0.001) are left out. 1 if the run has no samples of it.
profile_flamegraph() {
  local run=$1 monitor=$2 out=$3 rate=${4:-*}
  local -a stacks
  # It names files.
  [[ $monitor != */* ]] || return 1
  split_lines stacks "$(find "$run/cells/$monitor" -mindepth 2 -maxdepth 2 -path "*/$rate-*/stacks.folded.gz" 2>/dev/null | LC_ALL=C sort)"
  ((${#stacks[@]})) || return 1
  gzip -dc "${stacks[@]}" | LC_ALL=C awk -f "$EXECTAX_ROOT/plots/flamegraph.awk" -v title="$monitor: where the CPU time goes" -v shortest="${5:-0.001}" \
    -v subtitle="$(basename "$run"), ${#stacks[@]} of its cells${4:+, at $4/s}; the whole machine, every CPU sampled" >"$out" || {
    rm -f "$out"
    return 1
  }
}
