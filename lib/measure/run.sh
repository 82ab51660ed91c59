# shellcheck shell=bash
# What all runs of monitors have in common: a run takes the host, measures, and gives it back.
# A kind of run (sweep, saturate, rules) has the functions KIND_obstacles, KIND_launches, KIND_plan (plan.csv on stdout), KIND_measure
# and KIND_options_json.

RUN_KIND=
# yes: from here on the manifest is this run's.
RUN_BEGUN=no
RUN_COMPLETE=no
# What was made for --out, the innermost first.
RUN_MADE_FOLDERS=()
# What can be measured here, and why the rest can't.
RUN_MONITORS=()
declare -gA RUN_SKIPPED=()

# run_main KIND ARGUMENT...: from checked options to the pictures; the arguments are those that exectax was given.
run_main() {
  local tag
  RUN_KIND=$1
  refuse_surroundings
  exempt_join "$EXECTAX_ROOT/exectax" "$@"
  host_take "$RUN_KIND into ${OPTIONS[out]}" run_leave
  run_check_tools
  ! resume_is_asked || resume_prepare "$RUN_KIND"
  run_refuse
  resume_is_asked || run_make_out
  watch_begin
  tag=$(run_new_tag) || exit 1
  block_set_tag "$tag"
  if resume_is_asked; then
    run_go_on
  else
    run_begin
  fi
  disk_reserve "${OPTIONS[out]}"
  run_isolate
  meter_find_helpers <<<"$(run_helpers)"
  "${RUN_KIND}_measure"
  block_end
  progress_end
  RUN_COMPLETE=yes
}

run_begin() {
  [[ ${OPTIONS[install]} == no ]] || run_install
  run_find_monitors "$RUN_KIND"
  "${RUN_KIND}_plan" >"${OPTIONS[out]}/plan.csv"
  run_find_instruments
  RUN_BEGUN=yes
  manifest_begin "${OPTIONS[out]}" "$RUN_KIND"
}

# The manifest first: a run with cells that are only planned is not complete.
run_go_on() {
  local plan
  plan=$("${RUN_KIND}_plan")
  run_find_instruments
  RUN_BEGUN=yes
  manifest_go_on "${OPTIONS[out]}" "$(run_options_gone_on)"
  manifest_write "${OPTIONS[out]}/plan.csv" <<<"$plan"
}

# Options that are others from now on, a JSON object.
run_options_gone_on() {
  "${RUN_KIND}_options_json" | jq -c 'with_entries(select(.key == ("reps", "budget_s") or .key == "precision_percent" and .value != null))'
}

# The folders on the way to it must let through whom a run by way of sudo is given to. What somebody has put there since it was looked at is found now.
run_make_out() {
  local folder=${OPTIONS[out]} problem
  while [[ ! -e $folder ]]; do
    RUN_MADE_FOLDERS+=("$folder")
    folder=$(dirname -- "$folder")
  done
  (umask 022 && mkdir -p -- "$(dirname -- "${OPTIONS[out]}")" && umask 077 && { [[ -d ${OPTIONS[out]} ]] || mkdir -- "${OPTIONS[out]}"; }) 2>/dev/null ||
    die_usage "--out: the folder ${OPTIONS[out]} can't be made, expected a new or empty folder"
  problem=$(refuse_out "${OPTIONS[out]}")
  [[ -z $problem ]] || die_usage "$problem"
}

# What is attached to writes where it always does, which is looked after while it runs. It is to stay at work, and no rule is touched.
run_refuse() {
  local launches at_once
  read -r launches at_once <<<"$("${RUN_KIND}_launches")"
  if monitor_is_ours; then
    refuse_folders "${OPTIONS[out]}" "$launches" "$at_once" "${OPTIONS[keep_logs]}"
    [[ ${OPTIONS[yes]} == yes ]] || refuse_company
  else
    refuse_folders "${OPTIONS[out]}" "$launches" 0 no
  fi
}

# What a tag holds besides, the kernel leaves 15 characters for where it is in the name of a thread or a file. There, with the number of the
# cell up to 999, room for ten million launches must be left. What runs already has a log with the tags of earlier runs.
run_new_tag() {
  local bytes=4 tag
  local -i try
  [[ ${OPTIONS[actions]:-exec} == exec ]] || bytes=1
  for ((try = 0; try < 1000; try++)); do
    tag=x$(od -An -N$bytes -tx$bytes /dev/urandom | tr -d ' ')
    if ! attached_logs_have "$tag."; then
      echo "$tag"
      return
    fi
  done
  die "every tag is in a log already: expected a log (--log) without the records of hundreds of earlier runs"
}

# However a run ends: the host is put back first, then what was measured is made into tables and pictures.
run_leave() {
  local status=$? folder
  host_begin_leaving "$status"
  # In a process of its own, so that nothing in it can end this.
  (block_end && [[ $BLOCK_KEPT_ALL == yes ]]) || status=$((status ? status : 1))
  host_give_back || status=1
  trap - INT TERM HUP PIPE
  set -e
  if [[ $RUN_BEGUN == yes && -f ${OPTIONS[out]}/manifest.json ]]; then
    run_finish "$status" || status=1
  else
    for folder in "${RUN_MADE_FOLDERS[@]}"; do
      rmdir -- "$folder" 2>/dev/null || break
    done
  fi
  exit "$status"
}

# run_finish STATUS: of a run that has measured something: the manifest, the report, whose it is. All of it is tried; 1 if some fails.
run_finish() {
  local out=${OPTIONS[out]} result=0
  disk_release "$out"
  if [[ $RUN_COMPLETE == yes ]]; then
    manifest_end "$out" complete ""
  else
    manifest_end "$out" interrupted "$(run_reason "$1")"
  fi || result=1
  [[ $RUN_KIND != sweep ]] || passes_note_end "$out" "$(jq -r '.reason // empty' "$out/manifest.json")" || result=1
  if [[ -n $(find "$out/cells" -name cell.json -print -quit 2>/dev/null) ]]; then
    run_report "$out" || result=1
  fi
  [[ $RUN_KIND != sweep ]] || say "$(jq -r '.outcome // empty' "$out/manifest.json")"
  # A run by way of sudo belongs to who called it.
  [[ -z ${SUDO_UID:-} ]] || chown -R -P --no-dereference -- "$SUDO_UID:${SUDO_GID:-}" "$out" || result=1
  return "$result"
}

# run_report RUN: its tables, pictures and page.
run_report() {
  "$EXECTAX_ROOT/exectax" report "$1" || return 1
  say "To read: $1/report.html"
}

# run_reason STATUS: why a run ended early.
run_reason() {
  if [[ -n $(log_died_of) ]]; then
    log_died_of
  elif (($1 > 128)); then
    echo "SIG$(kill -l "$1")"
  else
    echo "exit status $1"
  fi
}

# What has to be built is a reason to skip its monitor, unless building was asked for: then it comes before anything is measured.
run_install() {
  local monitor
  for monitor in ${OPTIONS[monitors]}; do
    EXECTAX_ALLOW_UNVERIFIED=${OPTIONS[allow_unverified]} monitor_call_install "$monitor" || monitor_can_be_built "$monitor" ||
      warn "$monitor could not be installed; 'exectax list' says what it needs"
  done
  [[ ${OPTIONS[install]} == all ]] || return 0
  for monitor in ${OPTIONS[monitors]}; do
    monitor_call_build "$monitor" || warn "$monitor could not be built; 'exectax list' says what it needs"
  done
}

run_check_tools() {
  local missing
  missing=$(run_missing_tools)
  [[ -z $missing ]] || die "not installed: $missing ('$(tree_install_deps)' gets them)"
  missing=$(run_missing_programs)
  [[ -z $missing ]] || die "$BUILD/${missing%% *} is not built ('make' does)"
}

# What a run calls, on one line, as far as it is not installed.
run_missing_tools() {
  local tool
  for tool in pidstat gnuplot mlr jq flock pgrep; do
    command -v "$tool" >/dev/null || echo "$tool"
  done | paste -sd ' '
}

# What it calls of this tree, as far as it is not built.
run_missing_programs() {
  local program
  for program in execrate syscost cpumeter logfollow figures; do
    [[ -x $BUILD/$program ]] || echo "$program"
  done | paste -sd ' '
}

# run_find_monitors KIND: what can be measured here by that kind of run; the rest is skipped.
run_find_monitors() {
  local monitor reason
  RUN_MONITORS=() RUN_SKIPPED=()
  if ! monitor_is_ours; then
    RUN_MONITORS=("${ATTACHED_NAMES[@]}")
    return
  fi
  for monitor in ${OPTIONS[monitors]}; do
    reason=$("$1_obstacles" "$monitor")
    if [[ -n $reason ]]; then
      run_skip "$monitor" "$reason"
    else
      RUN_MONITORS+=("$monitor")
    fi
  done
}

# run_set_monitors "MONITOR...": those of the run that this one goes on with.
run_set_monitors() {
  read -ra RUN_MONITORS <<<"$1"
}

# run_skip WHAT REASON: WHAT is a monitor, or a monitor with its limits and knobs.
run_skip() {
  RUN_SKIPPED[$1]=$2
  say "Skipping $1: $2"
}

# The helpers of all monitors of the run.
run_helpers() {
  local monitor
  for monitor in "${RUN_MONITORS[@]}"; do
    monitor_helpers "$monitor"
  done
}

# What window B can use here; what it can't is said once.
run_find_instruments() {
  local reason
  [[ $RUN_KIND == saturate ]] || cores_watch
  [[ ${OPTIONS[instrumented]} != 0 ]] || return 0
  reason=$(profile_problem)
  if [[ -n $reason ]]; then
    profile_never
    say "No profiles, and no second opinion on eBPF: $reason"
  fi
  # Most machines are virtual and have none, so that is nothing to tell.
  [[ -z $(instructions_problem) ]] || instructions_never
  if ! reason=$("$BUILD/cpumeter" --once --bpf --output /dev/null 2>&1); then
    meter_without_bpf
    say "No eBPF figures: $reason"
  fi
}

run_isolate() {
  # Undone backwards: first everything that runs is ended; audit's flags come last, since journald sets `enabled` when
  # it starts.
  if monitor_is_ours; then
    audit_isolate
    journald_isolate "${OPTIONS[journald_audit]}"
    host_make_scratch
    disk_reserve "$HOST_STATE_DIR/scratch"
  fi
  [[ ${OPTIONS[limits]} != yes ]] || limits_pass_on "${CGROUP_MOUNTS[0]}"
  host_record undo_cgroups
  cgroup_create load
  cgroup_create sampler
  ! monitor_is_ours || cgroup_create "$CGROUP_MONITOR"
  [[ ${OPTIONS[limits]} != yes ]] || limits_pass_on "${CGROUP_MOUNTS[0]}/exectax"
}
