#!/usr/bin/env bats
# Folders that came from elsewhere: what stays of them, and that nothing is written or read through what they have in them.

bats_require_minimum_version 1.5.0

load ../rooms

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base report
  CANARY=$BATS_TEST_TMPDIR/canary
  FOLDER=$BATS_TEST_TMPDIR/folder
  mkdir "$FOLDER"
  echo mine >"$CANARY"
}

@test "a file is put in place of a link, and of what is left at its new name, and follows neither" {
  ln -s "$CANARY" "$FOLDER/file"
  ln -s "$CANARY" "$FOLDER/file.new"
  echo theirs | files_put "$FOLDER/file"
  [ "$(<"$CANARY")" = mine ]
  [[ ! -L $FOLDER/file && $(<"$FOLDER/file") == theirs && ! -L $FOLDER/file.new && ! -e $FOLDER/file.new ]]
  # A hard link is another name of it.
  ln -f "$CANARY" "$FOLDER/file"
  echo again | files_put "$FOLDER/file"
  [ "$(<"$CANARY")" = mine ]
  rm "$FOLDER/file"
  mkfifo "$FOLDER/file.new"
  echo more | files_put "$FOLDER/file"
  [[ $(<"$FOLDER/file") == more && ! -e $FOLDER/file.new ]]
  # What can't be replaced stays.
  mkdir "$FOLDER/folder"
  run ! files_put "$FOLDER/folder" <<<more
  [[ -d $FOLDER/folder && ! -e $FOLDER/folder.new ]]
}

# made_strange FOLDER: with all that is no file of a run.
made_strange() {
  mkdir -p "$1/cells/a" "$1/closed"
  echo kept >"$1/cells/a/kept"
  chmod 4777 "$1/cells/a/kept"
  ln -s "$CANARY" "$1/perf.csv"
  ln -s / "$1/root"
  ln "$CANARY" "$1/cells/hard"
  mkfifo "$1/cells/pipe"
  python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$1/socket"
  touch "$1/closed/"$'new\nline' "$1/closed/unreadable"
  chmod 0 "$1/closed/unreadable" "$1/closed"
}

# is_made_plain FOLDER: so is what is left of that.
is_made_plain() {
  [ "$(find "$1" ! -type d -printf '%y %P|')" = "$(cd "$1" && find . ! -type d -printf 'f %P|')" ] || return 1
  [ "$(cd "$1" && printf '%s|' cells/a/* cells/h* cells/p* closed/* *)" = "cells/a/kept|cells/h*|cells/p*|closed/new"$'\n'"line|closed/unreadable|cells|closed|" ] || return 1
  [ -z "$(find "$1" -perm /7022)" ] || return 1
  [ -z "$(find "$1" -type f ! -perm -600)" ] && [ "$(<"$CANARY")" = mine ]
}

@test "of a folder that was unpacked, regular files and folders stay, with modes that give nothing away" {
  local mode
  mode=$(stat -c %a "$CANARY")
  made_strange "$FOLDER/run"
  chmod 3777 "$FOLDER/run/cells"
  files_make_plain "$FOLDER/run"
  is_made_plain "$FOLDER/run"
  [ "$(stat -c %a "$CANARY")" = "$mode" ]
}

@test "results of a fleet: links and pipes of what was fetched do not stay" {
  local results=$PWD/deploy/ansible/roles/exectax/files/results.sh
  made_strange "$BATS_TEST_TMPDIR/run"
  # In an archive it would be a file of its own.
  rm "$BATS_TEST_TMPDIR/run/cells/hard"
  tar -C "$BATS_TEST_TMPDIR/run" -czf "$FOLDER/.web1.tar.gz" .
  bash "$results" unpack "$FOLDER" web1 abc
  is_made_plain "$FOLDER/web1"
}

@test "a run with a link, a pipe or a device in it is refused by whatever reads runs, and nothing is written" {
  local command run=$FOLDER/run
  mkdir -p "$run/cells" "$run/monitors/m/1/run"
  echo '{"schema": 1, "kind": "sweep"}' >"$run/manifest.json"
  echo cell >"$run/plan.csv"
  echo test,exec_per_sec,cpu,counted_us >"$run/perf.csv"
  # What a monitor left may have links.
  ln -s "$CANARY" "$run/monitors/m/1/run/link"
  [ -z "$(files_other_than_plain "$run")" ]
  ln -s "$CANARY" "$run/cells/parts.svg"
  for command in report publish "estimate --exec-rate 1" "sweep --resume" "compare $run" "compare --history $FOLDER"; do
    # shellcheck disable=SC2086 # A command and its options.
    run -2 ./exectax $command $([[ $command == *history* ]] || echo "$run")
    echo "$command: $output"
    [[ ${#lines[@]} == 1 && $output == "exectax: '$run' has 'cells/parts.svg', expected regular files and folders and no links" ]]
  done
  [ "$(find "$run" -type f | wc -l)" = 3 ]
  rm "$run/cells/parts.svg"
  mkfifo "$run/pipe"
  [ "$(files_other_than_plain "$run")" = pipe ]
  rm "$run/pipe"
  ln -s cells "$run/jobs"
  [ "$(files_other_than_plain "$run")" = jobs ]
}

@test "the figures of a run are not written through links" {
  local run=$FOLDER/run
  mkdir -p "$run/cells"
  printf 'cell,rep,monitor,rate,turn\n' >"$run/plan.csv"
  jq -n '{schema: 1, kind: "sweep", options: {duration_s: 10, instrumented_s: 10, warmup_s: 1}, sessions: [], host: {cpus: 2}, skipped: {}}' >"$run/manifest.json"
  ln -s "$CANARY" "$run/cells.csv"
  ln -s "$CANARY" "$run/cells.csv.new"
  ln -s "$CANARY" "$run/perf.csv.new"
  "$BUILD/figures" "$run" || true
  ls -l "$run"
  [ "$(<"$CANARY")" = mine ]
  [[ -f $run/cells.csv && ! -L $run/cells.csv && ! -e $run/cells.csv.new ]]
}

@test "pictures are not drawn through links, nor are pages and tables of several hosts written through them" {
  local name
  for name in perf.svg perf.svg.new perf.csv.part hosts.csv hosts.csv.new report.html report.html.new; do
    ln -s "$CANARY" "$FOLDER/$name"
  done
  printf 'test,exec_per_sec,cpu,achieved_per_sec\nnone,100,1,100\na,100,2,100\na,200,3,200\n' >"$BATS_TEST_TMPDIR/table"
  pictures_rows "$BATS_TEST_TMPDIR/table" | pictures_lines "$FOLDER" subtitle '{"rates": "reached", "counted": "CPU"}' svg
  mkdir "$FOLDER/web1"
  ln -s "$BATS_TEST_TMPDIR" "$FOLDER/web2"
  echo '{}' >"$FOLDER/web1/manifest.json"
  echo '{}' >"$BATS_TEST_TMPDIR/manifest.json"
  fleet_make "$FOLDER" 800 no >"$BATS_TEST_TMPDIR/text"
  cat "$BATS_TEST_TMPDIR/text"
  [ "$(<"$CANARY")" = mine ]
  grep -q '^| web2 .* its folder is neither a regular file nor a folder |' "$BATS_TEST_TMPDIR/text"
  [ ! -e "$BATS_TEST_TMPDIR/perf.csv" ]
  for name in perf.svg hosts.csv report.html; do
    [[ -f $FOLDER/$name && ! -L $FOLDER/$name ]]
  done
  [[ ! -e $FOLDER/web2/perf.csv ]]
}
