# shellcheck shell=bash
# Live progress: on a terminal a status area at the bottom, which has a table of what was measured last and a line of what runs; plain lines elsewhere.
#
# The area is lines like any others, which are rubbed out before something else is written. No mode of the terminal is changed, so that nothing has to
# be put back, however a run ends. It is drawn when a step begins and after a message, and by nothing that has to wake up for it.

# What is in it: the line of what runs, none if nothing does; a line over the table and its rows, of which those that begin with ! stand out; a line below it.
PROGRESS_STATUS=
PROGRESS_HEAD=
PROGRESS_ROWS=()
PROGRESS_SUM=
PROGRESS_MOST_ROWS=12
# How many lines of it are on the screen. The cursor is at the beginning of the line below.
PROGRESS_LINES=0

# Whether there is a terminal with such an area.
progress_is_live() {
  [[ -t 2 && ${TERM:-dumb} != dumb ]] && ! log_is_quiet
}

progress_clear() {
  ((PROGRESS_LINES)) || return 0
  printf '\r\033[%dA\033[J' "$PROGRESS_LINES" >&2 2>/dev/null || true
  PROGRESS_LINES=0
}

# Nothing runs any more.
progress_end() {
  progress_clear
  PROGRESS_STATUS=
}

# seconds -> 1h02m, 3m20s, 45s
progress_duration() {
  local -i seconds=$1
  if ((seconds >= 3600)); then
    printf '%dh%02dm' $((seconds / 3600)) $((seconds % 3600 / 60))
  elif ((seconds >= 60)); then
    printf '%dm%02ds' $((seconds / 60)) $((seconds % 60))
  else
    printf '%ds' "$seconds"
  fi
}

# progress_step DONE TOTAL SECONDS_LEFT TEXT [OF_WHAT]: what runs now, and of what that is left
progress_step() {
  local line
  ! log_is_quiet || return 0
  line="[$1/$2] $4, $(progress_duration "$3") left${5:-}"
  if progress_is_live; then
    progress_clear
    PROGRESS_STATUS=$line
    progress_draw
  else
    log_line "$line"
  fi
}

# progress_table HEAD SUM ROW...: what is above that line from the next step on.
progress_table() {
  PROGRESS_HEAD=$1 PROGRESS_SUM=$2
  shift 2
  PROGRESS_ROWS=("$@")
}

# As many rows as there is room for, the last ones, and no line as wide as the screen, which would go on in the next.
progress_draw() {
  local screen='' row
  local -i height=24 width=80 room
  [[ -n $PROGRESS_STATUS ]] && progress_is_live || return 0
  read -r height width <<<"$(stty size <&2 2>/dev/null || true)" || true
  ((height > 0 && width > 0)) || height=24 width=80
  # Besides the rows there are the lines above and below them, that of what runs, and the one that the cursor is in.
  room=$((height - 4 < PROGRESS_MOST_ROWS ? height - 4 : PROGRESS_MOST_ROWS))
  PROGRESS_LINES=0
  if ((room > 0 && ${#PROGRESS_ROWS[@]})); then
    progress_add_line "$PROGRESS_HEAD" 1
    ((room < ${#PROGRESS_ROWS[@]})) || room=${#PROGRESS_ROWS[@]}
    for row in "${PROGRESS_ROWS[@]: -room}"; do
      if [[ $row == !* ]]; then
        progress_add_line "${row:1}" 31
      else
        progress_add_line "$row"
      fi
    done
    progress_add_line "$PROGRESS_SUM"
  fi
  progress_add_line "$PROGRESS_STATUS"
  printf '%s' "$screen" >&2 2>/dev/null || true
}

# progress_add_line TEXT [LOOK]: for progress_draw, whose `screen` and `width` it takes.
progress_add_line() {
  local line
  log_plain line "$1"
  line=${line:0:width-1}
  [[ -z ${2:-} || -n ${NO_COLOR:-} ]] || line=$'\033'"[$2m$line"$'\033[0m'
  screen+=$line$'\n' PROGRESS_LINES=$((PROGRESS_LINES + 1))
}
