#!/usr/bin/env bash
# execrate against bare loops, on this machine: alternating rounds, medians, and ratios within each round.
# Prints Markdown. Timing never makes it fail.
#
#   ROUNDS=5 SECONDS_EACH=3 COMMAND=/bin/true bench/execrate.sh

set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

readonly ROUNDS=${ROUNDS:-5}
readonly SECONDS_EACH=${SECONDS_EACH:-3}
# What is to end has that long for it.
readonly END_SECONDS=60
readonly COMMAND=${COMMAND:-/bin/true}
readonly EXECRATE=${EXECRATE:-build/execrate}
readonly BARELOOP=${BARELOOP:-build/bareloop}

work=$(mktemp -d)
readonly work
trap 'rm -rf "$work"; host_unlock' EXIT
# Beside a run of root's, neither's figures would be right.
((EUID != 0)) || host_lock bench/execrate.sh

median() {
  sort -g | awk '{ value[NR] = $1 } END { print NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2 }'
}

# column FILE N: the median of a column.
column() {
  awk -v n="$2" '{ print $n }' "$1" | median
}

# ratio FILE A B: the median of column A / column B.
ratio() {
  awk -v a="$2" -v b="$3" '$b > 0 { print $a / $b }' "$1" | median
}

# run_execrate JQ_FILTER ARGUMENTS...: its result, filtered.
run_execrate() {
  local filter=$1
  shift
  "$EXECRATE" --duration "$SECONDS_EACH" --command "$COMMAND" "$@" --json "$work/result"
  jq -r "$filter" "$work/result"
}

steal_ticks() {
  awk '$1 == "cpu" { print $9 }' /proc/stat
}

# The number of processes with which the bare loop is fastest here.
best_bare_processes() {
  local cpus processes
  cpus=$(nproc)
  for processes in "$cpus" $((cpus * 2)) $((cpus * 4)); do
    for _ in 1 2 3; do
      echo "$("$BARELOOP" launch 1 "$processes" "$COMMAND" | cut -d' ' -f1) $processes"
    done | sort -g | sed -n 2p
  done | sort -g | tail -n 1 | cut -d' ' -f2
}

# measure_max FILE CPUS PROCESSES THREADS: rounds of bare loop and --max, in turn first, on the same CPUs:
# bare rate, bare CPU, execrate rate, execrate CPU.
measure_max() {
  local file=$1 cpus=$2 processes=$3 threads=$4 round bare ours
  local filter='"\(.achieved_hz) \(.self_cpu_us_per_launch)"'
  for ((round = 0; round < ROUNDS; round++)); do
    if ((round % 2)); then
      ours=$(run_execrate "$filter" --max --threads "$threads" --cpus "$cpus")
      bare=$(taskset -c "$cpus" "$BARELOOP" launch "$SECONDS_EACH" "$processes" "$COMMAND")
    else
      bare=$(taskset -c "$cpus" "$BARELOOP" launch "$SECONDS_EACH" "$processes" "$COMMAND")
      ours=$(run_execrate "$filter" --max --threads "$threads" --cpus "$cpus")
    fi
    echo "$bare $ours"
  done >"$work/$file"
}

# The bare sleeping loop while execrate launches at the same rate beside it.
sleep_under_load() {
  local load
  "$EXECRATE" --rate "$1" --duration "$SECONDS_EACH" --command "$COMMAND" --json /dev/null &
  load=$!
  "$BARELOOP" sleep "$SECONDS_EACH" "$1"
  wait_for_pid "$load" $((SECONDS_EACH + END_SECONDS))
}

# Rounds at a rate: idle bare p50, p99; loaded bare p50, p99; lateness p50, p99; asked, launched, saturated, own CPU.
measure_rate() {
  local rate=$1 round
  local filter='"\(.lateness_us.p50) \(.lateness_us.p99) \(.asked) \(.launched) \(.saturated) \(.self_cpu_us_per_launch)"'
  for ((round = 0; round < ROUNDS; round++)); do
    echo "$("$BARELOOP" sleep "$SECONDS_EACH" "$rate") $(sleep_under_load "$rate")" \
      "$(run_execrate "$filter" --rate "$rate")"
  done >"$work/rate-$rate"
}

print_max() {
  local where=$1 file=$work/$2
  printf '| launches per second, %s | %.0f | %.0f | %.3f |\n' \
    "$where" "$(column "$file" 1)" "$(column "$file" 3)" "$(ratio "$file" 3 1)"
  printf '| own CPU, us per launch, %s | %.1f | %.1f | %.3f |\n' \
    "$where" "$(column "$file" 2)" "$(column "$file" 4)" "$(ratio "$file" 4 2)"
}

print_rate() {
  local rate=$1 file=$work/rate-$1
  printf '| %s | %.4f %% | %s of %s | %.0f / %.0f | %.0f / %.0f | %.0f / %.0f | %.2f | %.2f | %.1f |\n' "$rate" \
    "$(awk '{ print 100 * $8 / $7 }' "$file" | median)" \
    "$(grep -c true "$file" || true)" "$ROUNDS" \
    "$(column "$file" 1)" "$(column "$file" 2)" "$(column "$file" 3)" "$(column "$file" 4)" \
    "$(column "$file" 5)" "$(column "$file" 6)" "$(ratio "$file" 6 2)" "$(ratio "$file" 6 4)" "$(column "$file" 10)"
}

main() {
  local all_cpus processes limit rate steal_before
  local -a rates
  steal_before=$(steal_ticks)
  all_cpus=$(taskset -cp $$ | sed 's/.*: //')
  processes=$(best_bare_processes)

  printf '%s CPUs, Linux %s, %s; %s rounds of %s s, medians (of ratios: within a round); load before: %s\n' \
    "$(nproc)" "$(uname -r)" "$COMMAND" "$ROUNDS" "$SECONDS_EACH" "$(cut -d' ' -f1-3 /proc/loadavg)"
  measure_max all "$all_cpus" "$processes" auto
  # Where there is no choice of CPUs, the scheduler's does not blur the comparison.
  measure_max one "${all_cpus%%[,-]*}" 1 1
  printf '\n| no pacing | bare loop | execrate --max | ratio |\n| --- | --- | --- | --- |\n'
  print_max "all CPUs (bare: $processes processes)" all
  print_max 'one CPU, one process or thread' one

  limit=$(column "$work/all" 3)
  rates=(100 200 400 800 1600 "$(awk -v limit="$limit" 'BEGIN { printf "%d", limit * 0.9 }')")
  printf '\nLateness is in us, p50 / p99. "Loaded": a bare loop that sleeps while execrate launches at the same rate. '
  printf 'The last rate is 90 %% of the limit above.\n\n'
  printf '| rate | launched of asked | saturated | bare sleep, idle | bare sleep, loaded | execrate '
  printf '| p99 / idle p99 | p99 / loaded p99 | own CPU, us per launch |\n'
  printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
  for rate in "${rates[@]}"; do
    measure_rate "$rate"
    print_rate "$rate"
  done
  printf '\nTaken by the hypervisor meanwhile: %s ticks of 10 ms.\n' $(($(steal_ticks) - steal_before))
}

main "$@"
