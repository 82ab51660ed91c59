# shellcheck shell=bats
# For tests of programs: what they refuse, and what runs beside the test.

# Processes that end_started ends, and whoever starts some in another way than by start adds to.
started=()

# start COMMAND...: in the background, without bats' descriptors; sets pid.
start() {
  "$@" 3>&- &
  pid=$!
  started+=("$pid")
}

# For teardown. A number may be another process's by now: those of the test have its folder in their environment.
end_started() {
  local process
  for process in "${started[@]}"; do
    if grep -qzxF "BATS_TEST_TMPDIR=$BATS_TEST_TMPDIR" "/proc/$process/environ" 2>/dev/null; then
      # bash would say of a child that it was killed.
      disown "$process" 2>/dev/null || true
      kill -s KILL "$process" || true
      # A cgroup that it is in can't be removed before.
      wait_for ended "$process"
    fi
  done
}

# wait_for COMMAND...: until it succeeds, 20 s at most.
wait_for() {
  local deadline=$((SECONDS + 20))
  until "$@"; do
    if ((SECONDS > deadline)); then
      echo "waited in vain for: $*"
      return 1
    fi
    sleep 0.02
  done
}

# ended [PID]: by default what was started last. A zombie has ended, too.
ended() {
  local process=${1:-$pid}
  [[ $(awk '/^State:/ { print $2 }' "/proc/$process/status" 2>/dev/null) == [ZX]* || ! -e /proc/$process ]]
}

# Waits for the end of what was started last; sets status.
finish() {
  wait_for ended
  status=0
  wait "$pid" || status=$?
}

# refuses PROGRAM PATTERN ARGUMENTS...: exit status 2, nothing on stdout, and one line on stderr: the program's name, and what
# matches.
refuses() {
  local program=$1 pattern=$2
  shift 2
  run --separate-stderr timeout 20 "$program" "$@"
  local said=${stderr:-}
  echo "status $status, stdout '$output', stderr '$said'"
  [[ $status -eq 2 ]] || return 1
  [[ -z $output ]] || return 1
  [[ $said != *$'\n'* ]] || return 1
  [[ $said == "${program##*/}: "$pattern ]]
}
