# shellcheck shell=bash
# For tests of runs that are killed and resumed. RUN is the run, WORK a folder for what the tests note.

# begin KIND OPTION...: a run in the background, its pid in HARNESS.
begin() {
  "$ROOT/exectax" "$1" --yes "${@:2}" >"$WORK/stdout" 2>"$WORK/stderr" 3>&- &
  HARNESS=$!
}

# wait_for_count N [PATTERN]: of measured cells, or of those whose cell.json has PATTERN.
wait_for_count() {
  local deadline=$((SECONDS + WAIT_SECONDS))
  until (($(find "$RUN/cells" -name cell.json -exec grep -l -- "${2:-.}" {} + 2>/dev/null | wc -l) >= $1)); do
    ((SECONDS < deadline)) && kill -0 "$HARNESS" || return 1
    sleep 0.05
  done
}

# And wait until the host is put back.
kill_harness() {
  kill -KILL "$HARNESS"
  wait "$HARNESS" || true
  HARNESS=''
  wait_until_gone "$MOUNT/exectax-watcher"
  rm -f "$STATE/watcher.log"
}

# For teardown_file, where setup_file failed.
end_harness() {
  if [[ -n ${HARNESS:-} ]] && kill -TERM "$HARNESS" 2>/dev/null; then
    wait "$HARNESS" || true
  fi
}

# note_kept [CONDITION]: what has been measured and counted by now, which must not change any more.
note_kept() {
  find "$RUN/cells" -name cell.json -exec jq -r "select(.counted and (${1:-true})) | input_filename" {} + | while IFS= read -r file; do
    find "$(dirname "$file")" -type f -exec sha256sum {} +
  done >>"$WORK/kept"
}
