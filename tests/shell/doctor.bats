#!/usr/bin/env bats
# exectax doctor: each check on a host that is made up, and what becomes of the lines.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state EXECTAX_LOCK=$BATS_TEST_TMPDIR/lock
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host monitor measure report command
  CHECKS_SYS=$BATS_TEST_TMPDIR/sys
  CHECKS_PROC=$BATS_TEST_TMPDIR/proc
  mkdir -p "$CHECKS_SYS/devices/system/cpu/cpu0" "$CHECKS_PROC/self" "$CHECKS_PROC/pressure" "$CHECKS_PROC/sys/kernel"
  echo "flags : fpu hypervisor" >"$CHECKS_PROC/cpuinfo"
}

# file PATH TEXT: below the host that is made up.
file() {
  mkdir -p "$(dirname "$BATS_TEST_TMPDIR/$1")"
  printf '%s\n' "$2" >"$BATS_TEST_TMPDIR/$1"
}

# finds CHECK GRADE PATTERN [ARGUMENT...]: one line of that grade, in which what was found matches.
finds() {
  local line name grade blocks found costs mend
  line=$("checks_$1" "${@:4}")
  echo "$line"
  [[ $(wc -l <<<"$line") == 1 ]] || return 1
  IFS=$'\t' read -r name grade blocks found costs mend <<<"${line//$'\t\t'/$'\t-\t'}"
  [[ $grade == "$2" && $found == $3 ]] || return 1
  # Whatever is not as it should be costs something, and can be mended.
  [[ $grade != degraded && $grade != missing ]] || [[ -n $costs && -n $mend ]]
}

@test "every check that is listed is there, and every one that is there is listed" {
  local name
  diff <(printf 'checks_%s\n' "${CHECKS[@]}" | sort) <(declare -F | awk '{ print $3 }' |
    grep -E '^checks_' | grep -vxE 'checks_(all|line|good|degraded|missing|blocks|unseen|sys|is_guest|needs|controls|ticks|stolen_percent|invisible|turbo_is_on)' | sort)
}

@test "a check that fails is a line, and costs none of the others" {
  CHECKS=(first second third)
  checks_first() { checks_good first fine; }
  checks_second() { die "no such thing"; }
  checks_third() { checks_missing third "not there" "all" $'a\tb\nc'; }
  [ "$(checks_all)" = $'first\tgood\tno\tfine\t\t\nsecond\tdegraded\tno\tit could not be looked at\t\t\nthird\tmissing\tno\tnot there\tall\ta b c' ]
}

@test "privileges, tools, programs: without them no run begins" {
  refuse_container() { :; }
  finds privileges good "root of the host*"
  refuse_container() { echo "a container"; }
  finds privileges missing "a container"
  [[ $(checks_privileges) == *$'\tyes\t'* ]]
  run_missing_tools() { echo "gnuplot mlr"; }
  finds tools missing "not installed: gnuplot mlr"
  [[ $(checks_tools) == *$'\tyes\t'* ]]
  BUILD=$BATS_TEST_TMPDIR/build
  mkdir "$BUILD"
  finds programs missing "not built: execrate syscost cpumeter logfollow figures"
  [[ $(checks_programs) == *$'\tyes\t'* ]]
  touch "$BUILD"/{execrate,syscost,cpumeter,logfollow,figures}
  chmod +x "$BUILD"/*
  finds programs degraded "not built: floor-bpf hostrates"
}

@test "another run is told by its lock, which is not taken" {
  finds another_run good "*"
  echo "pid 7, since then, sweep" >"$EXECTAX_LOCK"
  HOST_LOCK=$EXECTAX_LOCK
  file proc/locks "1: FLOCK  ADVISORY  WRITE 7 fe:00:$(stat -c %i "$EXECTAX_LOCK")1 0 EOF"
  finds another_run good "*"
  file proc/locks "1: FLOCK  ADVISORY  WRITE 7 fe:00:$(stat -c %i "$EXECTAX_LOCK") 0 EOF"
  finds another_run missing "under way: pid 7, since then, sweep"
}

@test "what an earlier run with another state folder has left is told" {
  HOST_LOCK=$EXECTAX_LOCK
  mkdir -p "$BATS_TEST_TMPDIR/other"
  printf 'pid 7, since then, sweep\n%s\n' "$BATS_TEST_TMPDIR/other" >"$EXECTAX_LOCK"
  finds earlier_run good "*"
  echo "lasting undo_note " >"$BATS_TEST_TMPDIR/other/journal"
  finds earlier_run missing "an earlier run, with the state folder $BATS_TEST_TMPDIR/other, was killed*"
  [[ $(checks_earlier_run) == *$'\tyes\t'*"EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/other exectax restore" ]]
}

@test "room on the disks is that for a sweep with its defaults" {
  refuse_out() { :; }
  refuse_disk() { [[ "$*" == "/out 100 10 no" ]] || echo "few MiB"; }
  finds disk good "*the 100 executions that*" /out 100 10
  finds disk degraded "*few MiB" /out 101 10
  refuse_out() { echo "others can change it"; }
  finds disk missing "others can change it" /out 100 10
}

@test "audit: its state, who holds its socket, whose rules there are" {
  audit_obstacles() { :; }
  auditctl() { printf 'enabled 1\nfailure 1\npid 9\nrate_limit 0\nbacklog_limit 64\nlost 3\n'; }
  finds audit good "it answers: enabled 1, failure 1, backlog_limit 64, lost 3"
  audit_owner() { echo 0; }
  finds audit_owner good "nobody*"
  audit_owner() { echo 9; }
  audit_owner_service() { echo unit:auditd.service; }
  finds audit_owner good "auditd.service holds*"
  audit_owner_service() { return 1; }
  finds audit_owner missing "the audit socket belongs to pid 9*"
  [[ $(checks_audit_owner) == *$'\tyes\t'* ]]
  refuse_rules() { :; }
  finds audit_rules good "*"
  refuse_rules() { echo "this host has audit rules (3), which would not be in force until the run ends: expected none, or --yes"; }
  finds audit_rules degraded "this host has audit rules (3), which would not be in force until the run ends"
  audit_obstacles() { echo "the audit configuration is locked until reboot (enabled 2)"; }
  finds audit missing "*locked*"
  [ -z "$(checks_audit_owner)$(checks_audit_rules)" ]
  audit_obstacles() { echo "auditctl is not installed (package auditd, or audit)"; }
  finds audit missing "*not installed*"
}

@test "another agent is in every figure" {
  refuse_agents() { :; }
  finds agents good "*"
  refuse_agents() { echo "already watching this host, and so in every figure: falco (pid 4: BPF programs). Expected none: stop them"; }
  finds agents degraded "already watching this host, and so in every figure: falco (pid 4: BPF programs)"
}

@test "what monitors ask for is asked of the same functions" {
  monitor_lacks() { [[ "$*" != "$LACKS" ]] || echo "not there"; }
  local check
  for check in btf kprobes tracefs:mounts:tracefs tracepoints:syscall_tracepoints memlock modules; do
    LACKS=none
    finds "${check%%:*}" good "*"
    LACKS=${check#*:}
    LACKS=${LACKS//:/ }
    finds "${check%%:*}" missing "not there"
  done
}

@test "a need is asked of a monitor's own functions" {
  local lacks
  lacks=$(EXECTAX_ROOT=$PWD monitor_lacks btf)
  if [[ -r /sys/kernel/btf/vmlinux ]]; then
    [ -z "$lacks" ]
  else
    [[ $lacks == *CONFIG_DEBUG_INFO_BTF* ]]
  fi
  lacks=$(monitor_lacks kprobes)
  if [[ -d /sys/bus/event_source/devices/kprobe ]]; then
    [ -z "$lacks" ]
  else
    [[ $lacks == *CONFIG_KPROBE_EVENTS* ]]
  fi
}

@test "statistics of BPF that somebody has left on" {
  [ -z "$(checks_bpf_statistics)" ]
  file proc/sys/kernel/bpf_stats_enabled 0
  [ -z "$(checks_bpf_statistics)" ]
  file proc/sys/kernel/bpf_stats_enabled 1
  finds bpf_statistics degraded "*"
}

@test "perf, hardware counters, cgroups and their controllers" {
  profile_problem() { echo "perf is not installed"; }
  finds perf missing "perf is not installed"
  profile_problem() { :; }
  finds perf good "*"
  instructions_problem() { echo "there are none"; }
  finds counters good "there are none; no figure but instructions per execution needs them"
  instructions_problem() { :; }
  finds counters good "instructions can be counted*"
  cgroup_find_mounts() { die "no cgroup hierarchy is mounted"; }
  finds cgroup missing "no cgroup hierarchy is mounted"
  cgroup_find_mounts() { :; }
  manifest_cgroup_version() { echo v2; }
  finds cgroup good "cgroup v2: CPU time to 1 µs*"
  manifest_cgroup_version() { echo hybrid; }
  finds cgroup good "cgroup hybrid"
  file proc/self/mounts "cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu,cpuacct 0 0"
  finds limits missing "no controller of memory"
  file sys/fs/cgroup/cgroup.controllers "cpuset io memory pids"
  finds limits good "*"
}

@test "clock, CPUs, idle time" {
  finds clock unseen "*"
  file sys/devices/system/clocksource/clocksource0/current_clocksource tsc
  finds clock good "tsc*"
  file sys/devices/system/clocksource/clocksource0/current_clocksource hpet
  finds clock degraded "hpet*"
  nproc() { echo 1; }
  finds cpus degraded "1 CPU"
  nproc() { echo 8; }
  finds cpus good "8 CPUs"
  BUILD=$BATS_TEST_TMPDIR
  printf '#!/bin/sh\necho "1,host,idle,5,,,,ok:$(cat %s)"\n' "$BATS_TEST_TMPDIR/source" >"$BUILD/cpumeter"
  chmod +x "$BUILD/cpumeter"
  file source timer_list
  finds idle_time good "to the ns*"
  file source stat
  finds idle_time degraded "to 10 ms*"
}

@test "what else the machine did, and what was stolen of it" {
  nproc() { echo 2; }
  file proc/loadavg "0.40 0.1 0.1 1/99 1234"
  finds load good "*0.40 processes*on 2 CPUs"
  file proc/loadavg "0.41 0.1 0.1 1/99 1234"
  file proc/pressure/cpu "some avg10=67.47 avg60=51.05 avg300=24.31 total=1"
  finds load degraded "*0.41*something waited for a CPU in 51.05 % of it"
  # 2 CPUs of 1000 ticks each; guest time is in user time already.
  file proc/stat $'cpu 500 0 0 1400 0 0 0 100 77 0\ncpu0 1\ncpu1 1'
  [ "$(checks_ticks <"$CHECKS_PROC/stat")" = "100 2000 2" ]
  finds steal degraded "*10.0 % of a CPU"
  file proc/stat $'cpu 500 0 0 1450 0 0 0 50 77 0\ncpu0 1\ncpu1 1'
  finds steal good "*5.0 % of a CPU"
  # Between two readings.
  [ "$(checks_stolen_percent 40 1500 <"$CHECKS_PROC/stat")" = 4.0 ]
}

@test "frequency, turbo, threads and idle states, where they can be seen" {
  finds governor unseen "this is a guest*"
  finds turbo unseen "*"
  finds smt unseen "*"
  finds idle_states unseen "*"
  echo "flags : fpu" >"$CHECKS_PROC/cpuinfo"
  finds governor unseen "the kernel does not show*"
  file sys/devices/system/cpu/cpu0/cpufreq/scaling_governor performance
  file sys/devices/system/cpu/cpu1/cpufreq/scaling_governor performance
  finds governor good "performance*"
  file sys/devices/system/cpu/cpu1/cpufreq/scaling_governor powersave
  finds governor degraded "performance powersave"
  file sys/devices/system/cpu/cpufreq/boost 1
  finds turbo degraded on
  file sys/devices/system/cpu/cpufreq/boost 0
  finds turbo good off
  rm "$CHECKS_SYS/devices/system/cpu/cpufreq/boost"
  file sys/devices/system/cpu/intel_pstate/no_turbo 0
  finds turbo degraded on
  file sys/devices/system/cpu/intel_pstate/no_turbo 1
  finds turbo good off
  file sys/devices/system/cpu/smt/active 1
  finds smt degraded "CPUs share cores"
  file sys/devices/system/cpu/smt/active 0
  finds smt good "*"
  file sys/devices/system/cpu/cpu0/cpuidle/state0/latency 2
  file sys/devices/system/cpu/cpu0/cpuidle/state1/latency 133
  finds idle_states degraded "*133 µs*"
  file sys/devices/system/cpu/cpu0/cpuidle/state1/disable 1
  finds idle_states good "*2 µs*"
}

@test "how many monitors can run" {
  monitor_names() { printf '%s\n' none a b; }
  monitor_obstacles() { [[ $LACKING != *"$1"* ]] || echo "something"; }
  LACKING=''
  finds monitors good "all 2*"
  LACKING=b
  finds monitors degraded "1 of 2*"
  LACKING=ab
  finds monitors missing "none of 2*"
}

@test "the self-test: rate, lateness and scatter of a known load" {
  local line
  line=$(noise_rate '{"achieved_hz": 399.96, "rate_hz": 400, "missed": 0, "asked": 4000, "saturated": false}')
  [[ $line == *$'\tgood\tno\t400 of 400 executions per second, 0 of 4000 missed\t'* ]]
  line=$(noise_rate '{"achieved_hz": 395, "rate_hz": 400, "missed": 50, "asked": 4000, "saturated": false}')
  [[ $line == *$'\tdegraded\tno\t395 of 400 '* ]]
  line=$(noise_rate '{"achieved_hz": 400, "rate_hz": 400, "missed": 0, "asked": 4000, "saturated": true}')
  [[ $line == *$'\tdegraded\t'* ]]
  line=$(noise_lateness '{"lateness_us": {"p50": 31.2, "p99": 10000, "max": 12000}}')
  [[ $line == *$'\tgood\tno\tlaunches were late by 31 µs (median), 10000 µs (99th percentile), 12000 µs (longest)'* ]]
  line=$(noise_lateness '{"lateness_us": {"p50": 31.2, "p99": 10001, "max": 12000}}')
  [[ $line == *$'\tdegraded\t'* ]]
  # Parts of two launches each, of 20 that were due; that of a failed one has no CPU time.
  [ "$({
    echo header
    for ((i = 0; i < 20; i++)); do echo "$i,0,0,0,0,$((100 + i)),0,0"; done
  } | sed 's/,107,/,,/' | noise_parts 20 | paste -sd ' ')" = "100.5 102.5 104.5 106 108.5 110.5 112.5 114.5 116.5 118.5" ]
  # Nine launches in the first of two parts that are longer than the others.
  [ "$(printf 'header\n0,,,,,5,,\n9,,,,,7,,\n' | noise_parts 10 | paste -sd ,)" = "5,,,,,,,,,7" ]
}

@test "the scatter has its interval, and says what it is to a difference of cells" {
  local line
  # Mean 600, standard deviation 10: half of the mean's interval 2.262 × 10 / √10 = 7.2; 1.67 % (0.688 to 1.826 times that); 1.96 × 10 × √(2/3) = 16.
  line=$(printf '%s\n' 590.5131670195 609.4868329805 590.5131670195 609.4868329805 590.5131670195 609.4868329805 590.5131670195 609.4868329805 590.5131670195 609.4868329805 | noise_scatter)
  echo "$line"
  [[ $line == *$'\tgood\tno\t/bin/true took 600 µs of CPU time (593 to 607) without a monitor; its mean over a second scatters by 1.7 % (1.1 to 3)\t'* ]]
  [[ $line == *"known to ± 16 µs (11 to 29) at best"* ]]
  line=$(printf '%s\n' 500 700 500 700 500 700 500 700 500 700 | noise_scatter)
  [[ $line == *$'\tdegraded\t'* ]]
  line=$(printf '%s\n' 500 '' 500 700 500 700 500 700 500 700 | noise_scatter)
  [[ $line == *$'\tdegraded\tno\tit is not known, since launches were missed\t'?*$'\t'?* ]]
  [[ $(noise_steal 5.0) == *$'\tgood\t'* && $(noise_steal 5.1) == *$'\tdegraded\t'* ]]
}

@test "the self-test: for how long CPUs shared a core or were far from each other" {
  # looks SHARED: of 40, so many, of which the first shows nothing; the last one shows them far from each other.
  looks() {
    echo mono_ns,slowdown,shared,distance_ns,far
    awk -v shared="$1" 'BEGIN { for (i = 1; i <= 40; i++) print i "," (i == 1 && shared ? ",,," : i <= shared ? "1.7,1,300,1" : i == 40 ? "1,0,300,1" : "1,0,40,0") }'
  }
  [[ $(looks 3 | noise_cores) == *$'\tdegraded\t'*"for 5.1 % of the time, and had no cache in common for 2.6 %"* ]]
  [[ $(looks 2 | noise_cores) == *$'\tdegraded\t'*"for 2.6 % of the time, and had no cache in common for 2.6 %"* ]]
  [[ $(looks 0 | noise_cores) == *$'\tgood\t'*"for 0.0 % of the time, and had no cache in common for 2.5 %"* ]]
}

@test "the self-test holds the host's lock, gives it back, and leaves no file" {
  ((EUID == 0)) || skip "needs root"
  HOST_LOCK=$EXECTAX_LOCK
  TMPDIR=$BATS_TEST_TMPDIR/tmp
  export TMPDIR
  mkdir "$TMPDIR"
  host_run() {
    [[ -e $HOST_LOCK ]] || return 1
    shift
    while (($#)); do
      case $1 in
        --json) echo '{"asked": 10, "achieved_hz": 400, "rate_hz": 400, "missed": 0, "saturated": false, "lateness_us": {"p50": 1, "p99": 2, "max": 3}}' >"$2" ;;
        --launches) for ((i = -1; i < 10; i++)); do echo "$i,,,,,500,,"; done >"$2" ;;
      esac
      shift
    done
  }
  cores_watch() { :; }
  file proc/stat $'cpu 500 0 0 1450 0 0 0 50 77 0\ncpu0 1\ncpu1 1'
  run noise_all
  echo "$output"
  [ "$(cut -f 1,2 <<<"$output" | paste -sd ' ')" = $'noise-rate\tgood noise-lateness\tgood noise-scatter\tgood noise-steal\tgood' ]
  [ ! -e "$HOST_LOCK" ]
  [ -z "$(ls -A "$TMPDIR")" ]
  host_run() { return 1; }
  run noise_all
  [[ $output == $'noise\tdegraded\tno\tit could not be tested: execrate failed: '* ]]
  [ ! -e "$HOST_LOCK" ]
  [ -z "$(ls -A "$TMPDIR")" ]
}

lines() {
  printf 'disk\tgood\tno\troom\t\t\nperf\tmissing\tno\tnot there\tflame graphs\tinstall it\nturbo\tunseen\tno\ta guest\tsome\t\nload\tdegraded\tno\tbusy\twider\twait\n'
}

@test "text: what was found, what it costs, what mends it; the summary counts" {
  run doctor_text no no <<<"$(lines)"
  diff - <(printf '%s\n' "$output") <<'TEXT'
good      disk               room
missing   perf               not there
                              costs: flame graphs
                              mend:  install it
unseen    turbo              a guest
                              costs: some
degraded  load               busy
                              costs: wider
                              mend:  wait
4 checks: 1 good, 1 degraded, 1 missing, 1 unseen. A run can begin here.
TEXT
  run doctor_text yes no <<<"$(lines)"
  diff - <(printf '%s\n' "$output") <<'TEXT'
missing   perf               not there
degraded  load               busy
4 checks: 1 good, 1 degraded, 1 missing, 1 unseen. A run can begin here.
TEXT
  run doctor_text yes yes <<<"$(printf 'tools\tmissing\tyes\tnone\tno run\tget them\n')"
  [ "${lines[0]}" = $'\033[31mmissing \033[0m  tools              none' ]
  [ "${lines[1]}" = "1 checks: 0 good, 0 degraded, 1 missing, 0 unseen. No run can begin here: tools." ]
}

@test "JSON has the same" {
  [ "$(lines | doctor_json | jq -c '[.can_begin, (.checks | length), .checks[1], .checks[0].mend]')" = \
    '[true,4,{"name":"perf","grade":"missing","blocks":false,"found":"not there","costs":"flame graphs","mend":"install it"},null]' ]
  [ "$(printf 'tools\tmissing\tyes\tnone\tno run\tget them\n' | doctor_json | jq -c '[.can_begin, .checks[0].blocks]')" = '[false,true]' ]
}

@test "the exit status says whether a run can begin; no self-test where none is wanted" {
  ((EUID == 0)) || skip "needs root"
  checks_all() { lines; }
  noise_all() { printf 'noise\tgood\tno\tquiet\t\t\n'; }
  run doctor_main
  [[ $status -eq 0 && $output == *"5 checks: "* ]]
  run doctor_main --no-noise --quiet
  [[ $status -eq 0 && ${lines[-1]} == "4 checks: "* && ${#lines[@]} -eq 3 ]]
  checks_all() { printf 'tools\tmissing\tyes\tnone\tno run\tget them\n'; }
  run doctor_main --no-noise --json
  [ "$status" -eq 1 ]
  [ "$(jq .can_begin <<<"$output")" = false ]
  run doctor_main --bogus
  [ "$status" -eq 2 ]
}

@test "room is asked for as much as a sweep with its defaults launches" {
  local out launches at_once
  read -r launches at_once out <<<"$(doctor_default_sweep)"
  # For 2 + 3 + 1 s, and at the highest rate 2 s more and 3 s of window S.
  [ "$at_once" -eq $(((100 + 200 + 400 + 800 + 1600) * 6 + 1600 * 5)) ]
  ((launches > at_once * 10))
  [[ $out == */results/* ]]
}

@test "run-all.sh shows the summary before the sweep, whatever it says" {
  mkdir -p "$BATS_TEST_TMPDIR/tree/lib/host" "$BATS_TEST_TMPDIR/bin"
  cp run-all.sh "$BATS_TEST_TMPDIR/tree/"
  printf '#!/bin/sh\necho "$*"\n[ "$1" != doctor ]\n' >"$BATS_TEST_TMPDIR/tree/exectax"
  printf '#!/bin/sh\n' | tee "$BATS_TEST_TMPDIR/tree/lib/host/install-deps.sh" >"$BATS_TEST_TMPDIR/bin/make"
  chmod +x "$BATS_TEST_TMPDIR"/{tree/exectax,tree/lib/host/install-deps.sh,bin/make}
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run "$BATS_TEST_TMPDIR/tree/run-all.sh" --quick
  [ "$status" -eq 0 ]
  [ "$(paste -sd ';' <<<"$output")" = "sweep --check-options --quick;doctor --no-noise --quiet;sweep --install --quick" ]
}
