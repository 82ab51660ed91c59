# shellcheck shell=bash
# exectax rules --engines

ENGINES_BEGUN=no
# Building and measuring that takes longer hangs.
ENGINES_SECONDS=172800

rules_engines_usage() {
  cat <<'TEXT'
Usage: exectax rules --engines [options]
Measure rule engines by themselves, without a monitor: what it costs to look at one event, by the number of signatures.
Those of today (plain Go, expr, CEL, Rego, Rego compiled to WASM), each with the same three signatures; and the benchmark
of four engines that Tracee had in 2021, in its own version and in a later one. Needs Go 1.26, or 1.21 that can get it.

  --counts LIST         numbers of signatures, up to 10000 (default 2 10 100 1000), for the engines of today
  --reps N              passes: each is everything once, in a new order (default 5)
  --duration SECONDS    length of each measurement (whole seconds, default 1)
  --no-tracee           the engines of today alone
  --quick               the counts 2 20 200 and 3 passes, without Tracee's, unless other options say otherwise
  --seed N              seed of the order (default: from the clock; recorded in the manifest)
  --out DIR             folder for the run, new or empty (default results/<date-time>)
  --dry-run             print the plan and the time it will take; change nothing
  --help                show this text

Figures: engines.csv has a row for each engine, signature and number of them: ns, bytes and allocations an event, time to
compile, memory. engine-fits.csv has the lines through these: cost = fixed + slope x signatures, each with its 95 %
interval. docs/engines.md says how to read them.

Examples:
  exectax rules --engines --quick
  exectax rules --engines --counts "2 100" --no-tracee

Exit status: 0 done; 1 failed, or there is no Go that can do it; 2 bad option; 130 or 143 interrupted.
TEXT
}

# engines_are_asked ARGUMENT...
engines_are_asked() {
  [[ " $* " == *" --engines "* ]]
}

engines_main() {
  engines_options "$@"
  if [[ ${OPTIONS[dry_run]} == yes ]]; then
    engines_dry_run
  else
    host_require_root "exectax rules --engines" "a user of no name builds and runs the engines"
    engines_run
  fi
}

engines_options() {
  local count
  local -a list
  options_set counts ''
  options_set reps ''
  options_set duration 1
  options_set tracee yes
  options_set seed $((EPOCHSECONDS % 100000))
  options_set out ''
  options_set quick no
  options_set dry_run no
  options_set actions ''
  options_read "rules --engines" engines,counts:,reps:,duration:,no-tracee,quick,seed:,out:,dry-run,resume: engines_take "$@"
  options_check_arguments "rules --engines" 0 "options only ('exectax rules --engines --help' lists them)"
  if [[ ${OPTIONS[quick]} == yes ]]; then
    options_default counts "2 20 200"
    options_default reps 3
    options_set tracee no
  fi
  options_default counts "2 10 100 1000"
  options_default reps 5
  options_check_number --reps "${OPTIONS[reps]}" 1 1000 "a whole number"
  options_check_number --duration "${OPTIONS[duration]}" 1 60 "whole seconds"
  options_check_number --seed "${OPTIONS[seed]}" 0 2147483647 "a whole number"
  read -ra list <<<"${OPTIONS[counts]//,/ }"
  ((${#list[@]})) || die_usage "--counts is empty, expected numbers of signatures"
  for count in "${list[@]}"; do
    options_check_number --counts "$count" 1 10000 "numbers of signatures, each a whole number"
  done
  options_set counts "$(printf '%s\n' "${list[@]}" | sort -nu | paste -sd ' ')"
  run_options_check_out
}

# engines_take NAME VALUE
engines_take() {
  case $1 in
    no_tracee) options_set tracee no ;;
    resume) die_usage "--resume: not expected with --engines, whose runs can't be resumed: begin another" ;;
    *) options_set "$1" "$2" ;;
  esac
}

engines_dry_run() {
  local plan obstacle
  obstacle=$(engines_obstacle)
  plan=$(engines_plan)
  cat <<TEXT
Engines:     $([[ -z $obstacle ]] && echo "can be measured here" || echo "skipped: $obstacle")
Each cell:   a process of its own, ${OPTIONS[duration]} s; ${OPTIONS[reps]} repetition(s); seed ${OPTIONS[seed]}
Results in:  ${OPTIONS[out]}
Time:        about $(progress_duration "$(engines_seconds "$(tail -n +2 <<<"$plan")")"), and some minutes to build
Order:
TEXT
  mlr --icsv --opprint cat <<<"$plan"
}

engines_run() {
  local obstacle
  obstacle=$(engines_obstacle)
  [[ -z $obstacle ]] || die "rule engines are skipped: $obstacle"
  run_check_tools
  host_take "rule engines into ${OPTIONS[out]}" engines_leave
  run_make_out
  watch_begin
  block_set_tag "$(run_new_tag)"
  ENGINES_BEGUN=yes
  # In the background, so that a signal ends the waiting.
  in_build_folder engines_build_and_measure &
  wait_for_pid $! "$ENGINES_SECONDS" || die "the rule engines could not be built, or not be measured (see above)"
}

# However it ends: nothing of the builder's stays, then what was measured is made into tables and a picture.
engines_leave() {
  local status=$? out=${OPTIONS[out]} worker workers
  # What builds and measures; a signal can come before its pid was noted.
  workers=$(jobs -p)
  host_begin_leaving "$status"
  for worker in $workers; do
    child_signal TERM "$worker"
  done
  host_give_back || status=1
  trap - INT TERM HUP PIPE
  if [[ $ENGINES_BEGUN == yes && -f $out/manifest.json ]]; then
    engines_finish "$status" || status=1
  elif [[ $ENGINES_BEGUN == yes ]]; then
    rm -f "$out/plan.csv"
    rmdir -- "$out" 2>/dev/null
  fi
  exit "$status"
}

# engines_finish STATUS
engines_finish() {
  local out=${OPTIONS[out]} result=0
  if (($1 == 0)); then
    manifest_end "$out" complete ""
  else
    manifest_end "$out" interrupted "$(run_reason "$1")"
  fi || result=1
  run_report "$out" || result=1
  [[ -z ${SUDO_UID:-} ]] || chown -R -P --no-dereference -- "$SUDO_UID:${SUDO_GID:-}" "$out" || result=1
  return "$result"
}
