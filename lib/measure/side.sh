# shellcheck shell=bash
# Window S, side by side: watched and unwatched executions at the same time, which drift and neighbours disturb alike. It has a
# load of its own after that of the other windows, so that nothing in it is in their figures.
#
# How a launch is made an unwatched one is up to the monitor (monitor_side):
#   groups: each launch is drawn into one of two groups of our own, of which the monitor does not watch one. Which one is
#     swapped half-way, so that whatever else may be different between the two cancels out.
#   switched: nobody can be left out, but the monitor can be switched off and on several times a second.
#
# Writes load.json, launches.csv.gz, phases.csv (what was unwatched from when to when: 0 or 1, a group; all; none), and
# recorded.csv.gz (which launches are in the log), into the folder side of the cell, and side.json: the way, and what went wrong.

# Before the first phase: the load has reached its rate, and caches are warm.
SIDE_LEAD_SECONDS=1
# How long the load may go on for what takes long on a slow host: calls into the monitor's script. It is ended when the last phase is over.
SIDE_MARGIN_SECONDS=60
# With --side auto, the window has so many launches at any rate, since what a launch costs scatters much alike at all, but is not shorter or
# longer than that.
SIDE_AUTO_LAUNCHES=1200
SIDE_AUTO_SECONDS=3
SIDE_AUTO_SECONDS_MAX=12
# A phase of a monitor that is switched: the shorter, the less has drifted from one to the next; but nearly all launches must be over within the
# quarter of it that is left out at its end (src/figures/side.c).
SIDE_SWITCH_US_MIN=20000
SIDE_SWITCH_US_MAX=200000
SIDE_PROBLEM=

# How window S is measured under the monitor that runs; nothing if it is not.
side_way() {
  # An action that executes nothing has no room for a group in what it is told apart by.
  [[ ${OPTIONS[actions]:-exec} != exec ]] || monitor_side
}

# side_run DIR TAG RATE SEED: under the monitor that runs, in the cell whose folder is DIR. What goes wrong costs this window alone.
side_run() {
  local dir=$1/side tag=$2 rate=$3 seed=$4 way groups load_pid
  way=$(side_way)
  [[ -n $way ]] || return 0
  groups=$(exempt_groups)
  side_begin "$dir" "$way" "$groups"
  host_spawn load "$BUILD/execrate" --rate "$rate" --duration "$(side_load_seconds "$rate")" --groups "$groups" --seed "$seed" --tag "$tag" \
    ${EXECTAX_COMMAND:+--command "$EXECTAX_COMMAND"} ${OPTIONS[load_cpus]:+--cpus "${OPTIONS[load_cpus]}"} \
    --json "$dir/load.json" --launches "$dir/launches.csv" 2>"$dir/load.stderr"
  load_pid=$!
  side_rest "$SIDE_LEAD_SECONDS"
  "side_phases_$way" "$dir" "$groups" "$(side_window_seconds "$rate")" "$(side_switch_us "$1/load.json")"
  side_end_load "$load_pid" "$dir/load.stderr"
  side_list_recorded "$dir" "$tag"
  gzip -f "$dir/launches.csv" || side_problem "the list of launches can't be packed"
  monitor_is_alive || side_problem "the monitor died"
  jq -n --arg way "$way" --arg problem "$SIDE_PROBLEM" --arg records "$MONITOR_RECORDS" '$ARGS.named' >"$dir/side.json" ||
    cell_problem "side.json could not be written"
  [[ -z $SIDE_PROBLEM ]] || warn "$MONITOR_NAME at $rate/s, side by side: $SIDE_PROBLEM"
}

# side_begin DIR WAY GROUPS: before the load whose records come into DIR.
side_begin() {
  mkdir -p "$1"
  SIDE_PROBLEM=''
  echo unwatched,from_real_us,to_real_us >"$1/phases.csv"
  # Those that are forked later, and so all of the load's.
  [[ $2 != groups ]] || side_call monitor_unwatch "${3%,*}"
}

# The first problem is the one that is told.
side_problem() {
  : "${SIDE_PROBLEM:=$1}"
}

# side_window_seconds RATE: how long the window is.
side_window_seconds() {
  local -i seconds
  if [[ ${OPTIONS[side]} != auto ]]; then
    echo "${OPTIONS[side]}"
    return
  fi
  seconds=$(((SIDE_AUTO_LAUNCHES + $1 - 1) / $1))
  ((seconds >= SIDE_AUTO_SECONDS)) || seconds=$SIDE_AUTO_SECONDS
  ((seconds <= SIDE_AUTO_SECONDS_MAX)) || seconds=$SIDE_AUTO_SECONDS_MAX
  echo "$seconds"
}

# In words, for all rates.
side_length() {
  if [[ ${OPTIONS[side]} == auto ]]; then
    echo "$SIDE_AUTO_SECONDS s (up to $SIDE_AUTO_SECONDS_MAX s at low rates)"
  else
    echo "${OPTIONS[side]} s"
  fi
}

side_load_seconds() {
  echo $((SIDE_LEAD_SECONDS + $(side_window_seconds "$1") + SIDE_MARGIN_SECONDS))
}

# side_seconds RATE: what the window takes in all: with its load's start, and the wait for the last records.
side_seconds() {
  echo $((SIDE_LEAD_SECONDS + $(side_window_seconds "$1") + 1))
}

side_rest() {
  local -i now
  clock_cs now
  cell_rest $((now + $1 * 100))
}

# side_rest_until_us US: CLOCK_REALTIME.
side_rest_until_us() {
  local -i us
  us=$(($1 - $(now_us)))
  ((us <= 0)) || pause "$(printf '%d.%06d' $((us / 1000000)) $((us % 1000000)))"
}

# It may change audit's rules, which a later restore must know to be the run's own.
side_call() {
  audit_forget_ours
  monitor_side_call "$@" >/dev/null || side_problem "its script could not do $1"
  audit_note_ours
}

# side_phase DIR UNWATCHED US: a phase of that length, from now on.
side_phase() {
  local from
  from=$(now_us)
  side_rest_until_us $((from + $3))
  echo "$2,$from,$(now_us)" >>"$1/phases.csv"
}

# side_switch_us LOAD: how long a phase is that is switched, where launches took as long as in that load (of the cell's other windows).
side_switch_us() {
  jq -r --argjson min "$SIDE_SWITCH_US_MIN" --argjson max "$SIDE_SWITCH_US_MAX" '
    .spawn_to_exit_us.p999 // $max | [[4 * . | ceil, $min] | max, $max] | min' "$1" || echo "$SIDE_SWITCH_US_MAX"
}

# side_phases_groups DIR GROUPS SECONDS
side_phases_groups() {
  local dir=$1 half_us=$(($3 * 500000))
  local first=${2%,*} second=${2#*,}
  side_phase "$dir" 0 "$half_us"
  side_call monitor_unwatch "$second" "$first"
  side_phase "$dir" 1 "$half_us"
  side_call monitor_unwatch '' "$second"
}

# side_phases_switched DIR GROUPS SECONDS PHASE_US
side_phases_switched() {
  MONITOR_CALL_SECONDS=$((MONITOR_CALL_SECONDS + $3)) monitor_side_call switch_phases "$3" "$4" >>"$1/phases.csv" || side_problem "its script could not switch it off and on"
}

# side_end_load PID FILE: its work is done, so that it is ended early.
side_end_load() {
  local status=0
  child_signal TERM "$1"
  wait_for_pid "$1" "$CELL_END_SECONDS" || status=$?
  ((status == 143)) && return
  side_problem "the load generator ended with status $status: $(tail -n 1 "$2")"
  child_signal KILL "$1"
}

# side_watched DIR: how many launches must be recorded, those around a switch apart, of which nobody knows.
side_watched() {
  awk -F, '
    FNR == 1 { file++; next }
    file == 1 { unwatched[++phases] = $1; from[phases] = $2; to[phases] = $3; next }
    $8 ~ /^[A-Z]/ { next }
    {
      while (phase < phases && $5 / 1000 >= from[phase + 1]) phase++
      watched += phase && $5 / 1000 < to[phase] && unwatched[phase] != "all" && unwatched[phase] != $9
    }
    END { print watched + 0 }' "$1/phases.csv" "$1/launches.csv"
}

# side_list_recorded DIR TAG: what the log has of it, once nothing more comes.
side_list_recorded() {
  [[ $MONITOR_RECORDS == exec ]] || return 0
  cell_settle "$2" '' "$(side_watched "$1")" || side_problem "its log can't be read"
  ((CELL_IS_SETTLED)) || side_problem "still wrote records $CELL_DRAIN_SECONDS s after the load had stopped"
  logs_list_launches "$2" | gzip >"$1/recorded.csv.gz" || side_problem "its log can't be read"
}
