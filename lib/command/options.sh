# shellcheck shell=bash
# The options of `exectax sweep`, checked before anything is changed, and what those of other runs have in common with them.

sweep_usage() {
  cat <<'TEXT'
Usage: exectax sweep [options]
Fire /bin/true at each rate under each monitor, one monitor at a time, and measure what that costs.

  --monitors LIST       which ones (commas or spaces; default: all; `none`, the baseline, is always measured too)
  --attach WHAT         instead of starting monitors, measure one that runs already and leave it alone; WHAT is
                        unit:NAME, cgroup:/PATH, pid:N (that process alone) or container:ID. Measured at rest (shown as
                        0 executions per second) and at each rate. Can be given several times. Needs --yes, since what
                        runs already passes on what it records. The run ends by itself, exit status 1, when less than 5 %
                        or 512 MiB of the file systems of /var/log and of each --log are free, or everything has waited for
                        disk or memory in more than 50 % of the last 10 s (EXECTAX_ATTACH_FREE_PERCENT,
                        EXECTAX_ATTACH_FREE_MIB, EXECTAX_ATTACH_PRESSURE_PERCENT in the environment set other limits)
  --log FILE            a log of the monitor of the --attach before it, in which the executions are looked for
  --rates LIST          executions per second (default: 100 200 400 800 1600)
  --duration SECONDS    length of the measured window (whole seconds, default 30)
  --instrumented SECONDS
                        length of the window after it, with BPF statistics, perf and a reader of the log (whole
                        seconds, 0: none; default 10)
  --warmup SECONDS      load before the window opens (whole seconds, default 10)
  --reps N              repetitions of everything (default 3)
  --repeat-disturbed N  measure cells from which the hypervisor took more than 5 % of a CPU again at the end, up to N
                        times (0 to 10, default 1). In medians they count only where there are no others
  --quick               2 s of warm-up, windows of 5 s and 3 s, one repetition, unless said otherwise
  --seed N              of the order of monitors and rates (default: from the clock; the manifest has it)
  --out DIR             where the run goes (a new or empty folder; default results/<date-time>)
  --install             get the monitors that are not here yet (packages, vendors' releases, module registries)
  --no-install          measure what is here, install nothing (default)
  --allow-unverified    with --install: also those monitors whose vendors publish neither signatures nor checksums
  --journald-audit off|keep
                        off (default): journald's own audit socket is turned off for the run and put back after it;
                        keep: it stays as it is, and journald and rsyslog are counted as helpers of every audit monitor
  --keep-logs           keep the monitors' logs (about 1.5 kB an execution; default: removed once counted)
  --yes                 run although this host has audit rules, which are then out of force until the run ends, or another
                        security agent, which is then in every figure; or although --attach fills somebody's pipeline
  --check-options       say whether the options are good and root is there; change nothing
  --dry-run             print the plan and the time it will take; change nothing
  --help                this text

Figures: cpu is the CPU time of the monitor's processes (their cgroup's), its helpers (kauditd, journald, rsyslogd) and
its eBPF programs, in % of one CPU; total is by how much the whole machine was busier than without a monitor; lost is
launches whose tag is not in the monitor's log. results/README.md has all columns. Exit status: 0 done, 1 failed, 2 bad option, 130 or 143 interrupted.
TEXT
}

# Sets MONITORS, RATES, DURATION, INSTRUMENTED, WARMUP, REPS, REPEAT_DISTURBED, SEED, OUT, INSTALL, ALLOW_UNVERIFIED, JOURNALD_AUDIT, KEEP_LOGS, YES, DRY_RUN, CHECK_OPTIONS.
sweep_options() {
  RATES="100 200 400 800 1600" DURATION='' INSTRUMENTED='' WARMUP='' REPS='' REPEAT_DISTURBED=1 QUICK=no CHECK_OPTIONS=no
  options_parse sweep rates:,duration:,instrumented:,warmup:,reps:,repeat-disturbed:,quick,attach:,log:,check-options "$@"
  if [[ $QUICK == yes ]]; then
    : "${WARMUP:=2}" "${DURATION:=5}" "${INSTRUMENTED:=3}" "${REPS:=1}"
  fi
  : "${WARMUP:=10}" "${DURATION:=30}" "${INSTRUMENTED:=10}" "${REPS:=3}"
  check_number --duration "$DURATION" 1 86400 "whole seconds"
  check_number --instrumented "$INSTRUMENTED" 0 86400 "whole seconds"
  check_number --warmup "$WARMUP" 0 86400 "whole seconds"
  check_number --reps "$REPS" 1 1000 "a whole number"
  check_number --repeat-disturbed "$REPEAT_DISTURBED" 0 10 "a whole number"
  check_rates
  check_attached
}

# options_parse COMMAND OPTIONS ARGUMENTS...: the options that its long ones and those of any run set, which are checked as well.
options_parse() {
  local command=$1 parsed
  parsed=$(getopt -n "exectax $command" -o '' -l "$2" \
    -l monitors:,seed:,out:,install,no-install,allow-unverified,journald-audit:,keep-logs,yes,dry-run,help -- "${@:3}" 2>&1) ||
    die_usage "$(head -n 1 <<<"$parsed"); 'exectax $command --help' lists the options"
  eval "set -- $parsed"
  MONITORS=all SEED=$((EPOCHSECONDS % 100000)) OUT='' INSTALL=no ALLOW_UNVERIFIED=no JOURNALD_AUDIT=off KEEP_LOGS=no YES=no DRY_RUN=no
  while [[ $1 != -- ]]; do
    case $1 in
      --help)
        "${command}_usage"
        exit 0
        ;;
      --no-install) INSTALL=no ;;
      --install | --allow-unverified | --keep-logs | --yes | --dry-run | --quick | --check-options) options_set "$1" yes ;;
      *)
        options_take "$1" "$2"
        shift
        ;;
    esac
    shift
  done
  (($# == 1)) || die_usage "unexpected argument '$2'; 'exectax $command --help' lists the options"
  check_number --seed "$SEED" 0 2147483647 "a whole number"
  [[ $JOURNALD_AUDIT == off || $JOURNALD_AUDIT == keep ]] || die_usage "--journald-audit is '$JOURNALD_AUDIT', expected off or keep"
  check_monitors
  check_out
}

# options_take OPTION VALUE
options_take() {
  case $1 in
    --attach) attach_add "$2" ;;
    --log) attach_log "$2" ;;
    --vary) saturate_add_knob "$2" ;;
    *) options_set "$1" "$2" ;;
  esac
}

# options_set --journald-audit keep: JOURNALD_AUDIT=keep
options_set() {
  local name=${1#--}
  name=${name//-/_}
  printf -v "${name^^}" '%s' "$2"
}

# check_number OPTION VALUE LOWEST HIGHEST WHAT
check_number() {
  # No leading zeros: bash and printf would read them as octal.
  if [[ ! $2 =~ ^(0|[1-9][0-9]{0,9})$ ]] || (($2 < $3 || $2 > $4)); then
    die_usage "$1 is '$2', expected $5 from $3 to $4"
  fi
}

check_rates() {
  local rate
  local -a list
  read -ra list <<<"${RATES//,/ }"
  ((${#list[@]})) || die_usage "--rates is empty, expected executions per second such as '100 200 400'"
  for rate in "${list[@]}"; do
    check_number --rates "$rate" 1 1000000 "executions per second, each a whole number"
  done
  RATES=$(printf '%d\n' "${list[@]}" | sort -nu | paste -sd ' ')
}

check_monitors() {
  local monitor
  local -a list
  MONITORS_GIVEN=$([[ $MONITORS == all ]] && echo no || echo yes)
  [[ $MONITORS != all ]] || MONITORS=$(monitor_names | paste -sd ' ')
  read -ra list <<<"${MONITORS//,/ }"
  ((${#list[@]})) || die_usage "--monitors is empty, expected names from 'exectax list'"
  for monitor in "${list[@]}"; do
    monitor_exists "$monitor" || die_usage "--monitors: there is no monitor '$monitor', expected names from: $(monitor_names | paste -sd ' ')"
  done
  [[ " ${list[*]} " == *" none "* ]] || list=(none "${list[@]}")
  MONITORS=$(printf '%s\n' "${list[@]}" | awk '!seen[$0]++' | paste -sd ' ')
}

# The monitors of an attached run are what is attached to; at rest is one more rate.
check_attached() {
  ((${#ATTACHED[@]})) || return 0
  [[ $MONITORS_GIVEN == no ]] || die_usage "--monitors and --attach: expected one of them, since an attached run starts no monitor"
  [[ $JOURNALD_AUDIT == off && $KEEP_LOGS == no && $INSTALL == no ]] ||
    die_usage "--journald-audit, --keep-logs and --install: not expected with --attach, which changes nothing"
  RATES="0 $RATES"
  attach_check_consent
}

check_out() {
  [[ -n $OUT ]] || OUT=$EXECTAX_ROOT/results/$(date +%Y%m%d-%H%M%S)
  OUT=$(realpath -m -- "$OUT")
  [[ ! -e $OUT || -d $OUT ]] || die_usage "--out $OUT is a file, expected a new or empty folder"
  [[ ! -d $OUT || -z $(ls -A -- "$OUT") ]] || die_usage "--out $OUT is not empty, expected a new or empty folder"
}
