# shellcheck shell=bash
# What cpumeter is to read in a cell: the groups of the run, every helper that any of its monitors has (whether it works
# for this one is known to lib/report/figures/cell.jq; the baseline needs them all), the monitor's processes, the machine.

METER_HELPERS=()
METER_SOURCES=()
# The monitor: whose CPU time it is, and whose eBPF programs.
METER_SUBJECT=()
METER_BPF_OWNER=()

# METER_HELPERS gets cpumeter's options for what is on stdin: the helpers of all monitors, each once, `kthread NAME` or `unit NAME` a line.
meter_find_helpers() {
  local kind name
  METER_HELPERS=()
  while read -r kind name; do
    case $kind in
      kthread) [[ -z $(kthread_pids "$name") ]] || METER_HELPERS+=(--kthread "$name") ;;
      unit) meter_add_unit "$name" ;;
    esac
  done
}

# A unit is its cgroup; where it has none that counts CPU time, its processes.
meter_add_unit() {
  local folder pid
  folder=$(unit_cpu_folder "$1")
  if [[ -n $folder ]]; then
    METER_HELPERS+=(--cgroup "$1=$folder")
  else
    for pid in $(unit_pids "$1"); do
      METER_HELPERS+=(--pid "$1/$pid=$pid")
    done
  fi
}

# meter_find_sources PIDS_CSV: METER_SOURCES gets cpumeter's options for the cell; PIDS_CSV is monitor_pids' output.
meter_find_sources() {
  local group pid role
  METER_SOURCES=(--host --memory "${METER_HELPERS[@]}" "${METER_SUBJECT[@]}")
  for group in load sampler; do
    METER_SOURCES+=(--cgroup "$group=$(cgroup_cpu_folder "$group")")
  done
  while IFS=, read -r pid role _; do
    [[ $role != daemon || ! -d /proc/$pid ]] || METER_SOURCES+=(--pid "monitor/$pid=$pid")
  done <"$1"
}

# meter_window FILE SECONDS [OPTION...]: read all sources at both ends of a window that begins now.
meter_window() {
  local file=$1 seconds=$2
  shift 2
  host_spawn sampler "$BUILD/cpumeter" --duration "$seconds" --output "$file" "${METER_SOURCES[@]}" "$@" 2>"$file.stderr"
}

# meter_fault FILE: which of the sources in cpumeter's FILE was not there from the first reading to the last, on one line; nothing
# if all were. Processes of the monitor may come and go, as long as its group is there.
meter_fault() {
  LC_ALL=C awk -F, '
    NR == 1 || $NF ~ /^ok/ { next }
    $2 == "clock" { fault = "the machine was suspended" }
    $2 == "host" && ($3 == "busy" || $3 == "tasks") { fault = "a CPU came or went, or a counter of the host went backwards" }
    $2 == "cgroup" || $2 == "kthread" || ($2 == "pid" && $3 !~ /^monitor\//) {
      fault = $3 ($NF == "gone" ? " ended, or was started again" : "\047s counter of CPU time went backwards")
    }
    fault { exit }
    END { if (fault) print fault }' "$1"
}

# The highest id of a BPF program; ids only grow. What appears later while a monitor starts is the monitor's, also where
# it holds no descriptor of it (pinned programs).
bpf_newest_program() {
  if [[ $CAN_METER_BPF == no ]]; then
    echo 0
    return
  fi
  "$BUILD/cpumeter" --once --bpf | awk -F, '$2 == "bpf" { split($3, part, ":"); if (part[1] > newest) newest = part[1] } END { print newest + 0 }'
}
