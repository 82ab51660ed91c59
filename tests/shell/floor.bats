#!/usr/bin/env bats
# floor-bpf and floor-audit as their callers see them: what they refuse, before anything is touched.

bats_require_minimum_version 1.5.0

load process

setup() {
  BUILD=$(realpath "$BATS_TEST_DIRNAME/../../build")
  cd "$BATS_TEST_TMPDIR" || return
}

# refused PROGRAM PATTERN ARGUMENTS...
refused() {
  local program=$1
  shift
  echo "$program"
  refuses "$BUILD/$program" "$@"
}

# both COMMAND...: with @ in place of the program's name.
both() {
  local program
  for program in floor-bpf floor-audit; do
    [[ -x $BUILD/$program ]] || continue
    "${@//@/$program}" || return 1
  done
}

@test "bad options are refused in one line, with what was expected" {
  both refused @ "no output: expected --output FILE"
  both refused @ "--buffer '0': expected a whole number from 1 to *" --output log --buffer 0
  both refused @ "--buffer '-4096': expected a whole number*" --output log --buffer -4096
  both refused @ "--buffer '1M': expected a whole number*" --output log --buffer 1M
  both refused @ "--buffer '99999999999999999999': expected*" --output log --buffer 99999999999999999999
  both refused @ "--delay-ms '0': expected a whole number from 1 to 10000" --output log --delay-ms 0
  both refused @ "--delay-ms '1.5': expected*" --output log --delay-ms 1.5
  both refused @ "'more': expected options only" --output log more
  both refused @ "unrecognized option '--nonsense'" --output log --nonsense
  both refused @ "option '--output' requires an argument" --output
  [ ! -e log ]
}

@test "a ring buffer has a size that the kernel can give" {
  [[ -x $BUILD/floor-bpf ]] || skip "floor-bpf is not built here"
  refused floor-bpf "--buffer '12288': expected a power of two, not less than a page" --output log --buffer 12288
  refused floor-bpf "--buffer '2048': expected a power of two, not less than a page" --output log --buffer 2048
  [ ! -e log ]
}

@test "only floor-bpf knows tracepoints" {
  refused floor-audit "unrecognized option '--raw-tracepoint'" --output log --raw-tracepoint
}

@test "a file that can't be opened is named" {
  both refused @ "cannot open '/nonexistent/log' for appending: No such file or directory" --output /nonexistent/log
  both refused @ "cannot open '/nonexistent/losses.new' for writing: *" --output log --losses /nonexistent/losses
}

says_what_it_is() {
  run "$BUILD/$1" --version
  [[ $status -eq 0 && $output =~ ^$1\ \(exectax\)\ [0-9]+\. ]]
}

@test "the version, as monitor_version wants it" {
  both says_what_it_is @
}

without_root() {
  run --separate-stderr setpriv --reuid 65534 --regid 65534 --clear-groups "./$1" --output log
  echo "$1: status $status, stderr '$stderr'"
  [[ $status -eq 1 && $stderr == *"$1: cannot "*": Operation not permitted"* ]]
}

@test "without root: what was not permitted" {
  ((EUID == 0)) || skip "needs root"
  local folder=/tmp/floor-bats.$BATS_ROOT_PID
  mkdir -m 0777 "$folder"
  cp "$BUILD"/floor-* "$folder"
  cd "$folder"
  run both without_root @
  rm -r "$folder"
  echo "$output"
  [ "$status" -eq 0 ]
}
