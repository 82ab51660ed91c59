# shellcheck shell=bash
# bats runs this around the files it is given: also one file by itself has the host to itself.

setup_suite() {
  cd "$(dirname "${BASH_SOURCE[0]}")/../.." || return
  source tests/lock.bash
  tests_lock "bats"
}

teardown_suite() {
  tests_unlock
}
