#!/usr/bin/env bash
# Whether the time at which execrate learns that a program has ended colours the slowdown. In the same cells, with a monitor and without: launch to
# exit as execrate has it (until wait4 has returned), and until the program left its CPU for the last time, by the kernel's own
# tracepoint. Prints Markdown; what it finds never makes it fail. As root; perf needs tracefs, which is mounted for perf alone. About
# REPS times half a minute.
#
#   MONITOR=auditd-raw RATE_HZ=400 REPS=5 bench/reaping.sh
set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
BUILD=$EXECTAX_ROOT/build
export EXECTAX_ROOT BUILD
source lib/base.sh

readonly MONITOR=${MONITOR:-auditd-raw}
readonly RATE_HZ=${RATE_HZ:-400}
readonly REPS=${REPS:-5}
readonly OUT=${OUT:-build/reaping}

mkdir -p "$OUT"
# with_tracefs COMMAND...: which perf needs to know tracepoints, in mounts of its own. In place of the calling shell.
with_tracefs() {
  exec unshare --mount --propagation private bash -euc "mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing; exec \"\$@\"" - "$@"
}

# It ends by SIGINT, which bash ignores in what it puts into the background.
with_tracefs env --default-signal=INT perf record -q -a -k CLOCK_MONOTONIC -e sched:sched_switch --filter 'prev_comm == "true"' -o "$OUT/perf.data" &
perf=$!
trap '[[ -z $perf ]] || kill -INT "$perf"' EXIT
# The sweep takes longer until its first load.
./exectax sweep --yes --monitors "none,$MONITOR" --rates "$RATE_HZ" --reps "$REPS" --warmup 1 --duration 8 --instrumented 0 --side 0 --syscalls 0 \
  --out "$OUT/run" >/dev/null
kill -INT "$perf"
wait_for_pid "$perf" 30 || true
perf=

# When each of them left its CPU for the last time, in ns, in order.
with_tracefs perf script --ns -i "$OUT/perf.data" -F time,trace 2>/dev/null |
  sed -nE 's/^ *([0-9]+)\.([0-9]{9}): .*prev_pid=([0-9]+) .*prev_state=[ZX].*/\1\2/p' | sort -n >"$OUT/ends"
rm "$OUT/perf.data"

# of_cells TEST: of each launch of these cells: launch to exit by execrate and by the kernel, in µs. The end of a launch is the last one before
# execrate knew of it that is no other launch's.
of_cells() {
  local launches
  for launches in "$OUT/run/cells/$1"/*/launches.csv.gz; do
    gzip -dc "$launches" | awk -F, 'NR > 1 { printf "%.0f %.0f %.0f\n", $3 + $7, $3, $7 }' | sort -n
  done | sort -n | awk -v ends="$OUT/ends" '
    BEGIN { while ((getline line < ends) > 0) end[++n] = line + 0 }
    {
      while (next_end < n && end[next_end + 1] <= $1) next_end++
      for (i = next_end; i > 0 && end[i] > $2; i--)
        if (!(i in taken)) {
          taken[i]
          print $3 / 1000, (end[i] - $2) / 1000
          break
        }
    }'
}

# percentiles COLUMN: the 50th and the 99th.
percentiles() {
  sort -n -k "$1,$1" | awk -v column="$1" '{ value[NR] = $column } END { printf "%.0f %.0f\n", value[int((NR + 1) / 2)], value[int(NR * 0.99)] }'
}

for test in none "$MONITOR"; do
  of_cells "$test" >"$OUT/$test.us"
done
echo "| launch to exit at $RATE_HZ/s, µs | by execrate: p50, p99 | by the kernel: p50, p99 | launches |"
echo "| --- | ---: | ---: | ---: |"
for test in none "$MONITOR"; do
  printf '| %s | %s | %s | %d |\n' "$test" "$(percentiles 1 <"$OUT/$test.us" | sed 's/ /, /')" "$(percentiles 2 <"$OUT/$test.us" | sed 's/ /, /')" "$(wc -l <"$OUT/$test.us")"
done
