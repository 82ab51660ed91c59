#!/usr/bin/env bats
# The watcher beside real processes, with commands that only leave a trace in place of the one that puts the host back.

bats_require_minimum_version 1.5.0

load process

setup() {
  WATCHER=$(realpath "$BATS_TEST_DIRNAME/../../build/watcher")
  cd "$BATS_TEST_TMPDIR" || return
  groups=()
}

teardown() {
  local group
  end_started
  for group in "${groups[@]}"; do
    wait_for remove_group "$group"
  done
}

# With what is in it; nothing, if it is gone already.
remove_group() {
  local pid
  [[ -d $1 ]] || return 0
  for pid in $(<"$1/cgroup.procs"); do
    kill -s KILL "$pid" 2>/dev/null || true
  done
  rmdir "$1" 2>/dev/null
}

# test -s knows the sizes of files on disks only.
has_processes() {
  [[ -n $(<"$1/cgroup.procs") ]]
}

# watch OPTIONS... -- COMMAND...: watches $harness; sets watcher.
watch() {
  watcher=$("$WATCHER" --pid "$harness" --journal "$PWD/journal" --log "$PWD/log" --harness-cgroup "${group:-/nonexistent/group}" "$@" 3>&-)
  started+=("$watcher")
}

# start_harness: a process to be watched, with something in the journal.
start_harness() {
  start sleep 1000
  harness=$pid
  echo 'undo_something' >journal
}

# make_group NAME [cgroup|cgroup2]: in whichever hierarchy of that type it can be made (default: of any); sets made.
make_group() {
  local mount
  while read -r mount; do
    made=$mount/watcher-test-$BASHPID-$1
    if mkdir "$made" 2>/dev/null; then
      groups+=("$made")
      return
    fi
  done < <(awk -v type="${2:-cgroup2?}" '$3 ~ "^" type "$" && ($3 == "cgroup2" || "," $4 "," ~ /,cpuacct,/) { print $2 }' /proc/self/mounts)
  skip "no ${2:-cgroup} can be made here"
}

# start_in GROUP COMMAND...: sets pid.
start_in() {
  # shellcheck disable=SC2016 # the inner shell expands it
  start sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$@"
  wait_for grep -qx "$pid" "$1/cgroup.procs"
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$WATCHER" "$@"
}

@test "bad options are refused in one line, with what was expected" {
  local good=(--pid $$ --harness-cgroup /a --journal /b --log "$PWD/log") value
  for value in 0 -1 '' 1x 2147483648 99999999999999999999; do
    refused "--pid '$value': expected a whole number from 1 to 2147483647" "${good[@]}" --pid "$value" -- true
  done
  for value in -1 '' 1.5 86401; do
    refused "--install-wait '$value': expected a whole number from 0 to 86400" "${good[@]}" --install-wait "$value" -- true
  done
  for value in 0 -1 '' 1.5 86401; do
    refused "--stopped-warning '$value': expected a whole number from 1 to 86400" "${good[@]}" --stopped-warning "$value" -- true
    refused "--stopped-limit '$value': expected a whole number from 1 to 86400" "${good[@]}" --stopped-limit "$value" -- true
  done
  for value in harness-cgroup install-cgroup own-cgroup journal log; do
    refused "--$value 'here': expected an absolute path" "${good[@]}" "--$value" here -- true
  done
  refused "no process: expected --pid PID" --harness-cgroup /a --journal /b --log /c -- true
  refused "no cgroup: expected --harness-cgroup PATH" --pid $$ --journal /b --log /c -- true
  refused "no journal: expected --journal FILE" --pid $$ --harness-cgroup /a --log /c -- true
  refused "no log: expected --log FILE" --pid $$ --harness-cgroup /a --journal /b -- true
  refused "no command: expected -- COMMAND *" "${good[@]}"
  refused "command './restore': expected an absolute path, or a name*" "${good[@]}" -- ./restore
  refused "unrecognized option '--nonsense'" "${good[@]}" --nonsense -- true
  refused "--log '/nonexistent/log': cannot open it*: No such file or directory" "${good[@]}" --log /nonexistent/log -- true
}

@test "--help and --version" {
  run -0 "$WATCHER" --help
  [[ $output == *'SIGTERM ends it without doing anything'* ]]
  run -0 "$WATCHER" --version
  [[ $output == 'watcher (exectax) '* ]]
}

@test "a process that has ended already, and a cgroup that is not there, are errors" {
  start true
  wait "$pid"
  run --separate-stderr "$WATCHER" --pid "$pid" --harness-cgroup /a --journal /b --log "$PWD/log" -- true
  [[ $status -eq 1 && -z $output && $stderr == "watcher: cannot watch process $pid: No such process" ]]
  run --separate-stderr "$WATCHER" --pid $$ --harness-cgroup /a --own-cgroup /nonexistent --journal /b --log "$PWD/log" -- true
  [[ $status -eq 1 && -z $output && $stderr == "watcher: cannot go into cgroup '/nonexistent': No such file or directory" ]]
}

@test "killed with something in the journal: the command runs" {
  start_harness
  watch -- touch "$PWD/done"
  [[ ! -e done ]]
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat log
  [[ -e done ]]
  [[ $(wc -l <log) -eq 2 && $(<log) == 20??-??-??T??:??:??Z\ watcher:\ process\ "$harness"\ has\ ended* ]]
  [[ $(stat -c %a log) == 600 ]]
}

@test "an empty or missing journal: the command does not run" {
  local how
  for how in ': >journal' 'rm -f journal'; do
    start_harness
    watch -- touch "$PWD/done"
    eval "$how"
    kill -s KILL "$harness"
    wait_for ended "$watcher"
    [[ ! -e done && ! -s log ]]
  done
}

@test "SIGTERM: it goes without doing anything" {
  start_harness
  watch -- touch "$PWD/done"
  kill -s TERM "$watcher"
  wait_for ended "$watcher"
  kill -s KILL "$harness"
  [[ ! -e done && ! -s log ]]
}

@test "a command that fails is run again, 3 times at most" {
  start_harness
  # shellcheck disable=SC2016 # the inner shell expands it
  watch -- sh -c 'echo >>"$0/runs"; [ "$(wc -l <"$0/runs")" -gt 2 ] && touch "$0/done"' "$PWD"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat log
  [[ -e done && $(wc -l <runs) -eq 3 ]]
  [[ $(grep -c "'sh' failed with exit status 1" log) -eq 2 && $(tail -n 1 log) == *"'sh' has put the host back" ]]

  rm -f runs log
  start_harness
  # shellcheck disable=SC2016
  watch -- sh -c 'echo >>"$0/runs"; kill -s KILL $$' "$PWD"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat log
  [[ $(wc -l <runs) -eq 4 ]]
  [[ $(grep -c "'sh' was ended by signal 9" log) -eq 4 && $(tail -n 1 log) == *"'sh' has not put the host back" ]]
}

@test "a command that is not there is said" {
  start_harness
  watch -- /nonexistent/restore
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  grep -q "cannot execute '/nonexistent/restore': No such file or directory" log
}

@test "the command has the caller's signals, its standards and nothing else" {
  start_harness
  # A lock that the watcher held would outlive the harness.
  exec 9>lock
  flock 9
  # shellcheck disable=SC2016 # the inner shell expands it
  watch -- sh -c 'cat /proc/self/status /proc/self/oom_score_adj >"$0/state"; ls -l /proc/self/fd >"$0/fds"; pwd >"$0/pwd"; echo said' "$PWD"
  exec 9>&-
  flock --nonblock lock true
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat state fds log
  [[ $(awk '/^SigBlk:/ { print $2 }' state) == 0000000000000000 ]]
  # SIGHUP, SIGINT, SIGQUIT, SIGPIPE
  (((0x$(awk '/^SigIgn:/ { print $2 }' state) & 0x1007) == 0))
  [[ $(tail -n 1 state) == "$(</proc/self/oom_score_adj)" ]]
  [[ $(<pwd) == / ]]
  grep -q ' 0 -> /dev/null$' fds
  grep -q " 2 -> $(realpath log)\$" fds
  [[ $(grep -c -- '->' fds) -eq 4 ]] # ls has the folder open
  grep -qx said log
}

@test "it outlives SIGHUP, SIGINT, its caller, its session and its process group" {
  echo entry >journal
  # shellcheck disable=SC2016 # the inner shell expands it
  start setsid sh -c 'sleep 1000 & echo $! >"$3/harness"; "$0" --pid $! --harness-cgroup /nonexistent --journal "$1" --log "$2" -- touch "$3/done" >"$3/pid"; exec sleep 1000' \
    "$WATCHER" "$PWD/journal" "$PWD/log" "$PWD"
  wait_for test -s pid
  watcher=$(<pid)
  harness=$(<harness)
  started+=("$watcher" "$harness")
  [[ $(ps -o sid= -o pgid= -p "$watcher" | xargs) == "$watcher $watcher" ]]
  [[ $(ps -o pgid= -p "$harness" | xargs) == "$pid" ]]
  kill -s HUP "$watcher"
  kill -s INT "$watcher"
  kill -s KILL -- "-$pid"
  wait_for ended "$watcher"
  [[ -e done ]]
}

# orphans_are_killed TYPE: of cgroup.
orphans_are_killed() {
  local first
  make_group harness "$1"
  group=$made
  mkdir "$group/below"
  groups=("$group/below" "$group")
  start_harness
  start_in "$group" sleep 1000
  first=$pid
  start_in "$group/below" sleep 1000
  # shellcheck disable=SC2016 # the inner shell expands it
  watch -- sh -c 'for p in $(cat "$1/cgroup.procs" "$1/below/cgroup.procs"); do grep -q "^State:.Z" "/proc/$p/status" || echo "$p"; done >"$0/left"' \
    "$PWD" "$group"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat log left
  # They had ended by then; that their parent has not looked after them yet is no reason to wait.
  [[ -e left && ! -s left ]]
  run ! grep 'does not die' log
  ended "$first"
  ended "$pid"
}

@test "orphans are killed before the command runs, those in cgroups below too" {
  orphans_are_killed cgroup
}

@test "orphans are killed in a cgroup of version 2" {
  orphans_are_killed cgroup2
}

# what_forks_is_killed TYPE: of cgroup.
what_forks_is_killed() {
  local forker
  make_group harness "$1"
  group=$made
  start_harness
  cat >forker <<'END'
# Its child goes on in its place, again and again.
fork() { (fork &) ; exit; }
fork
END
  for forker in 1 2 3; do
    # shellcheck disable=SC2016 # the inner shell expands it
    start sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" bash forker
  done
  wait_for has_processes "$group"
  # shellcheck disable=SC2016
  watch -- sh -c 'cat "$1/cgroup.procs" >"$0/left"' "$PWD" "$group"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  cat log
  [[ -e left && ! -s left ]]
  run ! grep 'does not die' log
}

@test "what forks does not get away" {
  what_forks_is_killed cgroup
}

@test "what forks does not get away in a cgroup of version 2" {
  what_forks_is_killed cgroup2
}

@test "the watcher itself is not killed, wherever it is" {
  make_group harness
  group=$made
  start_harness
  start_in "$group" sleep 1000
  watch --own-cgroup "$group" -- touch "$PWD/done"
  grep -qx "$watcher" "$group/cgroup.procs"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  [[ -e done ]]
  ended "$pid"
}

@test "an installation under way is waited for" {
  local install
  make_group install
  install=$made
  make_group harness
  group=$made
  start_harness
  start_in "$group" sleep 1000
  start_in "$install" sleep 1000
  watch --install-cgroup /nonexistent --install-cgroup "$install" -- touch "$PWD/done"
  kill -s KILL "$harness"
  wait_for grep -q 'has ended' log
  # It looks ten times a second: it has seen the installation.
  sleep 0.5
  [[ ! -e done ]]
  has_processes "$group"
  kill -s KILL "$pid"
  wait_for ended "$watcher"
  [[ -e done ]]
  run ! has_processes "$group"
}

@test "an installation is not waited for without end" {
  make_group install
  start_harness
  start_in "$made" sleep 1000
  watch --install-cgroup "$made" --install-wait 0 -- touch "$PWD/done"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  [[ -e done ]]
  run ! ended "$pid"
  grep -q 'an installation has not ended after 0 s' log
}

@test "the host is put back by somebody else while an installation is waited for" {
  make_group install
  start_harness
  start_in "$made" sleep 1000
  watch --install-cgroup "$made" -- touch "$PWD/done"
  kill -s KILL "$harness"
  wait_for grep -q 'has ended' log
  : >journal
  wait_for ended "$watcher"
  [[ ! -e done && $(tail -n 1 log) == *'somebody else has put the host back' ]]
}

@test "SIGTERM while an installation is waited for" {
  make_group install
  start_harness
  start_in "$made" sleep 1000
  watch --install-cgroup "$made" -- touch "$PWD/done"
  kill -s KILL "$harness"
  wait_for grep -q 'has ended' log
  kill -s TERM "$watcher"
  wait_for ended "$watcher"
  [[ ! -e done ]]
}

# Kernels before 5.6, and those who may not trace it, don't let the watcher write there.
says_on_stderr() {
  [[ ! -s stderr ]] || [[ $(<stderr) == "exectax: stopped for 1 s while the host is changed;"*"kill -CONT $harness"*"Stopped for 3 s, it is killed"* ]]
}

# start_harness_that_says: its stderr is in a file.
start_harness_that_says() {
  start sh -c 'exec sleep 1000 2>stderr'
  harness=$pid
  wait_for eval '[[ $(<"/proc/$harness/comm") == sleep ]]'
  echo 'undo_something' >journal
}

@test "stopped for long: said, in the log and on its stderr; then it is killed, and the command runs" {
  start_harness_that_says
  watch --stopped-warning 1 --stopped-limit 3 -- touch "$PWD/done"
  kill -s STOP "$harness"
  wait_for grep -q "process $harness has been stopped for 1 s\$" log
  run ! ended "$harness"
  [[ ! -e done ]]
  wait_for ended "$watcher"
  cat log
  says_on_stderr
  ended "$harness"
  [[ -e done && $(grep -c 'has been stopped for 1 s' log) -eq 1 ]]
  grep -q "process $harness has been stopped for 3 s: killing it" log
}

@test "a process that goes on in time is left alone, and its time begins again" {
  local time
  start_harness
  watch --stopped-warning 1 --stopped-limit 3 -- touch "$PWD/done"
  for time in 1 2 3; do
    kill -s STOP "$harness"
    wait_for eval '(($(grep -c "has been stopped for 1 s" log) == time))'
    kill -s CONT "$harness"
    # It looks once a second: it has seen that.
    sleep 1.5
  done
  cat log
  run ! ended "$harness"
  run ! grep 'killing it' log
  [[ ! -e done ]]
}

@test "a stopped process that has changed nothing is not killed" {
  start_harness
  : >journal
  watch --stopped-warning 1 --stopped-limit 1 -- touch "$PWD/done"
  kill -s STOP "$harness"
  wait_for grep -q 'has been stopped for 1 s' log
  sleep 1.5
  run ! ended "$harness"
  # As soon as there is something to put back, it is.
  echo 'undo_something' >journal
  wait_for ended "$watcher"
  [[ -e done ]]
}

@test "an installation that was stopped goes on" {
  make_group install
  start_harness
  mkfifo never
  # shellcheck disable=SC2016 # the inner shell expands it
  start_in "$made" bash -c 'while [[ ! -e $0/go ]]; do read -r -t 0.1 _ <>"$0/never" || true; done; touch "$0/installed"' "$PWD"
  kill -s STOP "$pid"
  touch go
  watch --install-cgroup "$made" -- touch "$PWD/done"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  [[ -e installed && -e done ]]
}

@test "its own cgroup is made, and removed at the end" {
  make_group own
  rmdir "$made"
  start_harness
  # shellcheck disable=SC2016 # the inner shell expands it
  watch --own-cgroup "$made" -- sh -c 'sleep 1000 & echo $! >"$0/service"' "$PWD"
  grep -qx "$watcher" "$made/cgroup.procs"
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  started+=("$(<service)")
  [[ ! -e $made ]]
  run ! ended "$(<service)"
}

@test "the OOM killer spares it, and not the command" {
  (echo -1000 >/proc/self/oom_score_adj) 2>/dev/null || skip "needs the right to (CAP_SYS_RESOURCE)"
  start_harness
  # shellcheck disable=SC2016 # the inner shell expands it
  watch -- sh -c 'cat /proc/self/oom_score_adj >"$0/adj"' "$PWD"
  [[ $(<"/proc/$watcher/oom_score_adj") == -1000 ]]
  kill -s KILL "$harness"
  wait_for ended "$watcher"
  [[ $(<adj) == "$(</proc/self/oom_score_adj)" ]]
}
