# shellcheck shell=bash
# Nobody else's run beside the tests: they hold the host's lock, and the runs that they start have one of their own to hold
# against each other.
EXECTAX_ROOT=$PWD
source "$EXECTAX_ROOT/lib/base.sh"
source "$EXECTAX_ROOT/lib/host.sh"

# tests_lock WHAT: unless whoever has started this holds it.
tests_lock() {
  if ((EUID == 0)) && [[ -z ${EXECTAX_LOCK:-} ]]; then
    host_lock "$1"
    TESTS_LOCK_FOLDER=$(mktemp -d)
    export EXECTAX_LOCK=$TESTS_LOCK_FOLDER/lock
  fi
}

tests_unlock() {
  if [[ -n ${TESTS_LOCK_FOLDER:-} ]]; then
    host_unlock
    rm -rf "$TESTS_LOCK_FOLDER"
  fi
}
