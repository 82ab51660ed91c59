# shellcheck shell=bash
# Messages for people: all on stderr, so that stdout holds results only.
#
# A message never ends a run: a terminal that hung up, a pipe whose reader is gone and a full disk are no reason to leave the
# host as it is.

LOG_DIED_OF=
# A character that stands for itself on a terminal, in UTF-8: no control character, of which there are two kinds (below 32, and 128 to 159).
LOG_CHARACTER=$'[ -~]|\xc2[\xa0-\xbf]|[\xc3-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]'
LOG_CHARACTER+=$'|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}'
# yes: warnings and errors alone. What is started by exectax is told, too.
LOG_QUIET=${EXECTAX_QUIET:-no}

# log_be_quiet: from here on.
log_be_quiet() {
  LOG_QUIET=yes
  export EXECTAX_QUIET=yes
}

log_is_quiet() {
  [[ $LOG_QUIET == yes ]]
}

# log_plain VARIABLE TEXT: it gets TEXT, of which no message needs more, with ? for each byte that is no such character, so that others' text neither steers the terminal nor begins a line.
log_plain() {
  local LC_ALL=C log_text=${2:0:4000} log_out=''
  while [[ $log_text == *[^\ -~]* ]]; do
    if [[ $log_text =~ ^($LOG_CHARACTER)+ ]]; then
      log_out+=${BASH_REMATCH[0]}
      log_text=${log_text:${#BASH_REMATCH[0]}}
    fi
    [[ -z $log_text ]] || {
      log_out+='?'
      log_text=${log_text:1}
    }
  done
  printf -v "$1" '%s' "$log_out$log_text"
}

# log_process_name PID: what it calls itself, as one field of a CSV; gone if there is no such process.
log_process_name() {
  local name=''
  { IFS= read -r -d '' name <"/proc/$1/comm"; } 2>/dev/null || true
  log_plain name "${name%$'\n'}"
  name=${name//[,\"]/?}
  printf '%s\n' "${name:-gone}"
}

# log_of COMMAND...: what it writes to stderr as lines of ours.
log_of() {
  local file line status=0
  file=$(mktemp)
  "$@" 2>"$file" || status=$?
  while IFS= read -r line || [[ -n $line ]]; do
    log_line "$line"
  done <"$file"
  rm -f "$file"
  return "$status"
}

log_line() {
  local log_words
  log_plain log_words "$*"
  printf '%s\n' "$log_words" >&2 2>/dev/null || true
}

say() {
  ! log_is_quiet || return 0
  progress_clear
  log_line "$*"
  progress_draw
}

warn() {
  progress_clear
  log_line "exectax: warning: $*"
  progress_draw
}

# For what an exit trap writes: the message of `die`, nothing if it was not called.
log_died_of() {
  printf '%s' "$LOG_DIED_OF"
}

# One line that says what was wrong and what was expected; the caller has changed nothing yet.
die_usage() {
  log_line "exectax: $*"
  exit 2
}

die() {
  LOG_DIED_OF=$*
  progress_end
  log_line "exectax: $*"
  exit 1
}
