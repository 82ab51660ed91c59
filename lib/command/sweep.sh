# shellcheck shell=bash
# exectax sweep

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

sweep_main() {
  sweep_options "$@"
  host_require_root "exectax sweep" "it changes audit rules, cgroups and services, and puts them back"
  if [[ ${OPTIONS[dry_run]} == yes ]]; then
    sweep_dry_run
  elif [[ ${OPTIONS[check_options]} == no ]]; then
    run_main sweep "$@"
  fi
}

sweep_options() {
  local name
  options_set rates "100 200 400 800 1600"
  options_set repeat_disturbed 1
  options_set quick no
  options_set check_options no
  run_options_read sweep rates:,duration:,instrumented:,warmup:,reps:,repeat-disturbed:,quick,attach:,log:,check-options sweep_take "$@"
  if [[ ${OPTIONS[quick]} == yes ]]; then
    options_default warmup 2
    options_default duration 5
    options_default instrumented 3
    options_default reps 1
  fi
  options_default warmup 10
  options_default duration 30
  options_default instrumented 10
  options_default reps 3
  options_check_number --duration "${OPTIONS[duration]}" 1 86400 "whole seconds"
  for name in instrumented warmup; do
    options_check_number "--$name" "${OPTIONS[$name]}" 0 86400 "whole seconds"
  done
  options_check_number --reps "${OPTIONS[reps]}" 1 1000 "a whole number"
  options_check_number --repeat-disturbed "${OPTIONS[repeat_disturbed]}" 0 10 "a whole number"
  sweep_check_rates
  sweep_check_attached
}

# sweep_take NAME VALUE
sweep_take() {
  case $1 in
    attach) attached_add "$2" ;;
    log) attached_add_log "$2" ;;
    *) run_options_take "$@" ;;
  esac
}

sweep_check_rates() {
  local rate
  local -a list
  read -ra list <<<"${OPTIONS[rates]//,/ }"
  ((${#list[@]})) || die_usage "--rates is empty, expected executions per second such as '100 200 400'"
  for rate in "${list[@]}"; do
    options_check_number --rates "$rate" 1 1000000 "executions per second, each a whole number"
  done
  options_set rates "$(printf '%d\n' "${list[@]}" | sort -nu | paste -sd ' ')"
}

# The monitors of an attached run are what is attached to; at rest is one more rate. Somebody's pipeline is to be filled only by
# whoever means to.
sweep_check_attached() {
  ((${#ATTACHED_NAMES[@]})) || return 0
  [[ ${OPTIONS[monitors_given]} == no ]] || die_usage "--monitors and --attach: expected one of them, since an attached run starts no monitor"
  [[ ${OPTIONS[journald_audit]} == off && ${OPTIONS[keep_logs]} == no && ${OPTIONS[install]} == no ]] ||
    die_usage "--journald-audit, --keep-logs and --install: not expected with --attach, which changes nothing"
  monitor_choose_way attached
  options_set monitors "${ATTACHED_NAMES[*]}"
  options_set rates "0 ${OPTIONS[rates]}"
  attached_check_thresholds
  [[ ${OPTIONS[yes]} == yes || ${OPTIONS[dry_run]} == yes ]] || die_usage "--attach: $(sweep_sends), expected --yes if that is meant"
}

sweep_dry_run() {
  local plan
  run_find_monitors sweep
  plan=$(sweep_plan)
  cat <<TEXT
Monitors:    ${RUN_MONITORS[*]}
Rates:       ${OPTIONS[rates]} executions per second
Each cell:   ${OPTIONS[warmup]} s of warm-up, windows of ${OPTIONS[duration]} s and ${OPTIONS[instrumented]} s; ${OPTIONS[reps]} repetition(s); seed ${OPTIONS[seed]}
Results in:  ${OPTIONS[out]}
Time:        about $(progress_duration "$(sweep_seconds "$plan")"), longer if the hypervisor disturbs cells
TEXT
  monitor_is_ours || echo "Sends:       $(sweep_sends)"
  echo "Order:"
  mlr --icsv --opprint cat <<<"$plan"
}
