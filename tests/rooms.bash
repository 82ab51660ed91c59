# shellcheck shell=bash
# For tests of functions: the rooms of lib/ in this shell.

# use_rooms ROOM...: in the order in which each knows those before it (base host monitor measure report command).
use_rooms() {
  local room
  EXECTAX_ROOT=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
  BUILD=$EXECTAX_ROOT/build
  export EXECTAX_ROOT BUILD
  for room in "$@"; do
    # shellcheck source=/dev/null
    source "$EXECTAX_ROOT/lib/$room.sh"
  done
}
