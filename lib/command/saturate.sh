# shellcheck shell=bash
# exectax saturate

saturate_usage() {
  cat <<'TEXT'
Usage: exectax saturate [options]
Find the highest rate that each monitor takes without losing events: double the rate of the load until events are lost
or the rate no longer grows. If events were lost, halve the interval between the highest lossless and the lowest lossy
rate until it is narrow enough.

  --monitors LIST       monitors to measure, separated by commas or spaces (default: all that record the --action)
  --attach WHAT         instead of starting monitors, search with one that runs already, as it is deployed and under its own limits,
                        which are shown. WHAT is as for exectax sweep. Can be given several times: one after the other, each of which
                        has the events of all. Needs --log for each, and --yes, since what they record goes where it always does: how
                        much that is at most is said first, --max-rate lowers it. The run ends as exectax sweep --attach does, to
                        protect it. Not with options that choose monitors, limits or knobs
  --log FILE            as for exectax sweep
  --load-cpus LIST      CPUs for the load, such as 2-3 or 0,2 (default: all)
  --action LIST         what the load does, in turn: exec (default), open, read-sensitive, write-below-bin,
                        change-namespace, connect (execrate --help describes them)
  --start RATE          events per second of the first round (default 100)
  --max-rate RATE       highest rate to ask for (default 102400)
  --round SECONDS       length of the measured window of a round (whole seconds, default 5). The load starts 1 s
                        before the window and ends 2 s after it; losses are those of the whole load
  --precision PERCENT   stop when the lowest lossy rate is this close to the highest lossless one (1 to 100, default 5; 100: once
                        the doubled rate has lost events)
  --repeat N            searches for each combination of monitor, limits and knobs (default 3)
  --soak SECONDS        after each search, that long (5 to 86400, such as 120) at 80 % of the highest rate that it has found
                        without loss: was anything lost, does the monitor's memory grow? (default 0: no)
  --profile NAME        the options of a published experiment, and its values beside ours; options that are given as well
                        count instead of its own: falco-2021 (default: none)
  --limit-cpus LIST     limits on the CPUs of the monitor's cgroup, such as none,0.5,2; measure under each
                        (default none: no limit)
  --limit-memory LIST   limits on its memory, such as none,512M,1G; measure under each (default none)
  --vary KNOB=LIST      set a knob of the monitors to each of these values (`exectax list --verbose` shows knobs and
                        values). Can be given several times; monitors without the knob are measured as they are
  --seed N              seed of the order of the searches (default: from the clock; recorded in the manifest)
  --out DIR             folder for the run, new or empty (default results/<date-time>)
  --resume RUN          finish RUN, a run of exectax saturate that was interrupted or killed: make the searches that it lacks, with the
                        options that it was begun with; one that was cut off is made anew. As for exectax sweep
  --install [all]       as for exectax sweep
  --no-install          measure what is here, install nothing (default)
  --allow-unverified    as for exectax sweep
  --journald-audit off|keep
                        as for exectax sweep
  --keep-logs           keep the monitors' logs (default: remove them once counted)
  --yes                 as for exectax sweep
  --dry-run             print the searches; change nothing
  --quiet               as for exectax sweep
  --help                show this text

Figures: an event is one action of the load. Events per second are the rate that the load reached. lost is the number
of events whose tag is not in the monitor's log. cpu is the CPU time of the monitor's cgroup in the window, memory the
peak of its processes. Of a soak, the slope of their memory over time with its 95 % interval. results/README.md describes
all columns.

With --resume, only --yes, --dry-run, --quiet and the options of installation, which then have nothing to do, are accepted.

Examples:
  exectax saturate --monitors falco --limit-cpus none,0.5 --limit-memory none,512M
  exectax saturate --monitors falco --vary buf_size_preset=1,4,8
  exectax saturate --monitors falco,auditd-raw --soak 120
  exectax saturate --profile falco-2021
  exectax saturate --attach pod:falco/app=falco --log container:falco --max-rate 5000 --yes
  exectax saturate --resume results/20260101-120000

Exit status: 0 done; 1 failed; 2 bad option, or a run that can't go on; 130 or 143 interrupted.
TEXT
}

saturate_main() {
  saturate_options "$@"
  host_require_root "exectax saturate" "it changes audit rules, cgroups and services, and puts them back"
  if [[ ${OPTIONS[dry_run]} == yes ]]; then
    saturate_dry_run
  else
    run_main saturate "$@"
  fi
}

saturate_dry_run() {
  local plan
  if resume_is_asked; then
    resume_prepare saturate
  else
    run_find_monitors saturate
  fi
  monitor_is_ours || echo "Sends: $(saturate_sends)"
  plan=$(saturate_plan)
  { head -n 1 <<<"$plan" && saturate_rows <<<"$plan"; } | mlr --icsv --opprint cat
}

saturate_options() {
  local profile
  local -a arguments=()
  profile=$(saturate_profile_named "$@")
  [[ -z $profile ]] || published_exists "$profile" || die_usage "--profile: there is no profile '$profile', expected one of: $(published_names | paste -sd ' ')"
  [[ -z $profile ]] || split_lines arguments "$(published_arguments "$profile")"
  options_set profile ''
  options_set soak 0
  options_set action "exec"
  options_set start 100
  options_set max_rate 102400
  options_set round 5
  options_set precision 5
  options_set repeat 3
  options_set limit_cpus none
  options_set limit_memory none
  run_options_read saturate action:,start:,max-rate:,round:,precision:,repeat:,soak:,profile:,limit-cpus:,limit-memory:,vary:,attach:,log:,load-cpus: saturate_take "${arguments[@]}" "$@"
  [[ ${OPTIONS[profile]} == "$profile" ]] || die_usage "--profile can be given once, and not be shortened"
  [[ -z ${OPTIONS[goes_on]} ]] || saturate_go_on
  options_check_number --start "${OPTIONS[start]}" 1 1000000 "events per second"
  options_check_number --max-rate "${OPTIONS[max_rate]}" "${OPTIONS[start]}" 1000000 "events per second"
  options_check_number --round "${OPTIONS[round]}" 1 3600 "whole seconds"
  options_check_number --precision "${OPTIONS[precision]}" 1 100 "a percentage, a whole number"
  options_check_number --repeat "${OPTIONS[repeat]}" 1 1000 "a whole number"
  [[ ${OPTIONS[soak]} == 0 ]] || options_check_number --soak "${OPTIONS[soak]}" 5 86400 "0 or whole seconds"
  saturate_check_actions
  run_options_check_load_cpus
  saturate_check_limits
  if ((${#ATTACHED_NAMES[@]})); then
    saturate_check_attached
  else
    saturate_drop_baseline
    saturate_check_knobs
  fi
  [[ -z $profile ]] || saturate_fit_to_host
  # What a round is as a cell.
  options_set warmup 1
  options_set duration "${OPTIONS[round]}"
  options_set instrumented 0
  options_set side 0
  options_set load_margin 2
  monitor_is_ours || run_options_check_sends "$(saturate_sends)"
  [[ -z ${OPTIONS[goes_on]} ]] || resume_check_options "${OPTIONS[run]}" saturate
}

# saturate_take NAME VALUE
saturate_take() {
  if [[ $1 == vary ]]; then
    [[ $2 =~ ^([a-z][a-z0-9_]*)=([A-Za-z0-9_.,-]+)$ ]] || die_usage "--vary is '$2', expected KNOB=VALUE,VALUE such as buffered=no,yes"
    options_set "vary_${BASH_REMATCH[1]}" "${BASH_REMATCH[2]//,/ }"
  fi
  run_options_take_attached "$@"
  run_options_take "$@"
}

# What is attached to is as somebody else has set it up, and nobody but its log knows what it loses.
saturate_check_attached() {
  local name
  [[ ${OPTIONS[limit_cpus]} == - && ${OPTIONS[limit_memory]} == - && -z ${OPTIONS[profile]} && -z $(saturate_varied) ]] ||
    die_usage "--limit-cpus, --limit-memory, --vary and --profile: not expected with --attach, which takes monitors as they are"
  run_options_check_attached
  for name in "${ATTACHED_NAMES[@]}"; do
    attached_has_log "$name" || die_usage "--attach $name: expected --log with it, since nothing else tells what it has lost"
  done
  options_set limits theirs
}

# In the manifest, a limit that is none is -, and all knobs are one object.
saturate_go_on() {
  local knob values
  options_set vary '{}'
  run_options_go_on saturate
  run_options_check_monitors
  options_set limit_cpus "${OPTIONS[limit_cpus]//-/none}"
  options_set limit_memory "${OPTIONS[limit_memory]//-/none}"
  while read -r knob values; do
    [[ -z $knob ]] || options_set "vary_$knob" "$values"
  done <<<"$(jq -Rr 'fromjson? | objects | to_entries[] | "\(.key) \(.value | arrays | join(" "))"' <<<"${OPTIONS[vary]}")"
}

# saturate_profile_named ARGUMENT...: the profile that the arguments name, if they do. Its options come before all that are given, so it has
# to be known before these are read.
saturate_profile_named() {
  local name=
  while (($#)); do
    case $1 in
      --profile) name=${2:-} ;;
      --profile=*) name=${1#--profile=} ;;
    esac
    shift
  done
  echo "$name"
}

# A profile's limits may be those of a larger machine.
saturate_fit_to_host() {
  local value cpus
  local -a fitting=()
  cpus=$(nproc)
  for value in ${OPTIONS[limit_cpus]}; do
    if [[ $value != - ]] && awk -v value="$value" -v cpus="$cpus" 'BEGIN { exit !(value > cpus) }'; then
      say "Leaving out the limit of $value CPUs: this machine has $cpus"
    else
      fitting+=("$value")
    fi
  done
  ((${#fitting[@]})) || die_usage "--limit-cpus: all of '${OPTIONS[limit_cpus]}' are more than this machine's $cpus CPUs"
  options_set limit_cpus "${fitting[*]}"
}

saturate_check_actions() {
  local problem
  options_set actions "${OPTIONS[action]//,/ }"
  [[ -n ${OPTIONS[actions]} ]] || die_usage "--action is empty, expected names such as exec,connect"
  [[ -x $BUILD/execrate ]] || die "$BUILD/execrate is not built ('make' does)"
  # It knows which there are, and tries them before it looks for a rate.
  problem=$("$BUILD/execrate" --action "${OPTIONS[actions]// /,}" --rate 0 2>&1 >/dev/null || true)
  [[ $problem != *"--action"* ]] || die_usage "${problem#execrate: }"
}

# A limit that is none becomes -.
saturate_check_limits() {
  local value
  local -a given
  read -ra given <<<"${OPTIONS[limit_cpus]//,/ }"
  for value in "${given[@]}"; do
    [[ $value == none || $value =~ ^([1-9][0-9]{0,3}(\.[0-9]{1,2})?|0\.([1-9][0-9]?|0[1-9]))$ ]] ||
      die_usage "--limit-cpus: '$value', expected none or CPUs from 0.01 to 9999.99"
  done
  options_set limit_cpus "${given[*]//none/-}"
  read -ra given <<<"${OPTIONS[limit_memory]//,/ }"
  for value in "${given[@]}"; do
    [[ $value == none || $value =~ ^[1-9][0-9]{0,8}[KMG]$ ]] || die_usage "--limit-memory: '$value', expected none or a size such as 512M"
  done
  options_set limit_memory "${given[*]//none/-}"
  [[ -n ${OPTIONS[limit_cpus]} && -n ${OPTIONS[limit_memory]} ]] || die_usage "--limit-cpus and --limit-memory: expected at least one value each"
  [[ ${OPTIONS[limit_cpus]} == - && ${OPTIONS[limit_memory]} == - ]] || options_set limits yes
}

# There is nothing to lose under no monitor.
saturate_drop_baseline() {
  local -a list
  read -ra list <<<"${OPTIONS[monitors]}"
  options_set monitors "$(printf '%s\n' "${list[@]}" | grep -vx none | paste -sd ' ' || true)"
  [[ -n ${OPTIONS[monitors]} ]] || die_usage "--monitors: expected a monitor that records something"
}

saturate_check_knobs() {
  local knob monitor value found
  for knob in $(saturate_varied); do
    found=no
    for monitor in ${OPTIONS[monitors]}; do
      monitor_has_knob "$monitor" "$knob" || continue
      found=yes
      for value in ${OPTIONS[vary_$knob]}; do
        monitor_knob_takes "$monitor" "$knob" "$value" ||
          die_usage "--vary $knob: $monitor does not take '$value', expected $(monitor_knobs "$monitor" | awk -v knob="$knob" '$1 == knob { print $2 }')"
      done
    done
    # A profile may be tried with other monitors than its own.
    [[ $found == yes ]] || published_varies "${OPTIONS[profile]}" "$knob" || die_usage "--vary: none of the monitors has a knob '$knob'; 'exectax list --verbose' has them all"
  done
}
