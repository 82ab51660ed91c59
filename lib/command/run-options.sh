# shellcheck shell=bash
# The options that all kinds of runs have, checked before anything is changed.

RUN_OPTIONS_LONG=monitors:,seed:,out:,install::,no-install,allow-unverified,journald-audit:,keep-logs,yes,dry-run,quiet,resume:

# run_options_read KIND LONG_OPTIONS TAKE ARGUMENT...: those and the KIND's own, LONG_OPTIONS; see options_read.
run_options_read() {
  local kind=$1 flag
  local -a arguments
  options_set monitors all
  options_set seed $((EPOCHSECONDS % 100000))
  options_set out ''
  options_set journald_audit off
  options_set actions ''
  options_set load_margin "${EXECTAX_LOAD_MARGIN_SECONDS:-1}"
  options_set limits no
  options_set load_cpus ''
  options_set given ''
  options_set goes_on ''
  for flag in install allow_unverified keep_logs yes dry_run quiet; do
    options_set "$flag" no
  done
  run_options_join_install arguments "${@:4}"
  options_read "$kind" "$2,$RUN_OPTIONS_LONG" "$3" "${arguments[@]}"
  [[ ${OPTIONS[quiet]} == no ]] || log_be_quiet
  options_check_arguments "$kind" 0 "options only ('exectax $kind --help' lists them)"
  options_check_number --seed "${OPTIONS[seed]}" 0 2147483647 "a whole number"
  options_check_number EXECTAX_LOAD_MARGIN_SECONDS "${OPTIONS[load_margin]}" 1 600 "a whole number"
  [[ ${OPTIONS[journald_audit]} == off || ${OPTIONS[journald_audit]} == keep ]] ||
    die_usage "--journald-audit is '${OPTIONS[journald_audit]}', expected off or keep"
  run_options_check_monitors
  run_options_check_out
}

# run_options_join_install ARRAY ARGUMENT...: ARRAY gets the arguments, `--install all` among them as one: getopt takes a value that can be left out only with `=`.
run_options_join_install() {
  local -n run_options_join_array=$1
  run_options_join_array=()
  shift
  while (($#)); do
    if [[ $1 == --install && ${2:-} == all ]]; then
      run_options_join_array+=(--install=all)
      shift
    else
      run_options_join_array+=("$1")
    fi
    shift
  done
}

# run_options_take NAME VALUE: any that was given.
run_options_take() {
  options_set given "${OPTIONS[given]} $1"
  case $1 in
    no_install) options_set install no ;;
    install)
      [[ $2 == yes || $2 == all ]] || die_usage "--install is '$2', expected all, or no value"
      options_set install "$2"
      ;;
    resume) run_options_take_run resume "$2" ;;
    *) options_set "$1" "$2" ;;
  esac
}

# run_options_take_run HOW RUN: the run goes on with RUN, as this option says.
run_options_take_run() {
  [[ -z ${OPTIONS[goes_on]} ]] || die_usage "--resume and --repeat: expected one of them, once"
  [[ -n $2 ]] || die_usage "--$1 is empty, expected the folder of a run (results/...)"
  options_set goes_on "$1"
  options_set run "$(realpath -m -- "$2")"
}

# run_options_go_on KIND: with a run of that kind, which says itself what is measured.
run_options_go_on() {
  local name
  for name in ${OPTIONS[given]}; do
    case $name in
      resume | yes | dry_run | quiet | check_options | install | no_install | allow_unverified | build) ;;
      *)
        [[ ${OPTIONS[goes_on]} == repeat && " repeat reps precision budget " == *" $name "* ]] ||
          die_usage "--${name//_/-}: not expected with --${OPTIONS[goes_on]}, which measures what its run was begun with"
        ;;
    esac
  done
  refuse_run "${OPTIONS[run]}"
  resume_check_run "${OPTIONS[run]}" "$1"
  resume_take_options "${OPTIONS[run]}" "$1"
  options_check_number --seed "${OPTIONS[seed]}" 0 2147483647 "a whole number"
}

# The baseline is always among them.
run_options_check_monitors() {
  local monitor
  local -a list
  options_set monitors_given "$([[ ${OPTIONS[monitors]} == all ]] && echo no || echo yes)"
  [[ ${OPTIONS[monitors]} != all ]] || options_set monitors "$(monitor_names | paste -sd ' ')"
  read -ra list <<<"${OPTIONS[monitors]//,/ }"
  ((${#list[@]})) || die_usage "--monitors is empty, expected names from 'exectax list'"
  for monitor in "${list[@]}"; do
    monitor_exists "$monitor" || die_usage "--monitors: there is no monitor '$monitor', expected names from: $(monitor_names | paste -sd ' ')"
  done
  [[ " ${list[*]} " == *" none "* ]] || list=(none "${list[@]}")
  options_set monitors "$(printf '%s\n' "${list[@]}" | awk '!seen[$0]++' | paste -sd ' ')"
}

run_options_check_out() {
  local out
  options_default out "$(tree_results)/$(date +%Y%m%d-%H%M%S)"
  out=$(realpath -m -- "${OPTIONS[out]}")
  options_set out "$out"
  [[ ! -e $out || -d $out ]] || die_usage "--out $out is a file, expected a new or empty folder"
  [[ ! -d $out || -z $(ls -A -- "$out") ]] || die_usage "--out $out is not empty, expected a new or empty folder"
}

# run_options_take_attached NAME VALUE: --attach and --log, in the order in which they were given.
run_options_take_attached() {
  case $1 in
    attach) attached_add "$2" ;;
    log) attached_add_log "$2" ;;
  esac
}

# The monitors of an attached run are what is attached to.
run_options_check_attached() {
  [[ ${OPTIONS[monitors_given]} == no ]] || die_usage "--monitors and --attach: expected one of them, since an attached run starts no monitor"
  [[ ${OPTIONS[journald_audit]} == off && ${OPTIONS[keep_logs]} == no && ${OPTIONS[install]} == no ]] ||
    die_usage "--journald-audit, --keep-logs and --install: not expected with --attach, which changes nothing"
  monitor_choose_way attached
  options_set monitors "${ATTACHED_NAMES[*]}"
  attached_check_thresholds
}

# run_options_check_sends WHAT: somebody's pipeline is to be filled only by whoever means to.
run_options_check_sends() {
  [[ ${OPTIONS[yes]} == yes || ${OPTIONS[dry_run]} == yes ]] || die_usage "--attach: $1, expected --yes if that is intended"
}

# The load generator knows which CPUs it can have; without a place for its results it launches nothing.
run_options_check_load_cpus() {
  local problem
  [[ " ${OPTIONS[given]} " == *" load_cpus "* ]] || return 0
  [[ -x $BUILD/execrate ]] || die "$BUILD/execrate is not built ('make' does)"
  problem=$("$BUILD/execrate" --cpus "${OPTIONS[load_cpus]}" --rate 1 --duration 1 --json /dev/null/none 2>&1 >/dev/null || true)
  [[ $problem != *"--cpus"* ]] || die_usage "${problem/#execrate: --cpus/--load-cpus}"
}
