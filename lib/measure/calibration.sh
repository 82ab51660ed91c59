# shellcheck shell=bash
# What the kernel's count of a BPF program's run time leaves out, measured by build/bpfcost on the host of the run, in the state in which
# monitors are measured, before the first of them: for those that can't be compared side by side, of which it counts all that is known.
# Writes bpfcost.json into the folder of the run (bpfcost-sessionN.json in session N from the second on); the manifest says why there is none.

# Dispatch is the same on all tracepoints but those of system calls, for which sched_process_wait stands.
CALIBRATION_KINDS=raw_tracepoint:sys_enter,raw_tracepoint:sys_exit,raw_tracepoint:sched_process_wait,tp_btf:sys_enter,tp_btf:sys_exit,tp_btf:sched_process_wait,tracepoint:raw_syscalls,tracepoint:sched,wake

# Why there is none, on one line; nothing if there is.
CALIBRATION_PROBLEM=
# Whether it has been tried in this session.
CALIBRATION_TRIED=no

# calibration_seconds ROWS: how long it takes if these of the plan are to be measured; 0: none of their monitors may need it, or they are all at rest.
calibration_seconds() {
  local monitor
  local -i seconds=0
  if monitor_is_ours && [[ ${OPTIONS[calibrate]} != 0 && ${OPTIONS[instrumented]} != 0 ]]; then
    while read -r monitor; do
      if [[ -n $monitor && $monitor != none ]] && calibration_is_for "$monitor"; then
        seconds=${OPTIONS[calibrate]}
        break
      fi
    done <<<"$(awk -F, '$4 > 0 { print $3 }' <<<"$1" | sort -u)"
  fi
  echo "$seconds"
}

# calibration_is_for MONITOR: it may have BPF programs, and has no window S.
calibration_is_for() {
  [[ " $(monitor_fact "$1" uses) " != *" audit "* && (${OPTIONS[side]} == 0 || -z $(monitor_fact "$1" side)) ]]
}

# calibration_make ROWS: before these of the plan are measured, once in a session, if one of them needs it. Without it, figures of BPF are lower
# bounds, and the run goes on.
calibration_make() {
  local run=${OPTIONS[out]} file
  local -i seconds session
  seconds=$(calibration_seconds "$1")
  ((seconds)) && [[ $CALIBRATION_TRIED == no ]] || return 0
  CALIBRATION_TRIED=yes
  session=$(manifest_sessions "$run")
  file=bpfcost$( ((session == 1)) || echo "-session$session").json
  CALIBRATION_PROBLEM=$(calibration_obstacle)
  [[ -n $CALIBRATION_PROBLEM ]] || calibration_run "$run/$file" "$seconds"
  manifest_note_calibration "$run" "$CALIBRATION_PROBLEM"
  [[ -z $CALIBRATION_PROBLEM ]] ||
    say "What the kernel does not count of BPF programs is not known, so their figures are lower bounds: $CALIBRATION_PROBLEM"
}

# Why it would be of no use, on one line; nothing if it would. Beside another program in the same place, ours cost something else.
calibration_obstacle() {
  local others
  if [[ $METER_BPF == no || $PROFILE_POSSIBLE == no ]]; then
    echo "no BPF program's time can be told here, or whose it is"
  elif [[ ! -x $BUILD/bpfcost ]]; then
    echo "$BUILD/bpfcost is not built (make, with clang and libbpf 1.0 or later)"
  elif ! others=$("$BUILD/cpumeter" --once --bpf-attached |
    awk -F, '$2 == "attached" && $3 ~ /:(sys_enter|sys_exit|sched_process_wait$)/ { print $3 }' | paste -sd ' '); then
    echo "where BPF programs are attached can't be read"
  elif [[ -n $others ]]; then
    echo "BPF programs of others are in the way: $others"
  fi
}

# calibration_run FILE SECONDS: FILE, or a problem.
calibration_run() {
  local status=0 pid
  say "Measuring what the kernel does not count of BPF programs: $(progress_duration "$2")."
  host_spawn load "$BUILD/bpfcost" --duration "$2" --kinds "$CALIBRATION_KINDS" --summary "$1.new" 2>"$1.stderr"
  pid=$!
  wait_for_pid "$pid" $(($2 + CELL_END_SECONDS)) || status=$?
  if ((status == 0)); then
    mv "$1.new" "$1"
  else
    CALIBRATION_PROBLEM="bpfcost ended with status $status: $(tail -n 1 "$1.stderr" | sed 's/^bpfcost: //')"
    child_signal KILL "$pid"
  fi
  rm -f "$1.new" "$1.stderr"
}
