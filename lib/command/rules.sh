# shellcheck shell=bash
# exectax rules

rules_usage() {
  cat <<'TEXT'
Usage: exectax rules [options]
Measure what an execution costs by the number of rules that a monitor has: launch /bin/true at one rate under each
monitor, with rules of several kinds and numbers added before its own rule, which goes on recording every execution.

  --monitors LIST       monitors to measure, separated by commas or spaces (default: all to which rules can be added).
                        The baseline, `none`, is always measured too
  --kinds LIST          kinds of rules (default: all that the monitors have):
                        unreached      on a system call or an event that the program never makes
                        first-differs  looked at; the first condition, or the only one, is not met
                        last-differs   looked at; the last of several conditions alone is not met
                        matching       matches every execution (the first that does records it, and ends the search)
                        watches        on files that the program does not touch
  --counts LIST         numbers of rules to add, up to 10000 (default 0 50 100 200 400). 0 is always measured too
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
  --reps N              repetitions of everything (default 1: the intervals of the fits come from all points of a line)
  --quick               1 s of warm-up, windows of 2 s each, and the counts 0 100 400, unless other options say otherwise
  --seed N              seed of the order (default: from the clock; recorded in the manifest)
  --out DIR             folder for the run, new or empty (default results/<date-time>)
  --install             install the monitors that are missing
  --no-install          measure what is here, install nothing (default)
  --allow-unverified    as for exectax sweep
  --journald-audit off|keep
                        as for exectax sweep
  --keep-logs           keep the monitors' logs (default: remove them once counted)
  --yes                 as for exectax sweep
  --dry-run             print the plan and the time it will take; change nothing
  --quiet               as for exectax sweep
  --help                show this text

Figures: rules.csv has a row for each monitor, kind and number of rules: µs of CPU time per execution, time to start,
memory, losses. fits.csv has the lines through these points: cost = fixed + slope x rules, each with its 95 % interval.
docs/rules.md says how to read them.

Examples:
  exectax rules --monitors auditd-raw --quick
  exectax rules --monitors auditd-raw,falco --kinds unreached,last-differs --counts "100 300"

Exit status: 0 done; 1 failed; 2 bad option; 130 or 143 interrupted.
TEXT
}

rules_main() {
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
  options_set rate 400
  options_set reps 1
  options_set quick no
  run_options_read rules kinds:,counts:,rate:,duration:,instrumented:,side:,syscalls:,warmup:,reps:,quick run_options_take "$@"
  if [[ ${OPTIONS[quick]} == yes ]]; then
    options_default counts "0 100 400"
    options_default warmup 1
    for name in duration instrumented side; do
      options_default "$name" 2
    done
  fi
  options_default counts "0 50 100 200 400"
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
  rules_check_counts
  rules_check_kinds
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
  options_default kinds "$known"
  read -ra list <<<"${OPTIONS[kinds]//,/ }"
  ((${#list[@]})) || die_usage "--kinds is empty, expected some of: $known"
  for kind in "${list[@]}"; do
    [[ " $known " == *" $kind "* ]] || die_usage "--kinds: none of the monitors has rules of the kind '$kind', expected some of: $known"
  done
  options_set kinds "$(printf '%s\n' "${list[@]}" | awk '!seen[$0]++' | paste -sd ' ')"
}

rules_dry_run() {
  local plan
  run_find_monitors rules
  plan=$(rules_plan)
  cat <<TEXT
Monitors:    ${RUN_MONITORS[*]}
Rules:       ${OPTIONS[counts]} of each kind: ${OPTIONS[kinds]}
Rate:        ${OPTIONS[rate]} executions per second
Each cell:   ${OPTIONS[warmup]} s of warm-up, windows of ${OPTIONS[duration]} s, ${OPTIONS[instrumented]} s, ${OPTIONS[side]} s and ${OPTIONS[syscalls]} s; ${OPTIONS[reps]} repetition(s); seed ${OPTIONS[seed]}
Results in:  ${OPTIONS[out]}
Time:        about $(progress_duration "$(rules_seconds "$(tail -n +2 <<<"$plan")")")
Order:
TEXT
  mlr --icsv --opprint cat <<<"$plan"
}
