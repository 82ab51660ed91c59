# shellcheck shell=bash
# What cpumeter is to read in a cell: the groups of the run, every helper that any of its monitors has (whether it works
# for this one is known from before.json; the baseline needs them all), the monitor's processes, the machine.

METER_HELPERS=()
METER_HELPER_NAMES=
METER_SOURCES=()
# The monitor: whose CPU time it is, and whose eBPF programs.
METER_SUBJECT=()
METER_BPF_OWNER=()
# no: eBPF can't be read here.
METER_BPF=yes

# meter_without_bpf: from here on.
meter_without_bpf() {
  METER_BPF=no
}

# meter_set_subject NEWEST_PROGRAM KIND FOLDER_OR_PID [PIDS_FOLDER]: the monitor, as monitor_subject tells, whose are those eBPF
# programs that its processes hold, and, unless NEWEST_PROGRAM is empty, all that are newer than that one.
meter_set_subject() {
  local newest=$1 kind=$2
  METER_SUBJECT=("--$kind" "monitor=$3")
  METER_BPF_OWNER=(--bpf-owner "$kind=${4:-$3}")
  [[ -z $newest ]] || METER_BPF_OWNER+=(--bpf-since "$newest")
}

# METER_HELPERS gets cpumeter's options for what is on stdin: the helpers of all monitors, each once, `kthread NAME` or `unit NAME` a line.
meter_find_helpers() {
  local kind name
  METER_HELPERS=() METER_HELPER_NAMES=$(sort -u)
  while read -r kind name; do
    case $kind in
      kthread) [[ -z $(kthread_pids "$name") ]] || METER_HELPERS+=(--kthread "$name") ;;
      unit) meter_add_unit "$name" ;;
    esac
  done <<<"$METER_HELPER_NAMES"
}

# Since one of them may have been started again, and so have another pid.
meter_find_helpers_again() {
  meter_find_helpers <<<"$METER_HELPER_NAMES"
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

# meter_span FILE: when cpumeter's first and last reading were, as JSON, CLOCK_MONOTONIC, which no step of the time of day moves.
meter_span() {
  awk -F, '$2 == "clock" && $3 == "monotonic" { if (from == "") from = $4; to = $4 }
    END { if (from == "") print "{\"from_ns\": null, \"to_ns\": null}"; else printf "{\"from_ns\": %.0f, \"to_ns\": %.0f}\n", from, to }' "$1"
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
meter_newest_program() {
  if [[ $METER_BPF == no ]]; then
    echo 0
    return
  fi
  "$BUILD/cpumeter" --once --bpf | awk -F, '$2 == "bpf" { split($3, part, ":"); if (part[1] > newest) newest = part[1] } END { print newest + 0 }'
}
