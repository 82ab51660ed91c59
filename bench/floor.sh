#!/usr/bin/env bash
# What the reference monitors cost for each exec, and whether they lose any: at a steady rate, and as fast as it goes.
# Prints Markdown. Timing never makes it fail. It needs root; audit rules, flags and kernel.bpf_stats_enabled are put back.
#
#   ROUNDS=3 SECONDS_EACH=10 RATE_HZ=400 DELAYS_MS="10 100 1000" bench/floor.sh

set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

readonly ROUNDS=${ROUNDS:-3}
readonly SECONDS_EACH=${SECONDS_EACH:-10}
# What is to be ready, or to end, has that long for it.
readonly END_SECONDS=60
readonly RATE_HZ=${RATE_HZ:-400}
readonly DELAYS_MS=${DELAYS_MS:-"10 100 1000"}

host_require_root bench/floor.sh "it changes audit rules and puts them back"
exempt_join bash "$EXECTAX_ROOT/bench/floor.sh"

work=$(mktemp -d)
readonly work
monitor=

put_back() {
  trap '' INT TERM HUP PIPE
  set +e
  [[ -z $monitor ]] || kill "$monitor" 2>/dev/null
  HOST_RESTORE=forced
  host_undo
  host_unlock
  rm -rf "$work"
}
host_lock bench/floor.sh
trap 'leave 130' INT
trap 'leave 143' TERM
trap put_back EXIT
host_has_changes && die "an earlier run was killed: 'exectax restore' puts the host back"

audit_begin() {
  audit_isolate
  audit_forget_ours
  sed 's/@BACKLOG@/8192/; s/@RULES_[A-Z]*@//' configs/audit/exec.rules >"$work/exec.rules"
  auditctl -R "$work/exec.rules" >/dev/null
}

# on_cpu_ns PID: of a process with one thread.
on_cpu_ns() {
  cut -d' ' -f1 "/proc/$1/schedstat"
}

value() {
  awk -v name="$1" '$1 == name { print $2 }' "$work/stdout"
}

# Its own counters and the kernel's that are not 0. The kernel counts records, not execs.
counted_as_lost() {
  awk '/^(ring_buffer_full|missed_runs|overruns|incomplete_events|serial_gaps|kernel_lost) / && $2 > 0' "$work/stdout" | paste -sd,
}

# round PROGRAM DELAY_MS LOAD...: a Markdown row.
round() {
  local program=$1 delay_ms=$2 kauditd before helper_before=0 after helper_after=0
  shift 2
  kauditd=$(pgrep --parent 2 --exact kauditd || true)
  # The ready of the round before is not this one's.
  rm -f "$work/log" "$work/stdout"
  "build/$program" --output "$work/log" --delay-ms "$delay_ms" >"$work/stdout" &
  monitor=$!
  wait_until "$END_SECONDS" grep -qsx ready "$work/stdout"
  before=$(on_cpu_ns "$monitor")
  [[ -z $kauditd ]] || helper_before=$(on_cpu_ns "$kauditd")
  build/execrate "$@" --duration "$SECONDS_EACH" --tag bench --json "$work/load"
  # Until the last batch is in.
  pause "$(awk -v ms="$delay_ms" 'BEGIN { print 0.2 + ms / 1000 }')"
  after=$(on_cpu_ns "$monitor")
  [[ -z $kauditd ]] || helper_after=$(on_cpu_ns "$kauditd")
  kill "$monitor"
  wait_for_pid "$monitor" "$END_SECONDS"
  monitor=
  jq -r --arg program "$program" --arg delay_ms "$delay_ms" \
    --argjson ns $((after - before)) --argjson helper_ns $((helper_after - helper_before)) \
    --argjson recorded "$(grep -aoE 'bench-[0-9]+' "$work/log" | sort -u | wc -l)" --argjson bytes "$(stat -c %s "$work/log")" \
    --argjson events "$(value "$([[ $program == floor-bpf ]] && echo recorded || echo events)")" \
    --arg counted "$(counted_as_lost)" --arg bpf_runs "$(value bpf_runs)" --arg bpf_ns "$(value bpf_run_time_ns)" '
    def rounded: . * 100 | round / 100;
    "| \($program) | \($delay_ms) | \(.rate_hz // "max") | \(.achieved_hz | round) | \($ns / $events / 1000 | rounded) | "
    + if $bpf_runs == "" then "\($helper_ns / $events / 1000 | rounded) (kauditd)" else "\(($bpf_ns | tonumber) / ($bpf_runs | tonumber) / 1000 | rounded) (BPF)" end
    + " | \($bytes / $events | round) | \(.launched - $recorded) of \(.launched) | \($counted) | \(.child_cpu_us.mean | round) |"' "$work/load"
}

rounds() {
  local delay_ms
  for ((i = 0; i < ROUNDS; i++)); do
    for delay_ms in $DELAYS_MS; do
      round "$1" "$delay_ms" --rate "$RATE_HZ"
    done
    round "$1" 100 --max
  done
}

printf 'Linux %s, %s CPUs, %s; %s s each; load average %s\n\n' "$(uname -r)" "$(nproc)" "$(date -u +%F)" "$SECONDS_EACH" \
  "$(cut -d' ' -f1 /proc/loadavg)"
echo '| program | delay ms | asked/s | reached/s | reader µs/exec | in the kernel µs/exec | log bytes/exec | lost | counted as lost | child CPU µs |'
echo '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: |'
host_set_sysctl kernel.bpf_stats_enabled 1
[[ ! -x build/floor-bpf ]] || rounds floor-bpf
audit_begin
rounds floor-audit
