# shellcheck shell=bash
# Live progress: one line rewritten in place on a terminal, plain lines elsewhere.

PROGRESS_ON_SCREEN=no

progress_clear() {
  [[ $PROGRESS_ON_SCREEN == yes ]] || return 0
  printf '\r\033[K' >&2 2>/dev/null || true
  PROGRESS_ON_SCREEN=no
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

# progress_step DONE TOTAL SECONDS_LEFT TEXT: what runs now
progress_step() {
  local done=$1 total=$2 left=$3 text=$4 line
  ! log_is_quiet || return 0
  line="[$done/$total] $text, $(progress_duration "$left") left"
  if [[ -t 2 ]]; then
    local columns
    columns=$(tput cols 2>/dev/null || echo 80)
    printf '\r\033[K%s' "${line:0:columns-1}" >&2 2>/dev/null || true
    PROGRESS_ON_SCREEN=yes
  else
    log_line "$line"
  fi
}
