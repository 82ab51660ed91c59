#!/usr/bin/env bats
# Waiting, and the lines of an output.

setup() {
  source "$BATS_TEST_DIRNAME/../../lib/lines.sh"
  source "$BATS_TEST_DIRNAME/../../lib/wait.sh"
}

@test "an empty pipe: nothing to read, then what is written" {
  local fd line=
  open_pipe fd
  if read -r -t 0 -u "$fd"; then false; fi
  echo entered >&"$fd"
  read -r -t 5 -u "$fd" line
  [ "$line" = entered ]
}

@test "a pause lasts, as the first one and later, and starts no process" {
  has_children() (
    trap 'touch "$BATS_TEST_TMPDIR/child"' CHLD
    "$@"
    [[ -e $BATS_TEST_TMPDIR/child ]]
  )
  has_children /bin/true
  rm "$BATS_TEST_TMPDIR/child"
  pause_twice() {
    local -i start=${EPOCHREALTIME/[.,]/}
    pause 0.05
    pause 0.05
    ((${EPOCHREALTIME/[.,]/} - start >= 100000)) || touch "$BATS_TEST_TMPDIR/short"
  }
  if has_children pause_twice; then false; fi
  [ ! -e "$BATS_TEST_TMPDIR/short" ]
}

@test "lines: none of nothing, empty ones between others" {
  local -a lines=(old)
  split_lines lines ""
  [ "${#lines[@]}" -eq 0 ]
  split_lines lines $'a\n\nb c'
  [ "${#lines[@]}" -eq 3 ]
  [ "${lines[1]}" = "" ]
  [ "${lines[2]}" = "b c" ]
}
