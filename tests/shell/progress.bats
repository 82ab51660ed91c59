#!/usr/bin/env bats
# The status area that a run has on a terminal, on terminals of script(1).

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  use_rooms base
  export LC_ALL=C.UTF-8 TERM=xterm
  unset NO_COLOR EXECTAX_QUIET
}

# cell NUMBER LAUNCHED RECORDED COUNTED [STATUS]: the files of a cell that was measured.
cell() {
  mkdir -p "$BATS_TEST_TMPDIR/$1"
  echo "{\"status\": \"${5:-ok}\", \"counted\": $4}" >"$BATS_TEST_TMPDIR/$1/cell.json"
  echo "{\"launched\": $2, \"achieved_hz\": 99.6}" >"$BATS_TEST_TMPDIR/$1/load.json"
  echo "{\"recorded\": $3}" >"$BATS_TEST_TMPDIR/$1/count.json"
}

# Of the commands on stdin a program, of which W is the folder of the cells.
program() {
  {
    printf '%s=%q\n' EXECTAX_ROOT "$EXECTAX_ROOT" W "$BATS_TEST_TMPDIR"
    # shellcheck disable=SC2016 # that is for the program
    echo 'source "$EXECTAX_ROOT/lib/base.sh"; source "$EXECTAX_ROOT/lib/measure/live.sh"'
    cat
  } >"$BATS_TEST_TMPDIR/program"
}

# on_terminal ROWS COLUMNS: what the program leaves on one.
on_terminal() {
  script -qec "stty rows $1 cols $2; exec bash -euo pipefail '$BATS_TEST_TMPDIR/program'" /dev/null </dev/null >"$BATS_TEST_TMPDIR/typescript" 3>&-
  python3 "$BATS_TEST_DIRNAME/screen.py" "$1" "$2" <"$BATS_TEST_TMPDIR/typescript" | tee "$BATS_TEST_TMPDIR/screen"
}

# Two cells, a message between them, and a third that runs.
some_cells() {
  cell 1 200 200 true
  cell 2 200 197 false
  program <<'PROGRAM'
say first
live_step 0 3 60 "a at 100/s, repetition 1"
live_cell "a at 100/s, repetition 1" "$W/1"
live_step 1 3 40 "b at 100/s, repetition 1"
warn "something"
live_cell "b at 100/s, repetition 1" "$W/2"
live_step 2 3 20 "c at 100/s, repetition 1"
PROGRAM
}

@test "at the bottom are the last cells, what was lost so far, and what runs; messages stay above" {
  some_cells
  on_terminal 24 80
  diff - "$BATS_TEST_TMPDIR/screen" <<'TEXT'
first
exectax: warning: something
  held/s    events     lost  cell
     100       200        0  a at 100/s, repetition 1
     100       200       3?  b at 100/s, repetition 1
So far: 2 cells, at most 3 of 400 events lost
[2/3] c at 100/s, repetition 1, 20s left

TEXT
}

@test "what is recorded when the monitor stops is no loss any more; a cell without a count, and one that failed" {
  cell 1 200 197 false
  cell 2 0 0 true not-ready
  rm "$BATS_TEST_TMPDIR/2/load.json" "$BATS_TEST_TMPDIR/2/count.json"
  program <<'PROGRAM'
live_cell one "$W/1"
live_step 1 3 40 two
echo '{"recorded": 200}' >"$W/1/count.json"
echo '{"status": "ok", "counted": true}' >"$W/1/cell.json"
live_cell two "$W/2"
live_cell gone "$W/3"
live_step 2 3 20 three
PROGRAM
  on_terminal 24 80
  diff - "$BATS_TEST_TMPDIR/screen" <<'TEXT'
  held/s    events     lost  cell
     100       200        0  one
       -         0        -  two, not-ready
       -         0        -  gone, ?
So far: 3 cells, 0 of 200 events lost
[2/3] three, 20s left

TEXT
}

@test "on a small screen as many rows as fit, none of which goes on in the next line" {
  some_cells
  on_terminal 5 30
  diff - "$BATS_TEST_TMPDIR/screen" <<'TEXT'
first
exectax: warning: something
  held/s    events     lost  
     100       200       3?  
So far: 2 cells, at most 3 of
[2/3] c at 100/s, repetition 

TEXT
  on_terminal 4 20
  [ "$(tail -n 2 "$BATS_TEST_TMPDIR/screen")" = "[2/3] c at 100/s, r" ]
  [ "$(grep -c held "$BATS_TEST_TMPDIR/screen")" = 0 ]
}

@test "a screen that was made smaller meanwhile" {
  cell 1 200 200 true
  program <<'PROGRAM'
live_cell one "$W/1"
live_step 1 3 40 two
stty cols 12 rows 6 <&2
live_step 2 3 20 three
PROGRAM
  on_terminal 24 80
  [ "$(tail -n 4 "$BATS_TEST_TMPDIR/screen")" = $'     100   \nSo far: 1 c\n[2/3] three' ]
}

@test "of many cells the last ones" {
  cell 1 200 200 true
  program <<'PROGRAM'
for i in {1..40}; do live_cell "cell $i" "$W/1"; done
live_step 40 50 60 more
PROGRAM
  on_terminal 50 80
  [ "$(grep -c ' cell [0-9]' "$BATS_TEST_TMPDIR/screen")" = 12 ]
  grep -qx '     100       200        0  cell 29' "$BATS_TEST_TMPDIR/screen"
  grep -qx 'So far: 40 cells, 0 of 8000 events lost' "$BATS_TEST_TMPDIR/screen"
}

@test "when it is over, and after the last message of what died, nothing of it is left" {
  some_cells
  echo 'progress_end; say last' >>"$BATS_TEST_TMPDIR/program"
  on_terminal 24 80
  [ "$(cat "$BATS_TEST_TMPDIR/screen")" = $'first\nexectax: warning: something\nlast' ]
  some_cells
  echo '(die "no more") || true' >>"$BATS_TEST_TMPDIR/program"
  on_terminal 24 80
  [ "$(cat "$BATS_TEST_TMPDIR/screen")" = $'first\nexectax: warning: something\nexectax: no more' ]
}

@test "losses stand out unless NO_COLOR is set; no mode of the terminal is changed" {
  some_cells
  on_terminal 24 80
  grep -q $'\033\[31m     100       200       3?' "$BATS_TEST_TMPDIR/typescript"
  [ "$(grep -oE $'\033\[[0-9;?]*[A-Za-z]' "$BATS_TEST_TMPDIR/typescript" | sed -E 's/[0-9]+//' | sort -u | tr -d '\033\n')" = "[A[J[m" ]
  NO_COLOR=1 on_terminal 24 80
  [ "$(grep -c $'\033\[[0-9]*m' "$BATS_TEST_TMPDIR/typescript")" = 0 ]
  grep -q '     100       200       3?' "$BATS_TEST_TMPDIR/screen"
}

@test "elsewhere plain lines, for which nothing is read; none with --quiet" {
  some_cells
  rm -r "$BATS_TEST_TMPDIR/1"
  plain=$'first\n[0/3] a at 100/s, repetition 1, 1m00s left\n[1/3] b at 100/s, repetition 1, 40s left\nexectax: warning: something\n[2/3] c at 100/s, repetition 1, 20s left'
  # shellcheck disable=SC2016 # that is for the program
  echo 'echo "${#LIVE_ROWS[@]} rows"' >>"$BATS_TEST_TMPDIR/program"
  run --separate-stderr bash -euo pipefail "$BATS_TEST_TMPDIR/program"
  # shellcheck disable=SC2154 # bats sets it
  [ "$stderr" = "$plain" ]
  [ "$output" = "0 rows" ]
  TERM=dumb on_terminal 24 80
  [ "$(cat "$BATS_TEST_TMPDIR/screen")" = "$plain"$'\n0 rows' ]
  EXECTAX_QUIET=yes on_terminal 24 80
  [ "$(cat "$BATS_TEST_TMPDIR/screen")" = $'exectax: warning: something\n0 rows' ]
}

@test "a terminal that is gone ends nothing" {
  some_cells
  echo 'echo reached' >>"$BATS_TEST_TMPDIR/program"
  run python3 -c 'import os, pty, subprocess, sys
master, slave = pty.openpty()
os.close(master)
sys.exit(subprocess.run(["bash", "-euo", "pipefail", sys.argv[1]], stderr=slave).returncode)' "$BATS_TEST_TMPDIR/program"
  [ "$status" -eq 0 ]
  [ "$output" = reached ]
}
