# shellcheck shell=bash
# exectax sweep

sweep_usage() {
  cat <<'TEXT'
Usage: exectax sweep [options]
Launch /bin/true at each rate under each monitor, one monitor at a time, and measure what that costs.

  --monitors LIST       monitors to measure, separated by commas or spaces (default: all). The baseline, `none`, is
                        always measured too
  --build NAME=FILE     measure FILE, a build of a monitor's program, as the monitor MONITOR@NAME: with two or more of them, builds
                        are compared in turn within one run (exectax compare RUN:@OLD RUN:@NEW). MONITOR is the one
                        that --monitors names, if it names one alone; otherwise FILE has its name, or NAME is MONITOR@NAME. It is
                        not measured itself besides. Without --monitors, only builds are. Can be given several times
  --attach WHAT         instead of starting monitors, measure one that runs already, without touching it. WHAT is
                        unit:NAME, cgroup:/PATH, pid:N (that process alone), container:ID or
                        pod:NAMESPACE/LABEL=VALUE, the one running pod of this node that has that label, found by
                        kubectl (EXECTAX_NODE is the node's name, if not the host's). It is measured at rest
                        (shown as 0 executions per second) and at each rate. Can be given several times. Needs --yes,
                        since a monitor in use passes on what it records. To protect it, the run ends with exit status
                        1 when the file system of /var/log or of a --log has less than 5 % or less than 512 MiB free,
                        or when everything waited for disk or memory in more than 50 % of the last 10 s.
                        EXECTAX_ATTACH_FREE_PERCENT, EXECTAX_ATTACH_FREE_MIB and EXECTAX_ATTACH_PRESSURE_PERCENT in
                        the environment change these limits
  --log FILE            look for the executions in FILE, a log of the monitor of the preceding --attach; of a pod
                        container:NAME is the log of that container, as the node keeps it below /var/log/pods. Can be
                        given several times. Nothing is measured until what the monitor is shown is in there, for which
                        it has 60 s (EXECTAX_READY_SECONDS)
  --load-cpus LIST      CPUs for the load, such as 2-3 or 0,2 (default: all)
  --rates LIST          executions per second (default: 0 100 200 400 800 1600). 0 is at rest: nothing is launched, and what is measured
                        is what the monitor's processes, and the machine, take when nothing happens
  --duration SECONDS    length of the measured window (whole seconds, default 3)
  --instrumented SECONDS
                        length of the window after it, with BPF statistics, perf and a reader of the log, at one rate of each
                        start of a monitor, which is drawn (whole seconds, default 2; 0: no such window)
  --side SECONDS|auto   length of a window with watched and unwatched executions side by side, at the same rate, for the monitors that
                        can tell them apart (whole seconds; 0: no such window). auto (default): as long as 1200 executions take,
                        from 3 to 12 seconds
  --syscalls SECONDS    length of a window in which system calls are made in a loop on every CPU, once a start of a monitor, for what
                        they cost more under it (whole seconds, default 2; 0: no such window). Not with --attach
  --warmup SECONDS      load before the measured window (whole seconds, default 2)
  --reps N|auto         how many passes: one is once through all monitors, the baseline at least twice among them, at all rates. After each, the
                        table so far is shown and the report made. auto (default): until counted is known to --precision
                        everywhere, or --budget is used. With --attach, 3 is the default, and auto is not possible. Ctrl-C
                        leaves a report of the passes that are over
  --precision PERCENT   when counted is known, for --reps auto: half of its 95 % interval is at most so much of it (1 to
                        50, default 5), or at most 5 µs
  --budget TIME         with --reps auto, how long the run may take, such as 90s, 60m or 2h (default 60m), without
                        installing. One pass is measured even if it takes longer
  --quick               --rates "0 200 800" and --budget 20m, unless other options say otherwise
  --seed N              seed of the order of monitors and rates (default: from the clock; recorded in the manifest)
  --out DIR             folder for the run, new or empty (default results/<date-time>)
  --resume RUN          finish RUN, a sweep that was interrupted or killed: measure what its last pass lacks, and go on with passes, with the
                        options that it was begun with (--budget anew). It can be done after a restart of the machine, but only on the
                        same host with the same kernel and the same monitors
  --repeat RUN          add passes to RUN, a complete sweep: one, or as many as --reps says; with auto, until enough is
                        known. As for --resume
  --install [all]       install the monitors that are missing, as far as they come ready (packages, vendors' releases).
                        all: also those that have to be built, which takes minutes each, before anything is measured
  --no-install          measure what is here, install nothing (default)
  --allow-unverified    with --install, also install monitors whose vendors publish neither signatures nor checksums
  --journald-audit off|keep
                        off (default): turn journald's own audit socket off for the run and put it back afterwards;
                        keep: leave it as it is, and count journald and rsyslog as services of every audit monitor
  --keep-logs           keep the monitors' logs, about 1.5 kB per execution (default: remove them once counted)
  --yes                 run even if this host has audit rules, which are not in force until the run ends; if another
                        security agent is at work, which is then in every figure; or if --attach fills the pipeline
                        behind a monitor in use
  --check-options       only check the options and that this is root; change nothing
  --dry-run             print the plan and the time it will take; change nothing
  --quiet               no progress and no messages but warnings and errors; the tables at the end stay
  --help                show this text

Figures: total is the CPU time that the whole machine takes more per execution than without a monitor, in µs; monitors are
ranked by it. counted is what of that is the monitor's processes, its services (kauditd, journald, rsyslogd), and what the
launched program and its parent do for it; it is known better, for small changes. lost is the number of launches whose
tag is not in the monitor's log. docs/accounting.md defines the figures, results/README.md describes all columns.

With --resume or --repeat, only --build (each build of the run, again), --reps, --precision and --budget (with --repeat), --yes, --dry-run, --quiet, --check-options and the options of
installation, which then have nothing to do, are accepted.

Examples:
  exectax sweep --dry-run                                     what would be measured, and how long it takes
  exectax sweep --monitors auditd-raw,falco --rates "50 200"  two monitors at two rates
  exectax sweep --attach unit:auditd.service --log /var/log/audit/audit.log --rates "5 10" --yes
  exectax sweep --attach pod:falco/app=falco --log container:falco --rates "100 200" --yes
  exectax sweep --resume results/20260101-120000              go on with what was interrupted

Exit status: 0 done; 1 failed; 2 bad option, or a run that can't go on; 130 or 143 interrupted.
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
  options_set rates ''
  options_set quick no
  options_set check_options no
  options_set builds_given ''
  run_options_read sweep build:,rates:,duration:,instrumented:,side:,syscalls:,warmup:,reps:,precision:,budget:,quick,attach:,log:,load-cpus:,check-options,repeat: sweep_take "$@"
  [[ -z ${OPTIONS[goes_on]} ]] || sweep_go_on
  sweep_choose_builds
  sweep_choose_rates
  options_default warmup 2
  options_default duration 3
  options_default instrumented 2
  options_default side auto
  options_default syscalls 2
  sweep_choose_reps
  # Without warm-up, window A would begin before the load.
  for name in duration warmup; do
    options_check_number "--$name" "${OPTIONS[$name]}" 1 86400 "whole seconds"
  done
  for name in instrumented syscalls; do
    options_check_number "--$name" "${OPTIONS[$name]}" 0 86400 "whole seconds"
  done
  [[ ${OPTIONS[side]} == auto ]] || options_check_number --side "${OPTIONS[side]}" 0 86400 "auto, or whole seconds"
  sweep_check_rates
  run_options_check_load_cpus
  sweep_check_attached
  [[ -z ${OPTIONS[goes_on]} ]] || resume_check_options "${OPTIONS[run]}" sweep
}

# sweep_take NAME VALUE
sweep_take() {
  case $1 in
    build) sweep_add_build "$2" ;;
    attach | log) run_options_take_attached "$@" ;;
    repeat) run_options_take_run repeat "$2" ;;
  esac
  run_options_take "$@"
}

# sweep_add_build VALUE: of --build. What monitor it is of is known when all options are.
sweep_add_build() {
  local file=${1#*=}
  [[ $1 =~ ^([a-z0-9-]+@)?[A-Za-z0-9][A-Za-z0-9._-]{0,39}=. ]] || die_usage "--build is '$1', expected NAME=FILE or MONITOR@NAME=FILE"
  [[ -f $file && -x $file ]] || die_usage "--build: '$file' is no executable file, expected a build of a monitor's program"
  [[ $file != *$'\n'* ]] || die_usage "--build: there is a newline in the name of the file, expected none"
  options_set builds_given "${OPTIONS[builds_given]}${1%%=*}=$(realpath -- "$file")"$'\n'
}

# Builds take the place of their monitors.
sweep_choose_builds() {
  local build monitor name list
  [[ -n ${OPTIONS[builds_given]} ]] || return 0
  ((${#ATTACHED_NAMES[@]} == 0)) || die_usage "--build: not expected with --attach, which starts no monitor"
  list=none
  [[ ${OPTIONS[monitors_given]} == no ]] || list=${OPTIONS[monitors]}
  while IFS= read -r build; do
    [[ -n $build ]] || continue
    monitor=$(sweep_build_monitor "$build") || exit 2
    name=${build%%=*}
    builds_add "$monitor" "${name#*@}" "${build#*=}"
    list=$(tr ' ' '\n' <<<"$list" | { grep -vFx -- "$monitor" || true; } | paste -sd ' ')
  done <<<"${OPTIONS[builds_given]}"
  options_set monitors "$list $(builds_names)"
}

# sweep_build_monitor NAME=FILE: what monitor it is a build of.
sweep_build_monitor() {
  local file=${1#*=} monitor
  local -a given
  read -ra given <<<"${OPTIONS[monitors]#none }"
  if [[ ${1%%=*} == *@* ]]; then
    monitor=${1%%@*}
  elif [[ ${OPTIONS[monitors_given]} == yes && ${#given[@]} == 1 ]]; then
    monitor=${given[0]}
  else
    monitor=${file##*/}
  fi
  if [[ $monitor == none ]] || ! monitor_exists "$monitor"; then
    die_usage "--build ${1%%=*}: there is no monitor '$monitor', expected MONITOR@NAME=FILE with one of: $(monitor_names | tail -n +2 | paste -sd ' ')"
  fi
  echo "$monitor"
}

sweep_go_on() {
  run_options_go_on sweep
  sweep_confirm_builds
  builds_take_json "${OPTIONS[builds]:-}"
  run_options_check_monitors
  # To be added.
  [[ ${OPTIONS[goes_on]} != repeat ]] || options_default reps 1
}

# What a run's folder names is executed only if the caller names it, too: the folder may come from somebody else.
sweep_confirm_builds() {
  local name file
  local -i count=0
  while IFS=$'\t' read -r name file; do
    [[ -n $name ]] || continue
    count+=1
    grep -qxF -e "$name=$file" -e "${name#*@}=$file" <<<"${OPTIONS[builds_given]}" ||
      die_usage "'${OPTIONS[run]}' measures a build: expected --build '$name=$file' again, if that is to be executed"
  done <<<"$(jq -r 'to_entries[] | "\(.key)\t\(.value)"' <<<"${OPTIONS[builds]:-"{}"}")"
  (($(awk NF <<<"${OPTIONS[builds_given]}" | wc -l) == count)) || die_usage "--build: expected the builds of '${OPTIONS[run]}' ($count), each once, and no others"
  options_set builds_given ''
}

# An empty list that was given is found by sweep_check_rates.
sweep_choose_rates() {
  [[ " ${OPTIONS[given]} " != *" rates "* ]] || return 0
  options_default rates "$([[ ${OPTIONS[quick]} == yes ]] && echo "0 200 800" || echo "0 100 200 400 800 1600")"
}

# A number of passes, or until when. For as many monitors as ATTACHED_NAMES has, somebody else has to know how much is sent through them. What a run that
# is resumed was begun with stays as it is.
sweep_choose_reps() {
  local name budget_s
  [[ ${OPTIONS[goes_on]} != resume || -z ${OPTIONS[budget]:-} ]] || options_set reps auto
  options_default reps "$( ((${#ATTACHED_NAMES[@]})) && echo 3 || echo auto)"
  if [[ ${OPTIONS[reps]} != auto ]]; then
    for name in precision budget; do
      [[ " ${OPTIONS[given]} " != *" $name "* ]] || die_usage "--$name: expected with --reps auto"
    done
    options_check_number --reps "${OPTIONS[reps]}" 1 1000 "auto, or a whole number"
    [[ ${OPTIONS[goes_on]} != repeat ]] || options_set reps $((OPTIONS[reps] + $(sweep_begun)))
    return
  fi
  ((${#ATTACHED_NAMES[@]} == 0)) || die_usage "--reps auto: not expected with --attach, expected a number, which says how much is sent"
  options_default precision 5
  options_default budget "$([[ ${OPTIONS[quick]} == yes ]] && echo 20m || echo 60m)"
  options_set precision "${OPTIONS[precision]%\%}"
  options_check_number --precision "${OPTIONS[precision]}" 1 50 "a percentage, a whole number"
  budget_s=$(options_seconds --budget "${OPTIONS[budget]}" 60 864000) || exit 2
  options_set budget "$budget_s"
  options_set reps ''
}

# How many passes the run has begun that this one goes on with.
sweep_begun() {
  plan_last "${OPTIONS[run]}/plan.csv" | cut -d ' ' -f 2
}

# At rest, 0, is a rate like others: that of what the monitor and the machine take when nothing happens.
sweep_check_rates() {
  local rate
  local -a list
  read -ra list <<<"${OPTIONS[rates]//,/ }"
  ((${#list[@]})) || die_usage "--rates is empty, expected executions per second such as '100 200 400'"
  for rate in "${list[@]}"; do
    options_check_number --rates "$rate" 0 1000000 "executions per second, each a whole number"
  done
  options_set rates "$(printf '%d\n' "${list[@]}" | sort -nu | paste -sd ' ')"
}

# What is attached to is always measured at rest, too, which is what it is compared with.
sweep_check_attached() {
  ((${#ATTACHED_NAMES[@]})) || return 0
  [[ " ${OPTIONS[given]} " != *" syscalls "* ]] || die_usage "--syscalls: not expected with --attach, since there is no start without the monitor to compare with"
  options_set syscalls 0
  run_options_check_attached
  options_set rates "0 ${OPTIONS[rates]}"
  sweep_check_rates
  run_options_check_sends "$(sweep_sends)"
}

sweep_dry_run() {
  local rows
  if resume_is_asked; then
    resume_prepare sweep
  else
    run_find_monitors sweep
  fi
  rows=$(sweep_coming)
  cat <<TEXT
Monitors:    ${RUN_MONITORS[*]}
Rates:       ${OPTIONS[rates]} executions per second
Each cell:   ${OPTIONS[warmup]} s of warm-up, a window of ${OPTIONS[duration]} s
Each start:  windows of ${OPTIONS[instrumented]} s and $(side_length) at one rate; $(sweep_syscalls)
Passes:      $(sweep_passes); seed ${OPTIONS[seed]}
Results in:  ${OPTIONS[out]}
Time:        $(passes_how_long "$rows")
TEXT
  monitor_is_ours || echo "Sends:       $(sweep_sends)"
  # What a run goes on with may be the middle of a pass.
  rows=$(passes_first "$rows")
  if [[ -n $rows ]]; then
    echo "Order of the first pass:"
    mlr --icsv --opprint cat <<<"$PLAN_HEADER"$'\n'"$(awk -F, '{ print $0 (NF < 6 ? ",1" : "") }' <<<"$rows")"
  fi
}

sweep_syscalls() {
  if syscalls_is_asked; then
    echo "a window of ${OPTIONS[syscalls]} s with system calls"
  else
    echo "no window with system calls"
  fi
}

sweep_passes() {
  if ! passes_are_counted; then
    echo "until all is known to $(passes_aim), or --budget ($(passes_time "${OPTIONS[budget]}")) is used"
  elif [[ ${OPTIONS[goes_on]} == repeat ]]; then
    echo "$((OPTIONS[reps] - $(sweep_begun))) more"
  else
    echo "${OPTIONS[reps]}"
  fi
}
