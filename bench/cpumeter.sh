#!/usr/bin/env bash
# cpumeter and pidstat against burners that account for themselves, and against BPF programs of known run count.
# Prints Markdown. Errors never make it fail. As root.
#
#   SECONDS_EACH=8 bench/cpumeter.sh

set -euo pipefail

cd "$(dirname "$0")/.."
EXECTAX_ROOT=$PWD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

readonly SECONDS_EACH=${SECONDS_EACH:-8}
# What is to end has that long for it.
readonly END_SECONDS=60
readonly CPUMETER=${CPUMETER:-build/cpumeter}
readonly BURNER=${BURNER:-build/burner}
readonly BPFLOAD=${BPFLOAD:-build/bpfload}

work=$(mktemp -d)
readonly work
hierarchy=$(awk '$3 == "cgroup" && "," $4 "," ~ /,cpuacct,/ { print $2; exit }' /proc/self/mounts)
if [[ -z $hierarchy ]]; then
  hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
fi
readonly hierarchy
readonly group=$hierarchy/cpumeter-bench

meter_pid=''
clean_up() {
  [[ -z $meter_pid ]] || kill "$meter_pid"
  rm -rf "$work"
  [[ ! -d $group ]] || rmdir "$group"
  host_unlock
}
host_require_root bench/cpumeter.sh "it makes a cgroup and loads BPF programs"
host_lock bench/cpumeter.sh
trap clean_up EXIT

steal_ticks() {
  awk '$1 == "cpu" { print $9 }' /proc/stat
}

# start_tool COMMAND...: in the cgroup, with its stdin at $tool_in and its stdout at $tool_out; sets tool_pid.
start_tool() {
  rm -f "$work/in" "$work/out"
  mkfifo "$work/in" "$work/out"
  (
    echo "$BASHPID" >"$group/cgroup.procs"
    exec "$@" <"$work/in" >"$work/out"
  ) &
  tool_pid=$!
  exec {tool_in}>"$work/in" {tool_out}<"$work/out"
}

end_tool() {
  echo >&"$tool_in"
  wait_for_pid "$tool_pid" $((SECONDS_EACH + END_SECONDS))
  exec {tool_in}>&- {tool_out}<&-
}

# start_meter OPTIONS...: returns after its first reading; sets meter_pid.
start_meter() {
  local line
  rm -f "$work/meter-out"
  mkfifo "$work/meter-out"
  "$CPUMETER" "$@" >"$work/meter-out" &
  meter_pid=$!
  exec {meter_out}<"$work/meter-out"
  : >"$work/readings"
  until [[ ${line:-} == *,self,* ]]; do
    read -r -u "$meter_out" line
    echo "$line" >>"$work/readings"
  done
}

end_meter() {
  kill "$meter_pid"
  cat <&"$meter_out" >>"$work/readings"
  exec {meter_out}<&-
  wait_for_pid "$meter_pid" "$END_SECONDS"
  meter_pid=''
}

# difference SOURCE NAME COLUMN: between the first and last reading.
difference() {
  awk -F, -v source="$1" -v name="$2" -v column="$3" '
    $2 == source && $3 ~ name { if (first == "") first = $column; last = $column }
    END { printf "%d\n", last - first }' "$work/readings"
}

error_percent() {
  awk -v value="$1" -v truth="$2" 'BEGIN { printf "%+.2f %%", 100 * (value / truth - 1) }'
}

measure_burner() {
  local kind=$1 percent=$2 tool_pid tool_in tool_out meter_out pidstat_pid
  local own_ns wall_ns unreported_ns periods cgroup_ns own_percent pidstat_percent
  start_tool "$BURNER" "$kind" "$percent" "$SECONDS_EACH"
  read -r -u "$tool_out" _
  start_meter --cgroup "burner=$group" --pid "burner=$tool_pid"
  echo >&"$tool_in"
  LC_ALL=C pidstat -u -p "$tool_pid" 1 $((SECONDS_EACH - 1)) >"$work/pidstat" &
  pidstat_pid=$!
  read -r -u "$tool_out" own_ns wall_ns unreported_ns periods
  end_meter
  wait_for_pid "$pidstat_pid" $((SECONDS_EACH + END_SECONDS))
  end_tool

  own_percent=$(awk -v own="$own_ns" -v wall="$wall_ns" 'BEGIN { printf "%.3f", 100 * own / wall }')
  pidstat_percent=$(awk '$1 == "Average:" && $2 != "UID" { print $8 }' "$work/pidstat")
  cgroup_ns=$(difference cgroup burner 4)
  printf '| %s, %s %% | %.3f (%s %%) | %.1f | %.3f | **%s** | %.1f | %.3f | %s | %s %% | %s |\n' "$kind" "$percent" \
    "${own_ns}e-6" "$own_percent" "${unreported_ns}e-6" \
    "${cgroup_ns}e-6" "$(error_percent "$cgroup_ns" "$own_ns")" "$(((cgroup_ns - own_ns) / periods))e-3" \
    "$(difference pid burner 4)e-6" "$(error_percent "$(difference pid burner 4)" "$own_ns")" \
    "$pidstat_percent" "$(error_percent "$pidstat_percent" "$own_percent")"
}

measure_bpf() {
  local how=$1 runs=$2 steps=$3 tool_pid tool_in tool_out meter_out id wall_ns cpu_ns
  start_tool "$BPFLOAD" "$how" "$runs" "$steps"
  read -r -u "$tool_out" id
  start_meter --bpf-owner "pid=$tool_pid"
  echo >&"$tool_in"
  read -r -u "$tool_out" wall_ns cpu_ns
  end_meter
  end_tool
  printf '| %s, %s steps | %s | %s | %.1f | %.1f | %.1f |\n' "$how" "$steps" "$runs" \
    "$(difference bpf "^$id:" 5)" "$(difference bpf "^$id:" 4)e-6" "${cpu_ns}e-6" "${wall_ns}e-6"
}

# own_cost WHAT OPTIONS...
own_cost() {
  local what=$1
  shift
  "$CPUMETER" --interval 1 --duration "$SECONDS_EACH" --verbose "$@" >"$work/readings" 2>"$work/verbose"
  awk -v what="$what" -v self="$(difference self cpumeter 4)" -v elapsed="$(difference clock monotonic 4)" '
    { for (i = 2; i <= NF; i++) if ($i ~ /^ms/) { total += $(i - 1); if ($(i - 1) > max) max = $(i - 1) } }
    END { printf "| %s | %.4f %% | %.0f | %.3f / %.3f |\n", what, 100 * self / elapsed, self / (NR - 1) / 1e3, total / NR, max }
  ' "$work/verbose"
}

main() {
  local kind percent steal_before
  local -a typical
  steal_before=$(steal_ticks)
  mkdir "$group"
  printf '%s CPUs, Linux %s, cgroups in %s; %s s each; load before: %s\n' \
    "$(nproc)" "$(uname -r)" "$hierarchy" "$SECONDS_EACH" "$(cut -d' ' -f1-3 /proc/loadavg)"

  printf '\nCPU time in ms, and errors against the own accounting. "After its report": the part of it that children '
  printf 'used after they had read their own clock. '
  printf '"A period": cgroup - own accounting, in us for each period of 10 ms, that is for each child or thread; a '
  printf "process' clock, and so the own accounting, lacks the end of each thread that ended.\\n\\n"
  printf '| burner | own accounting | after its report | cpumeter --cgroup | error | a period | cpumeter --pid | error | pidstat | error |\n'
  printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
  for kind in process children threads kernel; do
    for percent in 1 10 50; do
      measure_burner "$kind" "$percent"
    done
  done

  printf '\n| BPF program | runs | runs counted | run time, ms | CPU of its process, ms | wall time, ms |\n'
  printf '| --- | --- | --- | --- | --- | --- |\n'
  measure_bpf test 1000000 1000
  measure_bpf packets 200000 1000

  typical=(--cgroup "a=$group" --cgroup "b=$hierarchy" --cgroup "c=$group" --pid "a=$$" --pid "b=$PPID"
    --kthread ksoftirqd/0 --host)
  printf '\n| own cost at --interval 1 | of a CPU | us per reading | first to last source, ms, mean / max |\n'
  printf '| --- | --- | --- | --- |\n'
  own_cost '3 cgroups, 2 processes, 1 kernel thread, host' "${typical[@]}"
  own_cost 'the same, and all BPF programs' "${typical[@]}" --bpf
  printf '\nTaken by the hypervisor meanwhile: %s ticks of 10 ms.\n' $(($(steal_ticks) - steal_before))
}

main "$@"
