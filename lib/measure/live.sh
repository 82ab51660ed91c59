# shellcheck shell=bash
# What a run has measured so far, for the status area of a terminal: a row a cell. Where there is none, nothing is read.

# Of each cell its name and folder, and, once that was read, its row, and how many events there were and are not recorded (- where nobody knows).
LIVE_NAMES=()
LIVE_FOLDERS=()
LIVE_ROWS=()
LIVE_LAUNCHED=()
LIVE_LOST=()
# The first of them whose records are not counted for good: a monitor may write some when it is stopped.
LIVE_OPEN=0

# live_cell NAME FOLDER: it was measured.
live_cell() {
  progress_is_live || return 0
  LIVE_NAMES+=("$1")
  LIVE_FOLDERS+=("$2")
}

# live_step DONE TOTAL SECONDS_LEFT TEXT [OF_WHAT]: what runs now, below what was measured.
live_step() {
  ! progress_is_live || live_look
  progress_step "$@"
}

live_look() {
  live_read
  ((${#LIVE_ROWS[@]} == 0)) || progress_table "$(live_row held/s events lost "cell" "")" "$(live_sum)" "${LIVE_ROWS[@]}"
}

# Those cells whose records may have been counted since.
live_read() {
  local status held launched lost counted
  local -i cell first=$LIVE_OPEN
  for ((cell = first; cell < ${#LIVE_FOLDERS[@]}; cell++)); do
    IFS=, read -r status held launched lost counted <<<"$(live_facts "${LIVE_FOLDERS[cell]}")"
    LIVE_LAUNCHED[cell]=$launched LIVE_LOST[cell]=$lost
    LIVE_ROWS[cell]=$([[ $status == ok && $lost == [0-] ]] || echo '!')$(live_row "$held" "$launched" "$(live_bound "$counted" "$lost")" "${LIVE_NAMES[cell]}" "$status")
    [[ $counted != true || $LIVE_OPEN != "$cell" ]] || LIVE_OPEN=$((cell + 1))
  done
}

# live_facts FOLDER: `STATUS,HELD,LAUNCHED,LOST,COUNTED` of a cell; what can't be read is unknown, and ends no run.
live_facts() {
  local name
  local -a files=()
  for name in cell load count; do
    [[ ! -s $1/$name.json ]] || files+=("$1/$name.json")
  done
  jq -rs 'add // {} | [.status // "?", (.achieved_hz | if type == "number" then round else "-" end), .launched // 0,
    (if (.recorded | type) == "number" and (.launched | type) == "number" then .launched - .recorded else "-" end), (if .counted == false then false else true end)] | join(",")' "${files[@]}" 2>/dev/null </dev/null ||
    echo "?,-,0,-,true"
}

# live_bound COUNTED LOST: with a question mark where fewer may be lost, since more can be recorded yet.
live_bound() {
  if [[ $1 == true || $2 == [0-] ]]; then
    echo "$2"
  else
    echo "$2?"
  fi
}

# live_row HELD LAUNCHED LOST NAME STATUS: numbers first, since a narrow screen cuts what is at the end.
live_row() {
  printf '%8s %9s %8s  %s%s' "$1" "$2" "$3" "$4" "$([[ $5 == ok || -z $5 ]] || echo ", $5")"
}

# All cells of which it is known how many events were lost.
live_sum() {
  local most=''
  local -i cell launched=0 lost=0
  for ((cell = 0; cell < ${#LIVE_ROWS[@]}; cell++)); do
    [[ ${LIVE_LOST[cell]} != - ]] || continue
    launched=$((launched + LIVE_LAUNCHED[cell])) lost=$((lost + LIVE_LOST[cell]))
    ((cell < LIVE_OPEN || LIVE_LOST[cell] == 0)) || most='at most '
  done
  echo "So far: ${#LIVE_ROWS[@]} cell$( ((${#LIVE_ROWS[@]} == 1)) || echo s)$( ((launched == 0)) || echo ", $most$lost of $launched events lost")"
}
