#!/usr/bin/env bash
# An estimate against what a monitor really costs a host that works: the same work (by default: exectax is compiled) with the monitor and
# without, 10 times each in the order ABBA, beside what `exectax estimate` makes of the executions and system calls of one further time. Prints
# Markdown: CPU time in % of one CPU, with 95 % intervals. As root, on a machine that has nothing else to do; what is taken of the host is put
# back. Timing never makes it fail.
#
#   MONITOR=auditd-raw RATES="20 50 100 200 400" REPS=5 WORK="make -s -j2 -B BUILD=build/estimate/work all" bench/estimate.sh
#
# RUN=results/...: with the figures of that sweep instead of one of its own.
set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
BUILD=$EXECTAX_ROOT/build
export EXECTAX_ROOT BUILD
for room in base host monitor measure report; do
  # shellcheck source=/dev/null
  source "$EXECTAX_ROOT/lib/$room.sh"
done

readonly MONITOR=${MONITOR:-auditd-raw}
readonly RATES=${RATES:-20 50 100 200 400}
readonly REPS=${REPS:-5}
OUT=$(realpath -m "${OUT:-$BUILD/estimate}")
readonly OUT
readonly WORK=${WORK:-make -s -j$(nproc) -B BUILD=$OUT/work all}
readonly RUN=${RUN:-$OUT/run}
# Student's t of 9 degrees of freedom is below.
readonly PAIRS=10
readonly T=2.262
# A daemon may have some of its work left when the load has ended.
readonly REST_SECONDS=5
readonly WORK_SECONDS=3600

host_require_root bench/estimate.sh "it starts a monitor and puts the host back"
if [[ ! -e $RUN/perf.csv ]]; then
  ./exectax sweep --monitors "none,$MONITOR" --rates "$RATES" --reps "$REPS" --out "$RUN" >"$BUILD/estimate-sweep.txt"
fi
exempt_join env RUN="$RUN" MONITOR="$MONITOR" WORK="$WORK" OUT="$OUT" bash "$EXECTAX_ROOT/bench/estimate.sh"

put_back() {
  trap '' INT TERM HUP PIPE
  set +e
  host_restore_forced
  host_undo
  host_unlock
}
host_lock bench/estimate.sh
trap 'leave 130' INT
trap 'leave 143' TERM
trap put_back EXIT
! host_has_changes || die "an earlier run was killed: 'exectax restore' puts the host back"

# The host as a sweep takes it.
take_host() {
  options_set out "$OUT"
  options_set actions ''
  cgroup_find_mounts
  audit_isolate
  journald_isolate off
  host_make_scratch
  disk_reserve "$HOST_STATE_DIR/scratch"
  host_record undo_cgroups
  cgroup_create load
  cgroup_create "$CGROUP_MONITOR"
  meter_find_helpers <<<"$(monitor_helpers "$MONITOR")"
}

# CPU time so far, in ns: of the work, of the monitor, of what helps it.
cpu_ns() {
  "$BUILD/cpumeter" --once --cgroup "load=$(cgroup_cpu_folder load)" --cgroup "monitor=$(cgroup_cpu_folder "$CGROUP_MONITOR")" "${METER_HELPERS[@]}" |
    awk -F, '$2 == "cgroup" || $2 == "kthread" || $2 == "pid" { sum += $4 } END { printf "%.0f\n", sum }'
}

work() {
  local pid
  # shellcheck disable=SC2086 # It is a command with its arguments.
  host_spawn load $WORK >"$OUT/work.txt" 2>&1
  pid=$!
  wait_for_pid "$pid" "$WORK_SECONDS" || die "the work failed: $(tail -n 1 "$OUT/work.txt")"
}

# turn with|without NUMBER: CPU time of the work, in ns, and how long it took, in hundredths of a second.
turn() {
  local before after
  local -i begun ended
  if [[ $1 == with ]]; then
    monitor_begin "$MONITOR" "$OUT/monitors/$2"
    [[ -z $(monitor_problem) ]] || die "$MONITOR: $(monitor_problem)"
  fi
  before=$(cpu_ns)
  clock_cs begun
  work
  clock_cs ended
  pause "$REST_SECONDS"
  after=$(cpu_ns)
  if [[ $1 == with ]]; then
    monitor_end
    monitor_keep no
  fi
  echo "$((after - before)) $((ended - begun))" >>"$OUT/$1.txt"
}

# One further time, without the monitor: what `exectax estimate` would count, for as long as the work takes.
count() {
  local pid
  local -i begun ended
  "$BUILD/hostrates" --duration 86400 --output "$OUT/counted-all.json" &
  pid=$!
  pause 1
  clock_cs begun
  work
  clock_cs ended
  kill -TERM "$pid"
  wait_for_pid "$pid" 30
  jq --argjson hundredths $((ended - begun)) '.duration_s = $hundredths / 100 | .executions.per_sec = .executions.count / .duration_s' \
    "$OUT/counted-all.json" >"$OUT/counted.json"
}

main() {
  local rates estimated
  local -i i
  rm -rf "$OUT"/{with,without,work}.txt "$OUT/monitors"
  mkdir -p "$OUT"
  # What is read for the first time comes from the disk.
  take_host
  work
  for ((i = 0; i < PAIRS; i++)); do
    if ((i % 2)); then
      turn with "$i"
      turn without "$i"
    else
      turn without "$i"
      turn with "$i"
    fi
  done
  count
  rates=$(estimate_rates "$(<"$OUT/counted.json")")
  estimated=$(estimate_rows "$RUN" "$rates" | jq -c --arg monitor "$MONITOR" 'map(select(.test == $monitor)) | first')
  printf 'Linux %s, %s CPUs, %s; %s; load average %s\n\n' "$(uname -r)" "$(nproc)" "$(date -u +%F)" "$WORK" "$(cut -d' ' -f1 /proc/loadavg)"
  paste -d ' ' "$OUT/with.txt" "$OUT/without.txt" | jq -Rnr --argjson t "$T" --argjson rates "$rates" --argjson estimated "$estimated" '
    def two: if . == null then "–" else . * 100 | round / 100 | tostring end;
    def text: if .value == null then "\(.low | two) to \(.high | two)" else "\(.value | two) (\(.low | two) to \(.high | two))" end;
    [inputs | split(" ") | map(tonumber)] as $turns
    | ($turns | map(.[3]) | add / length * 10000000) as $elapsed_ns
    # What the work costs more, in % of a CPU for as long as it takes.
    | ($turns | map((.[0] - .[2]) * 100 / $elapsed_ns)) as $more
    | ($more | length) as $n | ($more | add / $n) as $mean
    | ($t * ($more | map(. - $mean | . * .) | add / ($n - 1) / $n | sqrt)) as $half
    | "| monitor | executions per second | other system calls per second | measured: % of a CPU | estimated | of which system calls | how |",
      "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
      "| \($estimated.test) | \($rates.exec_per_sec | two) | \($rates.syscalls | add | round) | \({value: $mean, low: ($mean - $half), high: ($mean + $half)} | text) | \($estimated.cpu | text) | \($estimated.syscalls | if . == null then "–" else text end) | \($estimated.where) |"'
}

main
