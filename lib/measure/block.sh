# shellcheck shell=bash
# A block: cells that are measured under one start of a monitor, if it goes well. A monitor that cannot be started, or dies, costs
# its own cells only. One that died is started again for the next cell; so is one whose log was taken away or had no room,
# since it may have given up writing.

# Prefix of the tags of all executions of the run.
BLOCK_TAG=
BLOCK_NAME=
BLOCK_RUNS=no
BLOCK_STARTS=0
BLOCK_PROBLEM=
# Cells of this start whose records are counted when it is stopped: `CELL,FOLDER`.
BLOCK_UNCOUNTED=()
# no: logs that were to be kept could not be.
BLOCK_KEPT_ALL=yes

# block_set_tag TAG
block_set_tag() {
  BLOCK_TAG=$1
}

# block_begin NAME: NAME tells this start's files from those of other repetitions and turns.
block_begin() {
  block_end
  BLOCK_NAME=$1 BLOCK_STARTS=0 BLOCK_PROBLEM=''
}

block_end() {
  [[ $BLOCK_RUNS == no ]] || block_stop_monitor
}

# block_cell DIR CELL RATE MONITOR WHAT [last|''] [DETAILED]: one cell into DIR, under the tag of CELL; WHAT is a JSON object of what it is. The last one of
# a sweep's block has window T; with 0 as DETAILED, it has no windows B and S. CELL_PROBLEM and CELL_STATUS say how it went.
block_cell() {
  local dir=$1 cell=$2 rate=$3 monitor=$4
  watch_require
  mkdir -p "$dir"
  if [[ $BLOCK_RUNS == yes ]] && { ! monitor_is_alive || [[ $CELL_COUNTABLE == no ]]; }; then
    block_stop_monitor
  fi
  if [[ $BLOCK_RUNS == no && -z $BLOCK_PROBLEM ]]; then
    block_start_monitor "$monitor"
  fi
  if [[ -n $BLOCK_PROBLEM ]]; then
    cell_not_ready "$BLOCK_PROBLEM"
  else
    cell_run "$dir" "$BLOCK_TAG.$cell" "$rate" "$([[ ${7:-1} == 1 ]] && echo yes || echo no)"
    [[ ${6:-} != last || $CELL_STATUS != ok ]] || ! syscalls_is_asked || syscalls_run "$dir"
    if [[ $CELL_COUNTABLE == yes ]]; then
      BLOCK_UNCOUNTED+=("$cell,$dir")
    else
      rm -f "$dir/count.json"
    fi
    [[ -z $CELL_PROBLEM ]] || warn "$monitor at $rate/s, repetition $BLOCK_NAME: $CELL_PROBLEM"
  fi
  # So that this can be written down.
  [[ $CELL_PROBLEM != "$CELL_OUT_DISK_FULL"* ]] || disk_release "${OPTIONS[out]}"
  cell_write_outcome "$dir" "$cell" "$5"
  [[ $CELL_PROBLEM != "$CELL_OUT_DISK_FULL"* ]] || die "$CELL_PROBLEM"
}

block_start_monitor() {
  local newest=''
  local -a subject
  BLOCK_STARTS=$((BLOCK_STARTS + 1)) BLOCK_RUNS=yes
  ! monitor_is_ours || newest=$(meter_newest_program)
  monitor_begin "$1" "${OPTIONS[out]}/monitors/$1/$BLOCK_NAME-$BLOCK_STARTS"
  BLOCK_PROBLEM=$(monitor_problem)
  if [[ -n $BLOCK_PROBLEM ]]; then
    warn "$1, repetition $BLOCK_NAME: $BLOCK_PROBLEM"
    block_stop_monitor
  else
    read -ra subject <<<"$(monitor_subject)"
    meter_set_subject "$newest" "${subject[@]}"
  fi
}

# Stop the monitor, then count: some write their last records only when they are stopped.
block_stop_monitor() {
  BLOCK_RUNS=no
  monitor_end
  [[ $MONITOR_RECORDS != exec ]] || block_count
  BLOCK_UNCOUNTED=()
  monitor_keep "${OPTIONS[keep_logs]}" || BLOCK_KEPT_ALL=no
}

# The final count of each cell of this start. Where the log is not what was written, nobody knows it, unless a cell had all of
# its records before.
block_count() {
  local counts tag count entry
  local -A recorded=()
  logs_look
  counts=$(logs_count_tags "$BLOCK_TAG") || logs_blame "its log can't be read: $(printf '%s ' "${LOGS_FILES[@]}")"
  while read -r tag count; do
    [[ -z $tag ]] || recorded[${tag##*.}]=$count
  done <<<"$counts"
  for entry in "${BLOCK_UNCOUNTED[@]}"; do
    if [[ -z $LOGS_FAULT ]]; then
      printf '{"recorded": %d}\n' "${recorded[${entry%%,*}]:-0}" >"${entry#*,}/count.json.new"
      mv "${entry#*,}/count.json.new" "${entry#*,}/count.json"
      block_settle "${entry#*,}" ""
    else
      block_fail_uncounted "${entry#*,}" "$LOGS_FAULT"
    fi
  done
}

# block_fail_uncounted DIR REASON
block_fail_uncounted() {
  local dir=$1
  if jq -e -n '[inputs] | length == 2 and .[0].recorded >= .[1].launched' "$dir/count.json" "$dir/load.json" >/dev/null 2>&1; then
    block_settle "$dir" ""
    return
  fi
  warn "$dir: $2"
  # Before the count goes, without which a cell that went well can't be read.
  block_settle "$dir" "$2"
  rm -f "$dir/count.json"
}

# block_settle DIR REASON: there is nothing more to count; if there is a REASON for that, a cell that went well till then has failed. An
# interrupted cell has no cell.json.
block_settle() {
  [[ -e $1/cell.json ]] || return 0
  jq --arg reason "$2" '.counted = true | if $reason != "" and .status == "ok" then .status = "failed" | .reason = $reason else . end' \
    "$1/cell.json" >"$1/cell.json.new" && mv "$1/cell.json.new" "$1/cell.json"
}
