#!/usr/bin/env bats
# logfollow on real files.

bats_require_minimum_version 1.5.0

load process

setup() {
  LOGFOLLOW=$(realpath "${LOGFOLLOW:-$BATS_TEST_DIRNAME/../../build/logfollow}")
  cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
  end_started
}

# start_logfollow ARGUMENTS...: follows in the background, into times.csv.
start_logfollow() {
  rm -f times.csv
  start "$LOGFOLLOW" --tag x1.2 --output times.csv "$@" 2>stderr
  wait_for test -s times.csv
}

# has_read FILE: it has come to the file's end.
has_read() {
  local fd size
  size=$(stat -c %s "$1")
  for fd in "/proc/$pid/fd/"*; do
    if [[ $fd -ef $1 && $(awk '$1 == "pos:" { print $2 }' "/proc/$pid/fdinfo/${fd##*/}") == "$size" ]]; then
      return 0
    fi
  done
  return 1
}

# append FILE TEXT: and wait until it is read.
append() {
  printf '%s' "$2" >>"$1"
  wait_for has_read "$1"
}

# end_logfollow [SIGNAL]: sets status, and seqs to the sequences in their order.
end_logfollow() {
  kill -s "${1:-TERM}" "$pid"
  finish
  [[ $(head -n 1 times.csv) == seq,time_real_ns ]]
  seqs=$(tail -n +2 times.csv | cut -d, -f1 | paste -sd' ')
  echo "status $status, sequences '$seqs', stderr '$(<stderr)'"
}

# refused PATTERN ARGUMENTS...
refused() {
  refuses "$LOGFOLLOW" "$@"
}

@test "bad options are refused" {
  touch log
  refused '*expected --tag PREFIX*' log
  refused '*expected at least one FILE*' --tag x
  refused "*--tag 'a b': expected 1 to 100 characters*" --tag 'a b' log
  refused "*--tag '': expected 1 to 100 characters*" --tag '' log
  refused "*--output 'no/such/dir': cannot write to it: No such file*" --tag x --output no/such/dir log
  refused "*unrecognized option*" --tag x --nonsense log
  local interval
  for interval in 0 -1 '' 1x 1000001 0.5 99999999999999999999; do
    refused "*--interval '$interval': expected microseconds*" --tag x "--interval=$interval" log
  done
}

@test "files that cannot be followed are refused" {
  mkdir directory
  mkfifo fifo
  touch file
  refused "*'directory': expected a regular file*" --tag x directory
  refused "*'fifo': expected a regular file*" --tag x fifo
  refused "*'file/log': Not a directory*" --tag x file/log
  refused "*cannot wait for 'missing/log' in 'missing': No such file*" --tag x missing/log
}

@test "--help states units, source and error" {
  run -0 "$LOGFOLLOW" --help
  [[ $output == *'CLOCK_REALTIME in nanoseconds'* && $output == *'Error: '* && $output == *'read()'* ]]
}

@test "what is appended is found, each sequence once, in its order" {
  printf 'a1="x1.2-1"\n' >log
  start_logfollow log
  append log $'a1="x1.2-20"\n'
  append log $'a1="x1.2-3"\nproctitle\na1="x1.2-20" x1.2-4\n'
  append log $'x1.20-5 x1-6 x1.2-\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '20 3 4' && ! -s stderr ]]
}

@test "--from-start takes what is there already" {
  printf 'x1.2-1\nx1.2-2\n' >log
  start_logfollow --from-start log
  append log $'x1.2-2\nx1.2-7\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 2 7' ]]
}

@test "the time is that of the read in which the tag became whole" {
  local before between after
  touch log
  start_logfollow log
  before=$(date +%s%N)
  append log 'first x1.2-1 second x1.2'
  between=$(date +%s%N)
  append log $'-2\n'
  after=$(date +%s%N)
  end_logfollow
  [[ $seqs == '1 2' ]]
  awk -F, -v before="$before" -v between="$between" -v after="$after" '
    $1 == 1 && (substr($2, 1, 16) < substr(before, 1, 16) || substr($2, 1, 16) > substr(between, 1, 16)) { exit 1 }
    $1 == 2 && (substr($2, 1, 16) < substr(between, 1, 16) || substr($2, 1, 16) > substr(after, 1, 16)) { exit 1 }' times.csv
}

@test "digits that the file ends with may still grow" {
  touch log
  start_logfollow log
  append log 'x1.2-4'
  append log '7'
  append log $'11\n'
  append log 'x1.2-80'
  end_logfollow
  [[ $status -eq 0 && $seqs == '4711 80' ]]
}

@test "a file that is made later is read from its beginning" {
  touch other
  start_logfollow other late
  append late $'x1.2-1\n'
  append other $'x1.2-2\n'
  append late $'x1.2-3\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 2 3' ]]
}

@test "a file that is never made is no failure" {
  start_logfollow never
  end_logfollow
  [[ $status -eq 0 && -z $seqs ]]
}

@test "the same tag in two files counts once" {
  touch one two
  start_logfollow one two
  append one $'x1.2-1\n'
  append two $'x1.2-1\nx1.2-2\n'
  append one $'x1.2-2\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 2' ]]
}

@test "rotation: the rest of the old file, then the new one" {
  touch log
  start_logfollow log
  append log $'x1.2-1\n'
  mv log log.1
  append log.1 $'x1.2-2\nx1.2-3'
  printf '9 x1.2-4\n' >log
  wait_for has_read log
  append log $'x1.2-5\n'
  mv log log.2
  printf 'x1.2-6\n' >new
  mv new log
  wait_for has_read log
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 2 3 4 5 6' ]]
}

@test "a file that is removed and made again is continued" {
  touch log
  start_logfollow log
  append log $'x1.2-1\n'
  rm log
  append log $'x1.2-2\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 2' ]]
}

@test "a truncated file is continued at its new beginning" {
  printf 'some lines that stood there before\n' >log
  start_logfollow log
  append log $'x1.2-1 x1.2-3'
  : >log
  wait_for has_read log
  append log $'4 x1.2-2\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '1 3 2' ]]
}

@test "what was written just before the signal is in the output" {
  local signal
  for signal in INT TERM; do
    rm -f log
    touch log
    start_logfollow --interval 1000000 log
    seq -f 'x1.2-%.0f' 0 4999 >>log
    end_logfollow "$signal"
    [[ $status -eq 0 && $(tail -n +2 times.csv | cut -d, -f1) == "$(seq 0 4999)" ]]
  done
}

@test "many records, more than a buffer, while they are being written" {
  touch log
  start_logfollow log
  seq -f 'type=EXECVE argc=2 a0="/bin/true" a1="x1.2-%.0f" and some more to fill the line' 0 99999 >>log
  end_logfollow
  [[ $status -eq 0 && $(tail -n +2 times.csv | cut -d, -f1 | sort -un | wc -l) -eq 100000 ]]
  [[ $(wc -l <times.csv) -eq 100001 ]]
  tail -n +2 times.csv | cut -d, -f2 | sort -nc
}

@test "sequences that are too large are left out, with a warning" {
  touch log
  start_logfollow log
  append log $'x1.2-4294967295 x1.2-4294967296 x1.2-99999999999999999999 x1.2-1\n'
  end_logfollow
  [[ $status -eq 0 && $seqs == '4294967295 1' ]]
  [[ $(<stderr) == 'logfollow: 2 tags left out: their sequences are above 4294967295' ]]
}

@test "output that cannot be written is an error" {
  [[ -e /dev/full ]] || skip 'no /dev/full'
  touch log
  run --separate-stderr timeout 20 "$LOGFOLLOW" --tag x --output /dev/full log
  [[ $status -eq 1 && $stderr == 'logfollow: cannot write /dev/full: No space left on device' ]]
}

@test "output that cannot be written any more ends it" {
  touch log
  start bash -c 'ulimit -f 1; trap "" XFSZ; exec timeout 20 "$@"' - "$LOGFOLLOW" --tag x1.2 --output times.csv log 2>stderr
  wait_for test -s times.csv
  seq -f 'x1.2-%.0f' 0 9999 >>log
  finish
  echo "status $status, stderr '$(<stderr)'"
  [[ $status -eq 1 && $(<stderr) == 'logfollow: cannot write times.csv: File too large' ]]
}
