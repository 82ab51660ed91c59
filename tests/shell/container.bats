#!/usr/bin/env bats
# A run in a container that has the host's processes and cgroups: the lock is the host's, and what puts the host back does so when the container is gone.

load ../rooms
load process

setup() {
  ((EUID == 0)) || skip "needs root"
  ROOT=$(dirname "$(dirname "$BATS_TEST_DIRNAME")")
  cd "$BATS_TEST_TMPDIR" || return 1
}

teardown() {
  [[ -z ${harness:-} ]] || kill -s KILL "$harness" 2>/dev/null || true
}

# with_root FOLDER: pid 1 has that for its root, as seen from this shell.
with_root() {
  HOST_STATE_DIR=/state
  CONTAINER_HOST_ROOT=$1
}

@test "what is the host's own, as the lock, is below the root of pid 1; in a pod that can't look there, in the state folder" {
  use_rooms base host
  unset KUBERNETES_SERVICE_HOST
  [ "$(env -u EXECTAX_LOCK bash -c 'source "$0/tests/rooms.bash"; use_rooms base host; echo "$HOST_LOCK"' "$ROOT")" = /run/exectax.lock ]
  with_root /
  [ "$(container_host_file /run/x.lock)" = /run/x.lock ]
  mkdir root
  with_root "$PWD/root"
  [ "$(container_host_file /run/x.lock)" = "$PWD/root/run/x.lock" ]
  with_root /nonexistent
  [ "$(container_host_file /run/x.lock)" = /run/x.lock ]
  KUBERNETES_SERVICE_HOST=10.96.0.1
  [ "$(container_host_file /run/x.lock)" = /state/x.lock ]
}

@test "a container that ends all that was started in it is told" {
  use_rooms base host
  cgroup_find_mounts
  [[ $(stat -L -c %i /proc/self/ns/pid) == 4026531836 ]] || skip "this is a container"
  with_root /
  ! container_ends_all || return 1
  run unshare --pid --fork bash -c 'source "$0/tests/rooms.bash"; use_rooms base host; cgroup_find_mounts; CONTAINER_HOST_ROOT=/; container_ends_all' "$ROOT"
  [ "$status" -eq 0 ]
  # With the host's processes: by its hierarchies.
  local group=${CGROUP_MOUNTS[-1]}/exectax-test-$BASHPID
  with_root "$PWD"
  ! container_ends_all || return 1
  mkdir "$group"
  # shellcheck disable=SC2016 # the inner shell expands it
  run unshare --mount bash -c 'mount --bind "$2" "$3"; source "$1/tests/rooms.bash"; use_rooms base host; cgroup_find_mounts; CONTAINER_HOST_ROOT=$1; container_ends_all' - "$ROOT" "$group" "${CGROUP_MOUNTS[-1]}"
  rmdir "$group"
  [ "$status" -eq 0 ]
}

@test "a run in a container is killed, and the container is gone: the host is put back from its image" {
  local folder=$PWD
  mkdir state image upper work
  mount -t tmpfs exectax-test work || skip "nothing can be mounted here"
  mkdir work/{upper,work}
  # An image, and a layer above it that goes with the container. The harness has its own root's mounts, and the state folder is the host's.
  cat >harness <<'END'
set -euo pipefail
mount -t overlay exectax-test -o "lowerdir=$1,upperdir=$2/work/upper,workdir=$2/work/work" "$2/image" || exit 3
source "$2/image/tests/rooms.bash"
use_rooms base host
CONTAINER_HOST_ROOT=$2
echo "in the container" >"$2/image/written"
host_lock test
undo_note() { :; }
watch_begin
host_record undo_scratch 700
mkdir -p "$HOST_STATE_DIR/scratch"
echo "$WATCH_PID" >"$2/watcher"
exec sleep 1000
END
  EXECTAX_STATE_DIR=$folder/state EXECTAX_LOCK=$folder/state/lock unshare --mount bash harness "$ROOT" "$folder" 2>stderr 3>&- &
  harness=$!
  wait_for eval '[[ -s watcher || ! -e /proc/$harness/stat ]]'
  [[ -s watcher ]] || { cat stderr; umount work; grep -q overlay stderr && skip "no overlay can be mounted here"; false; }
  [ -d state/scratch ]
  # It is still where its engine has put it; its watcher is not.
  ! grep -q exectax "/proc/$harness/cgroup" || return 1
  grep -q '/exectax-watcher$' "/proc/$(<watcher)/cgroup"
  # The engine removes the container's layer, and its processes, but for those in other groups.
  rm -rf work/upper/* work/upper
  umount --lazy work
  kill -s KILL "$harness"
  wait_for ended "$(<watcher)"
  cat state/watcher.log
  [ ! -e state/scratch ]
  [ ! -e state/journal ]
  grep -q "has put the host back" state/watcher.log
}

@test "a service is found by its group where systemd does not answer" {
  use_rooms base host
  cgroup_find_mounts
  systemctl() { return 1; }
  local unit=exectax-test-$BASHPID.service slice=${CGROUP_MOUNTS[-1]}/system.slice group pids
  [ -z "$(unit_cgroup "$unit")" ]
  mkdir -p "$slice/$unit"
  sleep 1000 3>&- &
  echo $! >"$slice/$unit/cgroup.procs"
  group=$(unit_cgroup "$unit")
  pids=$(unit_pids "$unit")
  kill -s KILL $!
  wait_for rmdir "$slice/$unit"
  rmdir "$slice" 2>/dev/null || true
  [ "$group" = "/system.slice/$unit" ]
  [ "$pids" = $! ]
}
