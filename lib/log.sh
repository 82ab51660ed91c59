# shellcheck shell=bash
# Messages for people: all on stderr, so that stdout holds results only.

say() {
  progress_clear
  printf '%s\n' "$*" >&2
}

warn() {
  progress_clear
  printf 'exectax: warning: %s\n' "$*" >&2
}

# One line that says what was wrong and what was expected; the caller has changed nothing yet.
die_usage() {
  printf 'exectax: %s\n' "$*" >&2
  exit 2
}

die() {
  progress_clear
  printf 'exectax: %s\n' "$*" >&2
  exit 1
}
