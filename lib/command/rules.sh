# shellcheck shell=bash
# exectax rules

rules_usage() {
  cat <<'TEXT'
Usage: exectax rules [options]
Measure what an execution costs by the number of rules that a monitor has: launch /bin/true at one rate under each
monitor, with rules of several kinds and numbers added before its own rule, which goes on recording every execution.
Or measure what a set of rules that somebody runs adds (--set, --rules).

  --monitors LIST       monitors to measure, separated by commas or spaces (default: all to which rules can be added).
                        The baseline, `none`, is always measured too
  --kinds LIST          kinds of rules (default: all that the monitors have of the first five, and of kinds that are not here):
                        unreached      on a system call or an event that the program never makes
                        first-differs  looked at; the first condition, or the only one, is not met
                        last-differs   looked at; the last of several conditions alone is not met
                        matching       matches every execution (the first that does records it, and ends the search)
                        watches        on files that the program does not touch
                        paths          the same files, in rules on system calls
                        recorded-last  on executions, not met, before the rule that records them
                        recorded-first the same rules, after it
                        calls-apart    each on a system call of its own, which nobody makes
                        calls-together one rule on as many system calls
  --set NAME            a set that comes with auditd, such as stig or pci-dss, instead of kinds of rules: what it adds to
                        each monitor on audit, against the same monitor without it
  --rules FILE          the same of rule files: of auditd, or, if they end in .yaml, of Falco; .gz too. A folder stands for
                        the *.rules in it. Can be given several times: all of them together are one set.
                        What changes audit itself (-e, -f, -D, -b, ...) is never executed; what is left out is said first
  --mix LIST            with a set: what is done besides executing, in turn, as often as something is executed (default: all
                        of them; none: nothing; execrate --list-actions describes them)
  --login-uid UID       with a set: the load is that of a login user, whom many rules are about (auid; default: that of the run
                        itself, which services and cron jobs don't have)
  --counts LIST         numbers of rules to add, up to 10000 (default 0 100 200 300 400). 0 is always measured too; a
                        monitor that takes no more than so many is given these in place of more
  --rate RATE           executions per second (default 400)
  --duration SECONDS    length of the measured window (whole seconds, default 4)
  --instrumented SECONDS
                        length of the window after it, with BPF statistics and perf (whole seconds, default 3; 0: no such
                        window)
  --side SECONDS        length of a window with watched and unwatched executions side by side, for the monitors that can
                        tell them apart (whole seconds, default 4; 0: no such window)
  --syscalls SECONDS    length of a window in which system calls are made in a loop on every CPU, for what the rules cost
                        programs that execute nothing (whole seconds, default 1; 0: no such window)
  --warmup SECONDS      load before the measured window (whole seconds, default 2)
  --reps N              passes: each is everything once (default 1: the intervals of the fits come from all points of a line;
                        with a set 6, and windows of 6 s, 3 s, 6 s and 4 s)
  --quick               1 s of warm-up, windows of 2 s each, and the counts 0 100 400, unless other options say otherwise
  --seed N              seed of the order (default: from the clock; recorded in the manifest)
  --out DIR             folder for the run, new or empty (default results/<date-time>)
  --resume RUN          finish RUN, a run of exectax rules that was interrupted or killed: measure the cells that it lacks, with the
                        options that it was begun with, and of a set with the rules that it has kept. As for exectax sweep
  --install [all]       as for exectax sweep
  --no-install          measure what is here, install nothing (default)
  --allow-unverified    as for exectax sweep
  --journald-audit off|keep
                        as for exectax sweep
  --keep-logs           keep the monitors' logs (default: remove them once counted)
  --yes                 as for exectax sweep
  --dry-run             print the plan and the time it will take; change nothing
  --engines             instead: measure rule engines by themselves (exectax rules --engines --help)
  --quiet               as for exectax sweep
  --help                show this text

Figures: rules.csv has a row for each monitor, kind and number of rules: µs of CPU time per execution, time to start,
memory, losses. fits.csv has the lines through these points: cost = fixed + slope x rules, each with its 95 % interval.
Of a set, sets.csv has what it adds to each figure. docs/rules.md says how to read them.

With --resume, only --yes, --dry-run, --quiet and the options of installation, which then have nothing to do, are accepted.

Examples:
  exectax rules --monitors auditd-raw --quick
  exectax rules --monitors auditd-raw,falco --kinds unreached,last-differs --counts "100 300"
  exectax rules --resume results/20260101-120000

Exit status: 0 done; 1 failed; 2 bad option, or a run that can't go on; 130 or 143 interrupted.
TEXT
}

rules_main() {
  if engines_are_asked "$@"; then
    engines_main "$@"
    return
  fi
  rules_options "$@"
  host_require_root "exectax rules" "it changes audit rules, cgroups and services, and puts them back"
  if [[ ${OPTIONS[dry_run]} == yes ]]; then
    rules_dry_run
  else
    run_main rules "$@"
  fi
}

rules_options() {
  local name
  options_set kinds ''
  options_set counts ''
  options_set set ''
  options_set rules ''
  options_set mix ''
  options_set login_uid ''
  options_set monitor_set ''
  options_set rate 400
  options_set reps ''
  options_set quick no
  run_options_read rules kinds:,counts:,set:,rules:,mix:,login-uid:,rate:,duration:,instrumented:,side:,syscalls:,warmup:,reps:,quick rules_take "$@"
  if [[ -n ${OPTIONS[goes_on]} ]]; then
    rules_go_on
  elif [[ -n ${OPTIONS[set]}${OPTIONS[rules]} ]]; then
    rules_take_set
  elif [[ -n ${OPTIONS[mix]}${OPTIONS[login_uid]} ]]; then
    die_usage "--mix and --login-uid: expected with --set or --rules only"
  fi
  if [[ ${OPTIONS[quick]} == yes ]]; then
    options_default counts "0 100 400"
    options_default warmup 1
    for name in duration instrumented side; do
      options_default "$name" 2
    done
  fi
  if rulesets_is_asked; then
    options_default duration 6
    options_default side 6
    options_default syscalls 4
    options_default reps 6
  fi
  # At even distances, the slope's interval is little more than half as wide as where most are far below the highest.
  options_default counts "0 100 200 300 400"
  options_default reps 1
  options_default warmup 2
  options_default duration 4
  options_default instrumented 3
  options_default side 4
  options_default syscalls 1
  options_check_number --rate "${OPTIONS[rate]}" 1 1000000 "executions per second"
  for name in duration warmup; do
    options_check_number "--$name" "${OPTIONS[$name]}" 1 86400 "whole seconds"
  done
  for name in instrumented side syscalls; do
    options_check_number "--$name" "${OPTIONS[$name]}" 0 86400 "whole seconds"
  done
  options_check_number --reps "${OPTIONS[reps]}" 1 1000 "a whole number"
  if ! rulesets_is_asked; then
    rules_check_counts
    rules_check_kinds
  fi
  [[ -z ${OPTIONS[goes_on]} ]] || resume_check_options "${OPTIONS[run]}" rules
}

# rules_take NAME VALUE
rules_take() {
  if [[ $1 == rules ]]; then
    run_options_take rules "${OPTIONS[rules]}$2"$'\n'
  else
    run_options_take "$@"
  fi
}

# A mix that is empty was none, and so was a login uid.
rules_go_on() {
  run_options_go_on rules
  run_options_check_monitors
  if [[ -z ${OPTIONS[set]} ]]; then
    options_set login_uid ''
    return
  fi
  rulesets_take "${OPTIONS[run]}"
  options_default mix none
  rules_check_mix
  [[ -n ${OPTIONS[login_uid]} || -z $(rulesets_login_uid) ]] ||
    die_usage "'${OPTIONS[run]}' can't go on: its load was nobody's login, now it would be that of uid $(rulesets_login_uid)"
  [[ -z ${OPTIONS[login_uid]} ]] || options_check_number --login-uid "${OPTIONS[login_uid]}" 0 4294967294 "a user id"
}

# A set is a kind of its own, of which there is one number.
rules_take_set() {
  local path
  local -a paths=() files=() more
  [[ -z ${OPTIONS[kinds]}${OPTIONS[counts]} ]] || die_usage "--kinds and --counts: expected without --set and --rules"
  [[ -z ${OPTIONS[set]} || -z ${OPTIONS[rules]} ]] || die_usage "--set and --rules: expected one of them"
  if [[ -n ${OPTIONS[set]} ]]; then
    path=$(rulesets_named "${OPTIONS[set]}") ||
      die_usage "--set is '${OPTIONS[set]}', expected one of those that come with auditd: $(rulesets_names | grep . || echo none is here)"
    split_lines files "$path"
    options_set kinds "${OPTIONS[set]}"
  else
    split_lines paths "${OPTIONS[rules]%$'\n'}"
    for path in "${paths[@]}"; do
      split_lines more "$(rulesets_of_path "$path")"
      files+=("${more[@]}")
    done
    options_set kinds "$(rulesets_name_of "${paths[0]}")"
  fi
  rulesets_read "${files[@]}"
  options_set counts "0 $(rulesets_count)"
  rules_check_mix
  [[ -z ${OPTIONS[login_uid]} ]] || options_check_number --login-uid "${OPTIONS[login_uid]}" 0 4294967294 "a user id"
}

# All actions, unless it is said which; empty if none.
rules_check_mix() {
  local problem known
  [[ -x $BUILD/execrate ]] || die "$BUILD/execrate is not built ('make' does)"
  known=$("$BUILD/execrate" --list-actions | cut -f1 | grep -vx exec | paste -sd ' ')
  options_default mix "$known"
  options_set mix "${OPTIONS[mix]//,/ }"
  if [[ ${OPTIONS[mix]} == none ]]; then
    options_set mix ''
  else
    [[ " ${OPTIONS[mix]} " != *" exec "* ]] || die_usage "--mix is '${OPTIONS[mix]}', expected some of: $known (executions come besides)"
    problem=$("$BUILD/execrate" --action "${OPTIONS[mix]// /,}" --rate 0 2>&1 >/dev/null || true)
    [[ $problem != *"--action"* ]] || die_usage "--mix is '${OPTIONS[mix]}', expected some of: $known"
  fi
}

rules_check_counts() {
  local count
  local -a list
  read -ra list <<<"${OPTIONS[counts]//,/ }"
  for count in "${list[@]}"; do
    options_check_number --counts "$count" 0 10000 "numbers of rules, each a whole number"
  done
  options_set counts "$(printf '%d\n' 0 "${list[@]}" | sort -nu | paste -sd ' ')"
  [[ ${OPTIONS[counts]} != 0 ]] || die_usage "--counts is '${list[*]}', expected a number of rules above 0"
}

rules_check_kinds() {
  local monitor kind known
  local -a list
  known=$(for monitor in ${OPTIONS[monitors]}; do
    monitor_fact "$monitor" rules
  done | tr ' ' '\n' | sort -u | sed '/^$/d' | paste -sd ' ')
  [[ -n $known ]] || die_usage "--monitors: rules can be added to none of these: ${OPTIONS[monitors]#none }"
  options_default kinds "$(rules_default_kinds "$known")"
  read -ra list <<<"${OPTIONS[kinds]//,/ }"
  ((${#list[@]})) || die_usage "--kinds is empty, expected some of: $known"
  for kind in "${list[@]}"; do
    [[ " $known " == *" $kind "* ]] || die_usage "--kinds: none of the monitors has rules of the kind '$kind', expected some of: $known"
  done
  options_set kinds "$(printf '%s\n' "${list[@]}" | awk '!seen[$0]++' | paste -sd ' ')"
}

# rules_default_kinds "KIND...": without those that are there to be compared with each other, which would double the time of a run; all, if there
# are no others.
rules_default_kinds() {
  local kinds
  kinds=$(tr ' ' '\n' <<<"$1" | grep -vxE 'paths|recorded-(first|last)|calls-(apart|together)' | paste -sd ' ' || true)
  echo "${kinds:-$1}"
}

rules_dry_run() {
  local plan rows
  if resume_is_asked; then
    resume_prepare rules
  else
    run_find_monitors rules
  fi
  plan=$(rules_plan)
  rows=$(resume_rows <<<"$plan")
  ! rulesets_is_asked || rulesets_describe "${OPTIONS[kinds]}"
  cat <<TEXT
Monitors:    ${RUN_MONITORS[*]}
Rules:       ${OPTIONS[counts]} of each kind: ${OPTIONS[kinds]}
Rate:        ${OPTIONS[rate]} executions per second$([[ -z ${OPTIONS[mix]} ]] || echo ", and as many in turn of: ${OPTIONS[mix]}")
Each cell:   ${OPTIONS[warmup]} s of warm-up, windows of ${OPTIONS[duration]} s, ${OPTIONS[instrumented]} s, ${OPTIONS[side]} s and ${OPTIONS[syscalls]} s; ${OPTIONS[reps]} repetition(s); seed ${OPTIONS[seed]}
Results in:  ${OPTIONS[out]}
Time:        about $(progress_duration "$(rules_seconds "$rows")")
Order:
TEXT
  mlr --icsv --opprint cat <<<"$(head -n 1 <<<"$plan")"$'\n'"$rows"
}
