# shellcheck shell=bash
# Messages for people: all on stderr, so that stdout holds results only.
#
# A message never ends a run: a terminal that hung up, a pipe whose reader is gone and a full disk are no reason to leave the
# host as it is.

LOG_DIED_OF=
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

log_line() {
  printf '%s\n' "$*" >&2 2>/dev/null || true
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
