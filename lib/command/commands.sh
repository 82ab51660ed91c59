# shellcheck shell=bash
# The short subcommands.

command_list() {
  local monitor reason verbose=no
  if [[ ${1:-} == --verbose ]]; then
    verbose=yes
    shift
  fi
  (($# == 0)) || die_usage "list: unexpected argument '$1', expected --verbose or nothing"
  host_require_root "exectax list" "it asks the audit subsystem and others what can be measured"
  monitor_names | while IFS= read -r monitor; do
    reason=$(monitor_obstacles "$monitor")
    printf '%-18s %-4s %s\n' "$monitor" "$([[ -n $reason ]] && echo no || echo yes)" "$(monitor_fact "$monitor" description)"
    [[ -z $reason ]] || printf '%-23s because: %s\n' '' "$reason"
    [[ $verbose == no ]] || list_details "$monitor"
  done
}

# How its download is verified, and what it can be asked for by `exectax saturate`.
list_details() {
  local name values what actions
  actions=$(monitor_fact "$1" actions)
  [[ $(monitor_fact "$1" records) != nothing ]] || actions=nothing
  printf '%-23s verified by: %s\n' '' "$(monitor_call "$1" verified)"
  printf '%-23s records: %s\n' '' "$actions"
  monitor_knobs "$1" | while read -r name values what; do
    printf '%-23s --vary %s=%s: %s\n' '' "$name" "$values" "$what"
  done
}

# check_run ARGS...: exactly one argument, the folder of a run.
check_run() {
  (($# == 1)) || die_usage "expected one argument, the folder of a run (results/...)"
  [[ -f $1/manifest.json && -f $1/plan.csv ]] || die_usage "'$1' is no run: expected a folder with manifest.json and plan.csv"
}

command_report() {
  local rate=800 parsed flamegraphs=no run
  parsed=$(getopt -n "exectax report" -o '' -l rate:,flamegraphs -- "$@" 2>&1) ||
    die_usage "$(head -n 1 <<<"$parsed"); expected 'exectax report [--rate N] [--flamegraphs] RUN'"
  eval "set -- $parsed"
  while [[ $1 != -- ]]; do
    case $1 in
      --flamegraphs) flamegraphs=yes ;;
      --rate)
        rate=$2
        shift
        ;;
    esac
    shift
  done
  shift
  check_number --rate "$rate" 1 1000000 "executions per second"
  check_run "$@"
  run=$(realpath "$1")
  run_report "$run" "$rate"
  [[ $flamegraphs == no ]] || results_flamegraphs "$run"
}

restore_usage() {
  cat <<'TEXT'
Usage: exectax restore [--show | --forget | --force] [--wait SECONDS]
Put the host back after a run that could not do it itself, and that no watcher did it for (a power cut). What somebody else
has changed since the run had set it is left alone, and told.

  --show          what would be undone, and where what was saved of the host is; change nothing
  --force         put back what was changed since as well
  --forget        undo nothing, and forget that there is anything to undo
  --wait SECONDS  while another run is under way (whole seconds, default 0)
  --help          this text

Exit status: 0 done, or nothing to do; 1 something could not be put back; 2 bad option.
TEXT
}

command_restore() {
  local parsed how=restore seconds=0
  parsed=$(getopt -n "exectax restore" -o '' -l show,force,forget,wait:,help -- "$@" 2>&1) ||
    die_usage "$(head -n 1 <<<"$parsed"); 'exectax restore --help' lists the options"
  eval "set -- $parsed"
  while [[ $1 != -- ]]; do
    case $1 in
      --help)
        restore_usage
        exit 0
        ;;
      --wait)
        seconds=$2
        shift
        ;;
      *)
        [[ $how == restore ]] || die_usage "restore: '--$how' and '$1', expected one of them"
        how=${1#--}
        ;;
    esac
    shift
  done
  (($# == 1)) || die_usage "restore takes no argument, got '$2'"
  check_number --wait "$seconds" 0 86400 "whole seconds"
  host_require_root "exectax restore" "it changes audit rules, cgroups and services, and puts them back"
  host_lock restore "$seconds"
  if host_has_changes; then
    "restore_$how"
  else
    say "Nothing to put back."
  fi
  host_unlock
}

restore_restore() {
  host_undo || exit 1
  say "The host is as it was before the run."
}

restore_force() {
  HOST_RESTORE=forced
  restore_restore
}

restore_show() {
  local -a entries
  host_entries entries
  echo "To be undone, the last first:"
  printf '%s\n' "${entries[@]}" | sed -E 's/^([^ ]*) (.*)$/  \2 (noted by boot \1)/; s/noted by boot lasting/outlives a restart/'
  echo "Saved of the host, in $HOST_SAVED:"
  find "$HOST_SAVED" -type f -printf '  %P\n' 2>/dev/null | sort
}

restore_forget() {
  restore_show
  rm -rf "$HOST_JOURNAL" "$HOST_SAVED"
  say "Forgotten; the host stays as it is."
}

# The published data, pictures and README figures always come from one and the same run, in which everything that can
# run was measured at least twice.
command_publish() {
  check_run "$@"
  local run sparse
  run=$(realpath "$1")
  if [[ $(run_kind "$run") == saturate ]]; then
    publish_saturation "$run"
    return
  fi
  results_make "$run" >/dev/null
  sparse=$(mlr --icsv --onidx --ofs ' ' filter "\$status != \"skipped\" && \$reps < 2" then cut -f test,exec_per_sec "$run/perf.csv" | head -n 1)
  [[ -z $sparse ]] || die_usage "'$1': $sparse was measured less than twice, expected a run with at least two repetitions of everything"
  cp "$run/perf.csv" "$EXECTAX_ROOT/perf.csv"
  cp "$run"/{perf,parts}.{png,svg} "$EXECTAX_ROOT/docs/"
  publish_into_readme "$run"
  say "Published $run: perf.csv, README.md, and the pictures perf and parts in docs/"
}

# The README's figures.
publish_into_readme() {
  local run=$1 section
  section=$(mktemp)
  {
    printf '![CPU against executions per second, one line a monitor](docs/perf.png)\n\n'
    results_ranking "$run"
    printf '\n![CPU time of an execution by who pays, one bar a monitor](docs/parts.png)\n\n'
    results_costs "$run" 800
    printf '\nMeasured on %s. ' "$(results_host_line "$run")"
    [[ $(jq -r .state "$run/manifest.json") == complete ]] ||
      printf 'The run was interrupted: %s of its cells were not measured. ' "$(mlr --icsv --onidx filter "\$status == \"not-run\"" then count "$run/cells.csv")"
    printf 'In %s of %s cells the hypervisor took more than 5 %% of a CPU away; where there are others, those are in no median.\n' \
      "$(mlr --icsv --onidx cut -f marks "$run/cells.csv" | grep -c steal || true)" "$(mlr --icsv --onidx count "$run/cells.csv")"
    printf 'Versions: %s.\n' "$(jq -r '.versions | del(.none) | to_entries | map("\(.key) \(.value)") | join(", ")' "$run/manifest.json")"
  } >"$section"
  publish_section "$section" "$EXECTAX_ROOT/README.md"
  rm -f "$section"
}

# publish_section SECTION FILE: what is between the two markers of FILE becomes SECTION.
publish_section() {
  awk -v section="$1" '
    /^<!-- published run/ { print; while ((getline line < section) > 0) print line; inside = 1 }
    /^<!-- end of published run/ { inside = 0 }
    !inside && !/^<!-- published run/ { print }' "$2" >"$1.new"
  cat "$1.new" >"$2"
  rm -f "$1.new"
}
