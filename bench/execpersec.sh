#!/usr/bin/env bash
# How many executions execPerSec, the load of the comparison of 2021, delivers of those it is asked for, and how many execrate does: in turn,
# without a monitor. Prints Markdown. Timing never makes it fail. As root; takes ROUNDS times (SECONDS_EACH + 1) s for each rate and load.
#
#   EXECPERSEC=/path/to/execPerSec ROUNDS=3 SECONDS_EACH=5 RATES="100 200 400 800 1600" bench/execpersec.sh

set -euo pipefail

cd "$(dirname "$0")/.."
export EXECTAX_ROOT=$PWD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

readonly ROUNDS=${ROUNDS:-3}
export SECONDS_EACH=${SECONDS_EACH:-5}
readonly RATES=${RATES:-100 200 400 800 1600}
readonly EXECPERSEC=${EXECPERSEC:-}
# execrate starts its threads, which have numbers of processes as well, within that time.
export SETTLE_SECONDS=1
# What is to end has that long for it.
readonly END_SECONDS=60

[[ -f $EXECPERSEC && -x $EXECPERSEC ]] ||
  die_usage "EXECPERSEC is '$EXECPERSEC', expected the path of a built execPerSec (perftest in the repository Sysinternals/SysmonForLinux)"
host_require_root bench/execpersec.sh "it counts processes in a namespace of their own"

work=$(mktemp -d)
readonly work
counting=

end() {
  [[ -z $counting ]] || kill -KILL "$counting" 2>/dev/null || true
  rm -rf "$work"
  host_unlock
}
trap end EXIT
# Beside a run, neither's figures would be right.
host_lock bench/execpersec.sh

# last_pid VARIABLE: the number that the kernel gave last to a process of this namespace.
last_pid() {
  local -a fields
  read -ra fields </proc/loadavg
  printf -v "$1" '%d' "${fields[-1]}"
}

# count COMMAND...: how many processes it starts a second. Nothing else starts any in a namespace of its own, nor does the shell here.
count() {
  local first last from to
  "$@" >/dev/null &
  pause "$SETTLE_SECONDS"
  last_pid first
  clock_cs from
  pause "$SECONDS_EACH"
  last_pid last
  clock_cs to
  ((last > first)) || die "the last process had number $first, then $last: $1 started none, or numbers began again (give less than SECONDS_EACH=$SECONDS_EACH)"
  awk -v processes=$((last - first)) -v cs=$((to - from)) 'BEGIN { printf "%.2f\n", processes * 100 / cs }'
}
export -f last_pid count

# measure LOAD RATE COMMAND...: a round, after which it is ended with its namespace.
measure() {
  unshare --pid --fork --kill-child --mount-proc bash -euc "source lib/base.sh; count \"\$@\"" - "${@:3}" >>"$work/$1-$2" &
  counting=$!
  wait_for_pid "$counting" $((SETTLE_SECONDS + SECONDS_EACH + END_SECONDS))
  counting=
}

measure_exec_per_sec() {
  measure exec-per-sec "$1" "$EXECPERSEC" "$1" $((SECONDS_EACH + END_SECONDS))
}

measure_execrate() {
  measure execrate "$1" build/execrate --rate "$1" --duration $((SECONDS_EACH + END_SECONDS)) --json /dev/null
}

# delivered LOAD RATE: of all rounds, and by how much an execution takes longer than it should.
delivered() {
  sort -g "$work/$1-$2" | awk -v asked="$2" '
    { value[NR] = $1 }
    END {
      median = NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2
      printf "%.0f (%.0f to %.0f) | %.2f", median, value[1], value[NR], 1000 / median - 1000 / asked
    }'
}

printf 'Linux %s, %s CPUs, %s; %s rounds of %s s; load average before: %s\n\n' "$(uname -r)" "$(nproc)" "$(date -u +%F)" "$ROUNDS" \
  "$SECONDS_EACH" "$(cut -d' ' -f1-3 /proc/loadavg)"
for ((round = 0; round < ROUNDS; round++)); do
  for rate in $RATES; do
    if ((round % 2)); then
      measure_execrate "$rate"
      measure_exec_per_sec "$rate"
    else
      measure_exec_per_sec "$rate"
      measure_execrate "$rate"
    fi
  done
done
echo 'Executions per second: median (lowest to highest); and the time from one to the next, less what it should be.'
echo
echo '| asked | execPerSec | ms longer | execrate | ms longer |'
echo '| ---: | ---: | ---: | ---: | ---: |'
for rate in $RATES; do
  echo "| $rate | $(delivered exec-per-sec "$rate") | $(delivered execrate "$rate") |"
done
