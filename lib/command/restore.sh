# shellcheck shell=bash
# exectax restore

restore_usage() {
  cat <<'TEXT'
Usage: exectax restore [--show | --forget | --force] [--wait SECONDS]
Put the host back after a run that could not do it itself, and whose watcher could not either (a power cut). What
somebody else changed after the run had set it is reported and left alone.

  --show          show what would be undone, and where the saved state of the host is; change nothing
  --force         also put back what somebody else changed after the run had set it
  --forget        undo nothing, and discard the record of what there is to undo
  --wait SECONDS  wait up to this long for another run to end (whole seconds, default 0)
  --help          show this text

Examples:
  exectax restore --show
  exectax restore

Exit status: 0 done, or nothing to do; 1 something could not be put back; 2 bad option.
TEXT
}

restore_main() {
  options_set wait 0
  options_set how restore
  options_read restore show,force,forget,wait: restore_take "$@"
  options_check_arguments restore 0 "options only"
  options_check_number --wait "${OPTIONS[wait]}" 0 86400 "whole seconds"
  host_require_root "exectax restore" "it changes audit rules, cgroups and services, and puts them back"
  host_lock restore "${OPTIONS[wait]}"
  if host_has_changes; then
    "restore_${OPTIONS[how]}"
  else
    say "Nothing to put back."
  fi
  host_unlock
}

# restore_take NAME VALUE: one of the ways, and how long to wait.
restore_take() {
  if [[ $1 == wait ]]; then
    options_set wait "$2"
  else
    [[ ${OPTIONS[how]} == restore ]] || die_usage "restore: '--${OPTIONS[how]}' and '--$1', expected one of them"
    options_set how "$1"
  fi
}

restore_restore() {
  host_undo || exit 1
  say "The host is as it was before the run."
}

restore_force() {
  host_restore_forced
  restore_restore
}

restore_show() {
  local -a entries
  host_entries entries
  echo "To be undone, latest first:"
  printf '%s\n' "${entries[@]}" | sed -E 's/^([^ ]*) (.*)$/  \2 (noted by boot \1)/; s/noted by boot lasting/outlives a restart/'
  echo "Saved of the host, in $HOST_SAVED:"
  { find "$HOST_SAVED" -type f -printf '  %P\n' 2>/dev/null || true; } | sort
}

restore_forget() {
  restore_show
  rm -rf "$HOST_JOURNAL" "$HOST_SAVED"
  say "Forgotten; the host stays as it is."
}
