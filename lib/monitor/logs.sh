# shellcheck shell=bash
# The logs of the monitor that is measured: which they are, what is in them, and whether they are still what it wrote.

LOGS_FILES=()
# Device, inode and size of each when it was last looked at.
declare -gA LOGS_SEEN=()
# Why what was recorded can't be told from them any more; nothing if it can. So until the monitor is started again.
LOGS_FAULT=

logs_forget() {
  LOGS_FILES=() LOGS_SEEN=() LOGS_FAULT=
}

# logs_follow FILE...
logs_follow() {
  LOGS_FILES=("$@")
}

# Sets LOGS_FAULT where a log is gone, or is another or a shorter one than before: what it had recorded is not in it then. A
# log that has not been there yet may come.
logs_look() {
  local file before now
  for file in "${LOGS_FILES[@]}"; do
    before=${LOGS_SEEN[$file]:-}
    now=$(stat -L -c '%d:%i %s' -- "$file" 2>/dev/null) || true
    if [[ -n $before && -z $now ]]; then
      logs_blame "its log $file is gone"
    elif [[ -n $before && ${now% *} != "${before% *}" ]]; then
      logs_blame "its log $file was replaced by another file"
    elif [[ -n $before ]] && ((${now#* } < ${before#* })); then
      logs_blame "its log $file shrank from ${before#* } to ${now#* } bytes"
    fi
    LOGS_SEEN[$file]=$now
  done
}

# logs_blame REASON: the first one is what is told.
logs_blame() {
  : "${LOGS_FAULT:=$1}"
}

# Size of all of them together.
logs_bytes() {
  local file
  for file in "${LOGS_FILES[@]}"; do
    [[ ! -e $file ]] || stat -L -c %s -- "$file"
  done | awk '{ sum += $1 } END { printf "%d\n", sum }'
}

# logs_lines FROM TO: how many lines end between these bytes of the log; nothing if it is not one file.
logs_lines() {
  ((${#LOGS_FILES[@]} == 1)) || return 0
  head -c "$2" -- "${LOGS_FILES[0]}" | tail -c $(($2 - $1)) | wc -l
}

# logs_have TEXT
logs_have() {
  local file
  for file in "${LOGS_FILES[@]}"; do
    ! grep -qaF -- "$1" "$file" 2>/dev/null || return 0
  done
  return 1
}

# logs_list_launches TAG: the numbers of the executions in the logs whose tag is TAG, under a header. 1 if a log can't be read.
logs_list_launches() {
  echo seq
  logs_find "${1//./\\.}-[0-9]+" | sed 's/.*-//' | sort -nu
}

# logs_find REGEX: what of the logs matches it, one a line, none included. 1 if a log can't be read.
logs_find() {
  local file
  for file in "${LOGS_FILES[@]}"; do
    # 1: there is none in it.
    LC_ALL=C grep -saoE -- "$1" "$file" || (($? == 1)) || return 1
  done
}

# logs_count_tags TAG: distinct executions in the logs whose tag is TAG or begins with TAG and a dot, `CELL_TAG COUNT` a
# line. 1 if a log can't be read.
logs_count_tags() {
  logs_find "$1(\.[0-9]+)?-[0-9]+" | LC_ALL=C sort -u | cut -d- -f1 | uniq -c | awk '{ print $2, $1 }'
}
