#!/usr/bin/env bats
# Others' texts in messages and in files of a run.

bats_require_minimum_version 1.5.0

load ../rooms

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host monitor
}

@test "a message is one line, which steers no terminal, in any locale" {
  local bad=$'a\e[2Jb\nc\r\td\x7f \xc2\x9b1m \xff \xc3 \xed\xa0\x80 \xc0\x8a' good=$'µ × € \xf0\x9f\x98\x80 ü'
  local LC_ALL
  for LC_ALL in C C.UTF-8; do
    [ "$(warn "$bad" "$good" 2>&1)" = "exectax: warning: a?[2Jb?c??d? ??1m ? ? ??? ?? $good" ]
    [ "$(say "$bad" 2>&1 | tr -d '\n -~' | wc -c)" = 0 ]
    run die "$bad"
    [[ $status == 1 && ${#lines[@]} == 1 && $output == "exectax: a?[2Jb?c"* ]]
    run die_usage "$bad"
    [[ $status == 2 && ${#lines[@]} == 1 ]]
  done
  # No end of it would be shown one character at a time.
  [ "$(say "$(head -c 1000000 /dev/zero | tr '\0' '\377')" 2>&1 | wc -c)" -lt 5000 ]
}

@test "what a program says on stderr is a message, too; its status and stdout are its own" {
  run --separate-stderr -3 log_of bash -c 'echo out; printf "one\033[1m\ntwo" >&2; exit 3'
  # shellcheck disable=SC2154 # bats sets it
  [[ $output == out && $stderr == $'one?[1m\ntwo' ]]
}

@test "a process's name is one field of a CSV, whatever it calls itself" {
  local name called
  for name in $'x\ny,"z' $'\e[31mred' $'\xff' $'\n' '' 'a b'; do
    python3 -c 'import ctypes, os, sys, time
ctypes.CDLL(None).prctl(15, os.fsencode(sys.argv[1]), 0, 0, 0)
print("ready", flush=True)
time.sleep(600)' "$name" >"$BATS_TEST_TMPDIR/ready" 3>&- &
    called=$!
    wait_until 20 grep -qs ready "$BATS_TEST_TMPDIR/ready"
    rm "$BATS_TEST_TMPDIR/ready"
    monitor_own_pids() { echo "$called"; }
    monitor_helpers() { :; }
    monitor_pids >>"$BATS_TEST_TMPDIR/pids.csv"
    kill "$called"
    wait "$called" 2>/dev/null || true
  done
  cat -v "$BATS_TEST_TMPDIR/pids.csv"
  [ "$(cut -d, -f2- "$BATS_TEST_TMPDIR/pids.csv" | paste -sd '|')" = "daemon,x?y??z|daemon,?[31mred|daemon,?|daemon,?|daemon,gone|daemon,a b" ]
}
