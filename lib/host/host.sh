# shellcheck shell=bash
# The host is borrowed. Every change to it is written to a state journal before it is made, as the call that undoes it; leaving
# by any way runs the journal backwards. A harness that is killed is survived by a watcher that does (lib/host/watch.sh); after a
# power cut `exectax restore` or the next run does.
#
# A journal line is a boot id, or `lasting`, and a bash-quoted call of an undo_* function. Undo functions are idempotent: a
# change that was recorded but not made, or is already undone, is no error. They try every step, whatever became of the one
# before, and fail if one did. What somebody else has changed since they leave alone and tell, unless HOST_RESTORE is `forced`.

HOST_STATE_DIR=${EXECTAX_STATE_DIR:-/var/lib/exectax}
HOST_JOURNAL=$HOST_STATE_DIR/journal
# What the host had, for the undo.
HOST_SAVED=$HOST_STATE_DIR/saved
# One for the host, whatever the state folder. Whoever holds it for a longer time, as the tests do, gives the runs that he
# starts meanwhile another to hold against each other.
HOST_LOCK=${EXECTAX_LOCK:-$(container_host_file /run/exectax.lock)}
HOST_LOCK_FD=
HOST_RESTORE=careful

# Put back what differs from what the run had set as well.
host_restore_forced() {
  HOST_RESTORE=forced
}

# host_require_root WHAT WHY: root, who is not led to run what is somebody else's.
host_require_root() {
  ((EUID == 0)) || die_usage "$1 needs root ($2): run it with sudo"
  refuse_program
}

# host_lock WHAT [SECONDS]: one run at a time; wait for SECONDS at most (default: not at all). The kernel drops the lock with the
# last holder of the descriptor, so children must not inherit it: start them through host_spawn or host_run. The file says who has it, and, in a
# second line, where is noted what is to be put back: two state folders see each other there.
host_lock() {
  local elsewhere
  while true; do
    { exec {HOST_LOCK_FD}<>"$HOST_LOCK"; } 2>/dev/null || die "can't open $HOST_LOCK, expected a folder that root can write to"
    flock --wait "${2:-0}" "$HOST_LOCK_FD" || die "another run is under way: $(head -n 1 "$HOST_LOCK")"
    # The last holder may have removed the file since it was opened.
    [[ ! "/proc/$BASHPID/fd/$HOST_LOCK_FD" -ef $HOST_LOCK ]] || break
    exec {HOST_LOCK_FD}>&-
  done
  elsewhere=$(host_changed_elsewhere)
  [[ -z $elsewhere ]] ||
    die_usage "an earlier run, with the state folder $elsewhere, has left this host changed: expected 'EXECTAX_STATE_DIR=$elsewhere exectax restore' first"
  printf 'pid %d, since %s, %s\n%s\n' $$ "$(date -Is)" "${1//[[:cntrl:]]/?}" "$HOST_STATE_DIR" >"$HOST_LOCK" || true
}

# The state folder, if it is another one, of whoever had the lock last and has not put the host back.
host_changed_elsewhere() {
  local folder
  { read -r _ && read -r folder; } 2>/dev/null <"$HOST_LOCK" || return 0
  [[ $folder == /* && ! $folder -ef $HOST_STATE_DIR ]] || return 0
  ! grep -qsE "^(lasting|$(</proc/sys/kernel/random/boot_id)) " "$folder/journal" || echo "$folder"
}

# While something is to be put back, the file stays.
host_unlock() {
  [[ -n $HOST_LOCK_FD ]] || return 0
  host_has_changes || rm -f "$HOST_LOCK"
  exec {HOST_LOCK_FD}>&-
  HOST_LOCK_FD=
}

# host_run COMMAND...: in the foreground, for commands that start daemons or install: those are to have neither the lock nor the
# harness's signals, group and mask of modes.
host_run() (
  umask 022
  [[ -z $HOST_LOCK_FD ]] || exec {HOST_LOCK_FD}>&-
  exec env --default-signal=INT,TERM,HUP,PIPE setpriv --groups "${EXECTAX_GROUPS:-$(id -G | tr ' ' ,)}" "$@"
)

# host_set_login_uid UID: of this process, and what it starts.
host_set_login_uid() {
  echo "$1" >/proc/self/loginuid
}

# host_spawn CGROUP COMMAND...: in the background, in a session and a cgroup of its own; its pid is $!. Returns once
# the process is in the cgroup, so that an empty cgroup means that it has ended. The load is a login user's where the run says so.
host_spawn() {
  local cgroup=$1 entered
  shift
  open_pipe entered
  (
    trap - INT TERM HUP PIPE EXIT
    cgroup_enter "$cgroup"
    [[ $cgroup != load || -z ${OPTIONS[login_uid]:-} ]] || host_set_login_uid "${OPTIONS[login_uid]}"
    echo entered >&"$entered"
    exec {entered}>&-
    [[ -z $HOST_LOCK_FD ]] || exec {HOST_LOCK_FD}>&-
    exec setsid "$@" </dev/null
  ) &
  read -r -t 10 -u "$entered" _ || warn "$1 could not be moved into cgroup exectax/$cgroup"
  exec {entered}>&-
}

# host_record UNDO_FUNCTION ARGS...: call it before making a change that a restart of the machine undoes by itself.
host_record() {
  host_add_entry "$(</proc/sys/kernel/random/boot_id)" "$@"
}

# host_record_lasting UNDO_FUNCTION ARGS...: call it before making a change that outlives a restart.
host_record_lasting() {
  host_add_entry lasting "$@"
}

host_add_entry() {
  local boot=$1 entry
  local -a entries
  shift
  printf -v entry '%q ' "$@"
  host_make_state_dir
  host_entries entries
  host_write_entries "${entries[@]}" "$boot $entry" || host_die_unwritable
}

host_make_state_dir() {
  [[ -d $HOST_STATE_DIR ]] || install -d -m 0700 "$HOST_STATE_DIR" 2>/dev/null || true
  [[ -w $HOST_STATE_DIR ]] || host_die_unwritable
}

host_die_unwritable() {
  die "can't write $HOST_JOURNAL, in which every change is noted before it is made: expected a disk with room, or EXECTAX_STATE_DIR=/such/a/folder"
}

# host_write_entries LINE...: the whole journal, so that it is the old or the new one whenever the machine stops.
host_write_entries() {
  {
    printf '%s\n' "$@" >"$HOST_JOURNAL.new" &&
      sync "$HOST_JOURNAL.new" &&
      mv -f "$HOST_JOURNAL.new" "$HOST_JOURNAL" &&
      sync "$HOST_STATE_DIR"
  } 2>/dev/null
}

# host_entries ARRAY: the journal's lines, oldest first. A last one without an end was cut off while it was written, before
# the change that it announces.
host_entries() {
  local -n host_entries_array=$1
  local line
  host_entries_array=()
  [[ -r $HOST_JOURNAL ]] || return 0
  while IFS= read -r line; do
    host_entries_array+=("$line")
  done <"$HOST_JOURNAL"
}

host_has_changes() {
  [[ -s $HOST_JOURNAL ]]
}

# Undo everything in the journal, newest first. What cannot be undone stays in it, and the result is 1.
host_undo() {
  local -a entries kept=()
  local -i i
  local boot
  host_has_changes || return 0
  boot=$(</proc/sys/kernel/random/boot_id)
  host_entries entries
  for ((i = ${#entries[@]} - 1; i >= 0; i--)); do
    [[ ${entries[i]%% *} == lasting || ${entries[i]%% *} == "$boot" ]] || continue
    # In a process of its own, so that nothing in it can end the undo.
    if ! (host_undo_entry "${entries[i]#* }"); then
      warn "not undone: ${entries[i]#* }"
      kept=("${entries[i]}" "${kept[@]}")
    fi
  done
  if ((${#kept[@]})); then
    host_write_entries "${kept[@]}" || true
    warn "the host is not fully restored; its saved state is in $HOST_SAVED; 'exectax restore' tries again, 'exectax restore --help' lists other ways"
    return 1
  fi
  rm -rf "$HOST_JOURNAL" "$HOST_JOURNAL.new" "$HOST_SAVED"
  [[ -s $HOST_STATE_DIR/watcher.log ]] || rm -f "$HOST_STATE_DIR/watcher.log"
  rmdir --ignore-fail-on-non-empty "$HOST_STATE_DIR" 2>/dev/null || true
}

# host_undo_entry CALL: a bash-quoted call of an undo function.
host_undo_entry() {
  local -a words=()
  eval "words=($1)" 2>/dev/null
  [[ ${words[0]:-} == undo_* ]] && declare -F "${words[0]}" >/dev/null && "${words[@]}"
}

# host_undo_now UNDO_FUNCTION ARGS...: what is put back before the run ends leaves the journal. What can't be stays in it.
host_undo_now() {
  local entry call
  local -a entries kept=()
  "$@" || return 1
  printf -v call '%q ' "$@"
  host_entries entries
  for entry in "${entries[@]}"; do
    [[ ${entry#* } == "$call" ]] || kept+=("$entry")
  done
  if ((${#kept[@]})); then
    host_write_entries "${kept[@]}"
  else
    rm -f "$HOST_JOURNAL"
  fi
}

# host_set_sysctl NAME VALUE
host_set_sysctl() {
  host_record undo_sysctl "$1" "$2" "$(sysctl -n "$1")"
  sysctl -qw "$1=$2"
}

# undo_sysctl NAME SET BEFORE
undo_sysctl() {
  if [[ $HOST_RESTORE == careful && $(sysctl -n "$1") != "$2" && $(sysctl -n "$1") != "$3" ]]; then
    warn "$1 was changed after the run had set it, and is left alone: now $(sysctl -n "$1"), set by the run $2, before it $3"
    return 1
  fi
  sysctl -qw "$1=$3"
}

# The logs of monitors, on local disk until they are counted, and what else goes with a run.
host_make_scratch() {
  host_record_lasting undo_scratch "$(stat -c %a "$HOST_STATE_DIR" 2>/dev/null || echo 700)"
  mkdir -p "$HOST_STATE_DIR/scratch"
}

# undo_scratch MODE: that of the state folder before, into which others may have been let (log_folder_of).
undo_scratch() {
  rm -rf "${HOST_STATE_DIR:?}/scratch"
  [[ ! -d $HOST_STATE_DIR ]] || chmod "${1:-700}" "$HOST_STATE_DIR"
}
