# shellcheck shell=bash
# The monitors from outside: which there are, whether they can run here, and the one that is measured now.
# The functions of their scripts run in a process each (lib/monitor/call.sh).

# How the monitors of this run come about: started by it, or attached to, as they run already. monitor/started.sh and
# monitor/attached.sh have the same functions for either.
MONITOR_WAY=started
MONITOR_NAME=
# exec: its log has the tags of executions; count: it tells how many there were; nothing.
MONITOR_RECORDS=nothing
# For one call into a monitor's script. An installation takes longer and has deadlines of its own.
MONITOR_CALL_SECONDS=${EXECTAX_CALL_SECONDS:-120}

# Names of all monitors, `none` first.
monitor_names() {
  local folder file
  echo none
  for folder in "$EXECTAX_ROOT/monitors" ${EXECTAX_MONITORS:+"$EXECTAX_MONITORS"}; do
    for file in "$folder"/*.sh; do
      [[ -f $file && $file != */none.sh ]] || continue
      file=${file##*/}
      echo "${file%.sh}"
    done
  done
}

monitor_exists() {
  builds_exists "$1" || [[ $'\n'$(monitor_names)$'\n' == *$'\n'"$1"$'\n'* ]]
}

# monitor_call NAME CALL [ARGUMENT...]: result WAIT_TIMED_OUT if it did not come to an end in MONITOR_CALL_SECONDS.
monitor_call() {
  local -a build
  builds_find build "$1"
  MONITOR_NAME=${1%%@*} MONITOR_CGROUP=$CGROUP_MONITOR MONITOR_ACTIONS=${OPTIONS[actions]:-exec} MONITOR_RULES=${OPTIONS[monitor_rules]:-} MONITOR_SET=${OPTIONS[monitor_set]:-} \
    MONITOR_INSTALL=${OPTIONS[install]:-no} env "${build[@]}" timeout --kill-after=5 "$MONITOR_CALL_SECONDS" bash "$EXECTAX_ROOT/lib/monitor/call.sh" "${1%%@*}" "${@:2}"
}

# monitor_spawn NAME CALL: in the background, in the monitor's group; its pid is $!.
monitor_spawn() {
  local -a build
  builds_find build "$1"
  MONITOR_NAME=${1%%@*} MONITOR_CGROUP=$CGROUP_MONITOR MONITOR_ACTIONS=${OPTIONS[actions]:-exec} MONITOR_RULES=${OPTIONS[monitor_rules]:-} MONITOR_SET=${OPTIONS[monitor_set]:-} \
    host_spawn "$CGROUP_MONITOR" env "${build[@]}" bash "$EXECTAX_ROOT/lib/monitor/call.sh" "${1%%@*}" "${@:2}"
}

# monitor_call_install NAME: what comes ready. A build of the caller's needs what else its monitor does.
monitor_call_install() {
  monitor_call_long "$1" monitor_install
}

# monitor_call_build NAME: what takes minutes, where something is missing that does not come ready.
monitor_call_build() {
  monitor_call_long "$1" build
}

# monitor_can_be_built NAME
monitor_can_be_built() {
  [[ -n $(monitor_fact "$1" build_minutes) ]]
}

# monitor_call_long NAME CALL: without a deadline.
monitor_call_long() {
  local -a build
  builds_find build "$1"
  env "${build[@]}" bash "$EXECTAX_ROOT/lib/monitor/call.sh" "${1%%@*}" "$2"
}

# monitor_fact NAME description|uses|records|actions|rules|sets|events|side|build_minutes|reference|verified_by|knobs: the fact's values, one a line. 2 if a monitor
# has no fact of that name.
monitor_fact() {
  local facts
  facts=$(monitor_call "$1" facts) || return
  awk -v fact="$2" '$1 == fact { known = 1; if (sub(/^[^ ]+ /, "")) print } END { exit !known }' <<<"$facts" || {
    echo "monitor_fact: '$2' is no fact of a monitor" >&2
    return 2
  }
}

# Its knobs, `NAME VALUE,VALUE... WHAT` a line; the first value is what it has unless another is asked for.
monitor_knobs() {
  monitor_fact "$1" knobs
}

# monitor_knob_takes NAME KNOB VALUE: where N is among a knob's values, any whole number is.
monitor_knob_takes() {
  local values
  values=,$(monitor_knobs "$1" | awk -v knob="$2" '$1 == knob { print $2 }'),
  [[ $values == *",$3,"* || ($values == *,N,* && $3 =~ ^[1-9][0-9]{0,9}$) ]]
}

monitor_has_knob() {
  monitor_knobs "$1" | awk -v knob="$2" '$1 == knob { found = 1 } END { exit !found }'
}

# Why NAME can't run here, on one line; nothing when it can.
monitor_obstacles() {
  local -a obstacles
  split_lines obstacles "$(monitor_call "$1" obstacles || echo "what it needs could not be looked at (its script ended with status $?)")"
  printf '%s\n' "${obstacles[@]}" | paste -sd ';' | sed 's/;/; /g'
}

# monitor_lacks NEED [ARGUMENT...]: why monitors with that need (requires_NEED) can't run here, on one line; nothing when they can.
monitor_lacks() {
  monitor_call none lacks "$@" | paste -sd ';' | sed 's/;/; /g'
}

# monitor_choose_way started|attached
monitor_choose_way() {
  MONITOR_WAY=$1
}

# Whether the monitors of this run are its own: then it takes the host for them, and stops them.
monitor_is_ours() {
  [[ $MONITOR_WAY == started ]]
}

# monitor_begin NAME FOLDER: what is kept of it goes to FOLDER. Returns when it records, or can't: monitor_problem tells.
monitor_begin() {
  local -a logs
  MONITOR_NAME=$1 MONITOR_RECORDS=$("${MONITOR_WAY}_records" "$1")
  logs_forget
  "${MONITOR_WAY}_begin" "$@"
  if [[ -z $(monitor_problem) ]]; then
    split_lines logs "$("${MONITOR_WAY}_logs")"
    logs_follow "${logs[@]}"
    "${MONITOR_WAY}_check_records"
    logs_look
  fi
}

# Why it could not begin, on one line; nothing if it did.
monitor_problem() {
  "${MONITOR_WAY}_problem"
}

# Where its CPU time and its BPF programs are found: `cgroup CPU_FOLDER PIDS_FOLDER` or `pid PID`.
monitor_subject() {
  "${MONITOR_WAY}_subject"
}

# monitor_limit_counters NAME: what limits did to its group by now, theirs or ours (limits_counters_json).
monitor_limit_counters() {
  "${MONITOR_WAY}_limit_counters" "$1"
}

monitor_is_alive() {
  [[ -n $(monitor_own_pids) ]]
}

monitor_own_pids() {
  "${MONITOR_WAY}_pids"
}

# End it; the audit subsystem is quiet again afterwards.
monitor_end() {
  "${MONITOR_WAY}_end"
}

# monitor_keep LOGS: what is kept of a monitor that has ended, its logs or not (yes, no); the rest is removed. 1 if its
# logs could not be kept.
monitor_keep() {
  "${MONITOR_WAY}_keep" "$1"
}

# Its last message, as the end of a sentence.
monitor_last_words() {
  "${MONITOR_WAY}_last_words"
}

# monitor_helpers NAME: what else works for it: `kthread NAME` or `unit NAME` a line.
monitor_helpers() {
  "${MONITOR_WAY}_helpers" "$1"
}

# monitor_guard [now]: end the run if what it does to the host is too much for a monitor that is not ours.
monitor_guard() {
  "${MONITOR_WAY}_guard" "$@"
}

# monitor_count PID: how many executions whose parent was PID it has recorded, where it tells executions apart by that.
monitor_count() {
  "${MONITOR_WAY}_call" monitor_count "$1"
}

# Whether it tells how many events of any kind it has seen.
monitor_counts_events() {
  "${MONITOR_WAY}_counts_events"
}

# That number.
monitor_events() {
  "${MONITOR_WAY}_call" monitor_events
}

# How many of the rules that were added to its own are in force; nothing if its script can't tell.
monitor_rules_loaded() {
  "${MONITOR_WAY}_call" monitor_rules_loaded
}

# How long it took to get ready, in ms, to about a tenth of a second.
monitor_start_ms() {
  "${MONITOR_WAY}_start_ms"
}

# How its watched and unwatched executions can be told apart at the same time: groups (monitor_unwatch), switched
# (monitor_switch), or nothing.
monitor_side() {
  "${MONITOR_WAY}_side"
}

# monitor_side_call CALL [ARGUMENT...]: of its script.
monitor_side_call() {
  "${MONITOR_WAY}_call" "$@"
}

# Why the audit subsystem is not as this monitor needs it, on one line.
monitor_audit_problem() {
  "${MONITOR_WAY}_audit_problem"
}

# Its loss counters as a JSON object; it fails if one of them has no value.
monitor_losses_json() {
  { "${MONITOR_WAY}_losses" 2>/dev/null || (($? != WAIT_TIMED_OUT)); } |
    jq -Rnc '[inputs | split(" ") | {(.[0]): (.[1] | tonumber)}] | add // {}' 2>/dev/null
}

# The names of its helpers as a JSON list.
monitor_helpers_json() {
  monitor_helpers "$MONITOR_NAME" | jq -Rnc '[inputs | split(" ")[1]]'
}

# Every pid that works for the monitor: `pid,role,name` a line, role daemon or helper.
monitor_pids() {
  local pid kind name
  for pid in $(monitor_own_pids); do
    echo "$pid,daemon,$(log_process_name "$pid")"
  done
  monitor_helpers "$MONITOR_NAME" | while read -r kind name; do
    case $kind in
      kthread) kthread_pids "$name" ;;
      unit) unit_pids "$name" ;;
    esac | while read -r pid; do
      echo "$pid,helper,$(log_process_name "$pid")"
    done
  done
}

# monitor_versions_json NAME...: {NAME: VERSION, ...}, of those of which it is known.
monitor_versions_json() {
  local name version
  for name in "$@"; do
    version=$("${MONITOR_WAY}_version" "$name")
    if [[ -n $version ]] || monitor_is_ours; then
      jq -n --arg name "$name" --arg version "$version" '{($name): $version}'
    fi
  done | jq -s 'add // {}'
}

# monitor_binaries_json NAME...: {NAME: [{path, sha256}, ...]}: what was measured is these files.
monitor_binaries_json() {
  local name path sum
  monitor_is_ours || set --
  for name in "$@"; do
    monitor_call "$name" binaries | while IFS= read -r path; do
      sum=$(sha256sum <"$path")
      jq -n --arg path "$path" --arg sha256 "${sum%% *}" '{$path, $sha256}'
    done | jq -s --arg name "$name" '{($name): .}'
  done | jq -s 'add // {}'
}
