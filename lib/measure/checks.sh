# shellcheck shell=bash
# What decides what can be measured on this host, and how well: each is looked at without changing it, and is good, degraded (figures
# are less exact, or fewer), missing (some figures, or all, can't be had), or unseen, since the host of this guest decides it.
#
# A check prints lines of six fields with tabs between them: name, grade, whether no run can begin (yes, no), what was found, what that costs
# in figures, and the command that mends it.

CHECKS_SYS=/sys
CHECKS_PROC=/proc
CHECKS=(privileges tools programs another_run earlier_run disk agents audit audit_owner audit_rules bpf btf kprobes tracefs tracepoints memlock modules
  bpf_statistics perf counters cgroup limits idle_time clock cpus load steal governor turbo smt idle_states monitors)
# More than that of the CPUs, in %, in the last minute, is somebody else's work.
CHECKS_LOAD_PERCENT=20
# An idle state that takes longer to leave, in µs, is in what an execution costs at low rates.
CHECKS_IDLE_US=50

# checks_all OUT LAUNCHES AT_ONCE: every check; a run into OUT makes that many executions in all, and at once.
checks_all() {
  local name lines
  for name in "${CHECKS[@]}"; do
    # In a process of its own, so that nothing in it can end the others.
    lines=$("checks_$name" "$@" 2>/dev/null) || lines=$(checks_degraded "${name//_/-}" "it could not be looked at" "" "")
    [[ -z $lines ]] || printf '%s\n' "$lines"
  done
}

# checks_line NAME GRADE BLOCKS FOUND COSTS MEND
checks_line() {
  local field separator=
  for field in "$@"; do
    printf '%s%s' "$separator" "${field//[$'\t\n']/ }"
    separator=$'\t'
  done
  printf '\n'
}

# checks_good NAME FOUND
checks_good() {
  checks_line "$1" good no "$2" "" ""
}

# checks_degraded NAME FOUND COSTS MEND
checks_degraded() {
  checks_line "$1" degraded no "$2" "$3" "$4"
}

# checks_missing NAME FOUND COSTS MEND
checks_missing() {
  checks_line "$1" missing no "$2" "$3" "$4"
}

# checks_blocks NAME FOUND MEND: no run can begin.
checks_blocks() {
  checks_line "$1" missing yes "$2" "no run can begin" "$3"
}

# checks_unseen NAME FOUND COSTS
checks_unseen() {
  checks_line "$1" unseen no "$2" "$3" ""
}

# checks_sys FILE: the first line of a file of the kernel's, without an end of line; nothing if it can't be read.
checks_sys() {
  local line=
  { IFS= read -r line <"$1"; } 2>/dev/null || true
  printf '%s' "$line"
}

checks_is_guest() {
  grep -qw hypervisor "$CHECKS_PROC/cpuinfo"
}

checks_privileges() {
  local problem
  problem=$(refuse_container)
  if [[ -n $problem ]]; then
    checks_blocks privileges "$problem" "run it as root of the host, or with docker run --privileged --pid=host"
  else
    checks_good privileges "root of the host, with CAP_SYS_ADMIN"
  fi
}

checks_tools() {
  local missing
  missing=$(run_missing_tools)
  if [[ -n $missing ]]; then
    checks_blocks tools "not installed: $missing" "$(tree_install_deps)"
  else
    checks_good tools "all programs that a run calls are installed"
  fi
}

checks_programs() {
  local missing program
  local -a optional=()
  missing=$(run_missing_programs)
  for program in floor-bpf hostrates; do
    [[ -x $BUILD/$program ]] || optional+=("$program")
  done
  if [[ -n $missing ]]; then
    checks_blocks programs "not built: $missing" "make"
  elif ((${#optional[@]})); then
    checks_degraded programs "not built: ${optional[*]}" "no reference monitor on eBPF, no counting of the host's own rates" \
      "apt-get install clang libbpf-dev (1.0 or later), then make"
  else
    checks_good programs "all are built"
  fi
}

# Taking the lock to find out would keep a run from beginning that wants it just then.
checks_another_run() {
  local inode
  inode=$(stat -c %i "$HOST_LOCK" 2>/dev/null || true)
  if [[ -n $inode ]] && grep -q " FLOCK .*:$inode " "$CHECKS_PROC/locks"; then
    checks_blocks another-run "under way: $(checks_sys "$HOST_LOCK")" "wait until it has ended"
  else
    checks_good another-run "none is under way"
  fi
}

checks_earlier_run() {
  local elsewhere
  elsewhere=$(host_changed_elsewhere)
  if [[ -n $elsewhere ]]; then
    checks_blocks earlier-run "an earlier run, with the state folder $elsewhere, was killed, and the host is not as it was before" \
      "EXECTAX_STATE_DIR=$elsewhere exectax restore"
  elif host_has_changes; then
    checks_degraded earlier-run "an earlier run was killed, and the host is not as it was before" "the next run puts it back before it begins" \
      "exectax restore"
  else
    checks_good earlier-run "nothing is left to put back"
  fi
}

checks_disk() {
  local problem
  problem=$(refuse_out "$1")
  if [[ -n $problem ]]; then
    checks_blocks disk "$problem" "exectax sweep --out /a/folder/of/root"
    return
  fi
  problem=$(refuse_disk "$@" no)
  if [[ -n $problem ]]; then
    checks_degraded disk "too little room for a sweep with its defaults: $problem" "fewer rates, shorter windows, fewer repetitions" \
      "exectax sweep --out /another/disk, and EXECTAX_STATE_DIR=/another/disk/state"
  else
    checks_good disk "there is room for the $2 executions that a sweep with its defaults makes at most"
  fi
}

checks_agents() {
  local problem
  problem=$(refuse_agents)
  if [[ -n $problem ]]; then
    checks_degraded agents "${problem%%. Expected*}" "they are in the baseline and in every figure; a run begins with --yes alone" \
      "stop them, or measure them: exectax sweep --attach unit:NAME --yes"
  else
    checks_good agents "no other agent watches this host"
  fi
}

checks_audit() {
  local problem
  problem=$(audit_obstacles)
  case $problem in
    '') checks_good audit "it answers: $(auditctl -s | awk '$1 ~ /^(enabled|failure|backlog_limit|lost)$/ { printf "%s%s %s", separator, $1, $2; separator = ", " }')" ;;
    *"not installed"*) checks_missing audit "$problem" "none of the monitors on audit" "apt-get install auditd" ;;
    *locked*) checks_missing audit "$problem" "none of the monitors on audit" "reboot, with no '-e 2' in /etc/audit/rules.d" ;;
    *) checks_missing audit "$problem" "none of the monitors on audit" "run it on the host itself, with a kernel with CONFIG_AUDIT" ;;
  esac
}

checks_audit_owner() {
  local owner service
  audit_is_usable || return 0
  owner=$(audit_owner)
  if ((owner == 0)); then
    checks_good audit-owner "nobody holds the audit socket"
  elif service=$(audit_owner_service "$owner"); then
    checks_good audit-owner "${service#*:} holds the audit socket; a run stops it and starts it again"
  else
    checks_blocks audit-owner "$(audit_owner_problem "$owner")" "kill $owner"
  fi
}

checks_audit_rules() {
  local problem
  audit_is_usable || return 0
  problem=$(refuse_rules)
  if [[ -n $problem ]]; then
    checks_degraded audit-rules "${problem%%: expected*}" "none, since the run puts them back; it begins with --yes alone" "exectax sweep --yes"
  else
    checks_good audit-rules "no rules of an administrator's"
  fi
}

checks_bpf() {
  local said
  if said=$("$BUILD/cpumeter" --once --bpf --output /dev/null 2>&1); then
    checks_good bpf "the run time of eBPF programs can be read"
  else
    checks_missing bpf "${said##*$'\n'}" "no monitor on eBPF, no bpf_us" "a kernel with CONFIG_BPF_SYSCALL, and root with CAP_BPF"
  fi
}

# checks_needs NAME NEED GOOD COSTS MEND: NEED is what monitors ask for, with its arguments (lib/monitor/requires.sh).
checks_needs() {
  local need problem
  read -ra need <<<"$2"
  problem=$(monitor_lacks "${need[@]}")
  if [[ -n $problem ]]; then
    checks_missing "$1" "$problem" "$4" "$5"
  else
    checks_good "$1" "$3"
  fi
}

checks_btf() {
  checks_needs btf btf "the kernel has its type information" "no monitor on eBPF" "a kernel with CONFIG_DEBUG_INFO_BTF (those of Debian and Ubuntu have it)"
}

checks_kprobes() {
  checks_needs kprobes kprobes "the kernel has them" "not Tetragon and Kunai as released" "a kernel with CONFIG_KPROBE_EVENTS (those of Debian and Ubuntu have it)"
}

checks_tracefs() {
  checks_needs tracefs "mounts tracefs" "it can be mounted" "not Tetragon, Tracee, Kunai, execsnoop" "a kernel with CONFIG_FTRACE, and root with CAP_SYS_ADMIN"
}

checks_tracepoints() {
  checks_needs tracepoints syscall_tracepoints "the kernel has those of single system calls" "not execsnoop" "a kernel with CONFIG_FTRACE_SYSCALLS"
}

checks_memlock() {
  checks_needs memlock memlock "the limit on locked memory can be lifted" "not Falco, Tracee and Kunai as released" \
    "root with CAP_SYS_RESOURCE (docker run --cap-add SYS_RESOURCE)"
}

checks_modules() {
  checks_needs modules modules "they can be loaded" "not Falco's and sysdig's kernel module, nor Tracee as released" "a kernel with CONFIG_MODULES, and kernel.modules_disabled 0 from boot on"
}

checks_bpf_statistics() {
  [[ $(checks_sys "$CHECKS_PROC/sys/kernel/bpf_stats_enabled") == 1 ]] || return 0
  checks_degraded bpf-statistics "the run time of all eBPF programs is counted all the time" \
    "each run of a program takes 70 to 100 ns longer in all windows" "sysctl kernel.bpf_stats_enabled=0"
}

checks_perf() {
  local problem
  problem=$(profile_problem)
  if [[ -n $problem ]]; then
    checks_missing perf "$problem" "who pays for eBPF programs (program_us of those monitors), flame graphs, and the second opinion on bpf_us" \
      "apt-get install linux-perf (Ubuntu: linux-tools-generic); sysctl kernel.perf_event_paranoid=1"
  else
    checks_good perf "it can sample this machine"
  fi
}

checks_counters() {
  local problem
  problem=$(instructions_problem)
  if [[ -z $problem ]]; then
    checks_good hardware-counters "instructions can be counted, of the load and of the monitor"
  else
    checks_good hardware-counters "$problem; no figure but instructions per execution needs them"
  fi
}

checks_cgroup() {
  local problem
  if problem=$( (cgroup_find_mounts) 2>&1); then
    checks_good cgroup "cgroup $(manifest_cgroup_version)$([[ $(manifest_cgroup_version) != v2 ]] || echo ": CPU time to 1 µs, other_us and no_task_us stay empty")"
  else
    checks_blocks cgroup "${problem#exectax: }" "mount -t cgroup2 none /sys/fs/cgroup"
  fi
}

checks_limits() {
  local what
  local -a missing=()
  for what in cpu memory; do
    checks_controls "$what" || missing+=("$what")
  done
  ((${#missing[@]})) || {
    checks_good limits "CPU time and memory of a monitor can be limited"
    return
  }
  checks_missing limits "no controller of ${missing[*]}" "exectax saturate can't limit a monitor there" "boot without cgroup_disable=, with the controllers in the root's cgroup.controllers"
}

# checks_controls CONTROLLER: in cgroup v1 or v2.
checks_controls() {
  awk -v controller="$1" '$3 == "cgroup" && "," $4 "," ~ "," controller "," { found = 1 } END { exit !found }' "$CHECKS_PROC/self/mounts" ||
    grep -qsw "$1" "$CHECKS_SYS/fs/cgroup/cgroup.controllers" "$CHECKS_SYS/fs/cgroup/unified/cgroup.controllers"
}

checks_idle_time() {
  local status
  status=$("$BUILD/cpumeter" --once --host | awk -F, '$2 == "host" && $3 == "idle" { print $NF }')
  if [[ $status == ok:timer_list ]]; then
    checks_good idle-time "to the ns (/proc/timer_list)"
  else
    checks_degraded idle-time "to 10 ms (/proc/stat), since /proc/timer_list can't be read" "whole, rest and host_busy are less exact in short windows" \
      "longer windows: exectax sweep --duration 20"
  fi
}

# Every reading of the clock by execrate and by the kernel's own accounting is a call of it.
checks_clock() {
  local source
  source=$(checks_sys "$CHECKS_SYS/devices/system/clocksource/clocksource0/current_clocksource")
  case $source in
    tsc | kvm-clock | hyperv_clocksource* | xen | arch_sys_counter | timebase | riscv_clocksource) checks_good clock "$source, which is read without a system call" ;;
    '') checks_unseen clock "the kernel does not tell its clock" "" ;;
    *)
      checks_degraded clock "$source, which takes about a µs to read, or more" "lateness, slowdown and eBPF run times are too long by that" \
        "echo tsc >/sys/devices/system/clocksource/clocksource0/current_clocksource"
      ;;
  esac
}

checks_cpus() {
  local -i cpus
  cpus=$(nproc)
  if ((cpus == 1)); then
    checks_degraded cpus "1 CPU" "the load and the monitor take turns: what is in the program and slowdown have more of the monitor in them, and the host is saturated sooner" \
      "a machine with 2 CPUs or more"
  else
    checks_good cpus "$cpus CPUs"
  fi
}

# What ran in the last minute, and how long something waited for a CPU.
checks_load() {
  local average waited found
  local -i cpus
  read -r average _ <"$CHECKS_PROC/loadavg"
  cpus=$(nproc)
  waited=$(sed -nE 's/^some .*avg60=([0-9.]+).*/\1/p' "$CHECKS_PROC/pressure/cpu" 2>/dev/null || true)
  found="in the last minute, $average processes ran or waited on average, on $cpus CPUs${waited:+; something waited for a CPU in $waited % of it}"
  if awk -v average="$average" -v cpus="$cpus" -v percent="$CHECKS_LOAD_PERCENT" 'BEGIN { exit !(average * 100 > cpus * percent) }'; then
    checks_degraded load "$found" "whole, rest, slowdown and the baseline have it in them; intervals get wider" "stop what else runs here, and wait a minute"
  else
    checks_good load "$found"
  fi
}

# Since the machine was started: the kernel keeps no history. What is stolen now is in the self-test.
checks_steal() {
  local percent
  percent=$(checks_stolen_percent 0 0 <"$CHECKS_PROC/stat")
  if awk -v percent="$percent" -v most="$CELL_STEAL_PERCENT" 'BEGIN { exit !(percent > most) }'; then
    checks_degraded steal "since it was started, the hypervisor took $percent % of a CPU" \
      "cells in which it takes more than $CELL_STEAL_PERCENT % are marked, and left out where there are enough others" \
      "a machine with CPUs of its own, or exectax sweep --budget 3h"
  else
    checks_good steal "since the machine was started, a hypervisor took $percent % of a CPU"
  fi
}

# checks_stolen_percent STEAL TICKS...: of a CPU, since checks_ticks said these; /proc/stat is on stdin.
checks_stolen_percent() {
  checks_ticks | awk -v steal="$1" -v ticks="$2" '{ passed = $2 - ticks; printf "%.1f\n", (passed > 0 ? ($1 - steal) * 100 * $3 / passed : 0) }'
}

# Of /proc/stat on stdin: ticks that were stolen, ticks of all kinds, and of how many CPUs.
checks_ticks() {
  awk '$1 == "cpu" { for (i = 2; i <= 9; i++) ticks += $i; steal = $9 } $1 ~ /^cpu[0-9]+$/ { cpus++ } END { print steal, ticks, cpus }'
}

checks_governor() {
  local governors
  governors=$(cat "$CHECKS_SYS"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor 2>/dev/null | sort -u | paste -sd ' ' || true)
  case $governors in
    '') checks_invisible governor "the governor of the CPUs' frequency" ;;
    performance) checks_good governor "performance, on all CPUs" ;;
    *)
      checks_degraded governor "$governors" "CPU time depends on how busy the machine is: an execution costs more at low rates, with and without a monitor" \
        "echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
      ;;
  esac
}

# checks_invisible NAME WHAT
checks_invisible() {
  if checks_is_guest; then
    checks_unseen "$1" "this is a guest, which is not shown $2" "microseconds may move with what the guests beside it do"
  else
    checks_unseen "$1" "the kernel does not show $2" "microseconds may move with how busy the machine is"
  fi
}

checks_turbo() {
  local off on
  off=$(checks_sys "$CHECKS_SYS/devices/system/cpu/intel_pstate/no_turbo")
  on=$(checks_sys "$CHECKS_SYS/devices/system/cpu/cpufreq/boost")
  if [[ $off == 1 || $on == 0 ]]; then
    checks_good turbo "off"
  elif [[ $off == 0 ]]; then
    checks_turbo_is_on "echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo"
  elif [[ $on == 1 ]]; then
    checks_turbo_is_on "echo 0 >/sys/devices/system/cpu/cpufreq/boost"
  else
    checks_invisible turbo "whether CPUs go beyond their base frequency"
  fi
}

# checks_turbo_is_on MEND
checks_turbo_is_on() {
  checks_degraded turbo "on" "the clock depends on heat and on how many CPUs are busy: cells far from each other differ by that" "$1"
}

checks_smt() {
  case $(checks_sys "$CHECKS_SYS/devices/system/cpu/smt/active") in
    0) checks_good smt "no two CPUs share a core, as far as can be seen" ;;
    1)
      checks_degraded smt "CPUs share cores" "what runs on a CPU takes longer while its sibling is busy: daemon and what is in the program depend on each other and on the rate" \
        "echo off >/sys/devices/system/cpu/smt/control"
      ;;
    *) checks_invisible smt "whether CPUs share cores" ;;
  esac
}

# States that are switched off do not count.
checks_idle_states() {
  local folder latency
  local -i most=-1
  for folder in "$CHECKS_SYS"/devices/system/cpu/cpu0/cpuidle/state*/; do
    [[ -r $folder/latency && $(checks_sys "$folder/disable") != 1 ]] || continue
    latency=$(checks_sys "$folder/latency")
    ((latency <= most)) || most=latency
  done
  if ((most < 0)); then
    checks_invisible idle-states "how deep its CPUs sleep"
  elif ((most > CHECKS_IDLE_US)); then
    checks_degraded idle-states "the deepest takes $most µs to leave" "lateness and slowdown at low rates have that in them, and caches are colder after it" \
      "cpupower idle-set --disable-by-latency $CHECKS_IDLE_US"
  else
    checks_good idle-states "the deepest takes $most µs to leave"
  fi
}

checks_monitors() {
  local monitor
  local -i all=0 runnable=0
  for monitor in $(monitor_names); do
    [[ $monitor != none ]] || continue
    all+=1
    [[ -n $(monitor_obstacles "$monitor") ]] || runnable+=1
  done
  if ((runnable == 0)); then
    checks_missing monitors "none of $all can run here as it is" "there is nothing but the baseline" "exectax sweep --install; exectax list says what each one needs"
  elif ((runnable < all)); then
    checks_degraded monitors "$runnable of $all can run here as it is" "the others have no figures" "exectax sweep --install; exectax list says what each one needs"
  else
    checks_good monitors "all $all can run here"
  fi
}
