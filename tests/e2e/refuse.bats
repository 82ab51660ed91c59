#!/usr/bin/env bats
# Where a run does not begin: one line, exit status 2, nothing changed.

load helpers

setup_file() {
  require_root
  # The host may have rules of its own, which a run refuses, too.
  ! auditctl -s >/dev/null 2>&1 || { audit_save "$BATS_FILE_TMPDIR" && auditctl -D; }
  "$BATS_TEST_DIRNAME/host-state.sh" --without processes >"$BATS_FILE_TMPDIR/before"
}

teardown_file() {
  [[ ! -e $BATS_FILE_TMPDIR/audit-rules ]] || audit_put_back "$BATS_FILE_TMPDIR"
}

setup() {
  RUN=$BATS_TEST_TMPDIR/run
}

teardown() {
  if [[ -n ${AGENT:-} ]]; then
    kill "$AGENT" 2>/dev/null || true
    wait "$AGENT" || true
  fi
}

# refused PATTERN OPTIONS...: by a line that matches.
refused() {
  local pattern=$1
  shift
  run "$ROOT/exectax" sweep --quick --monitors none --out "$RUN" "$@"
  echo "$output"
  [ "$status" -eq 2 ] || return 1
  [ "${#lines[@]}" -eq 1 ] || return 1
  [[ $output == $pattern ]] || return 1
  [ ! -e "$RUN" ] || return 1
}

@test "another security agent: BPF programs that trace" {
  [[ -r /sys/kernel/btf/vmlinux ]] || skip "the kernel does not describe its types"
  mkdir "$BATS_TEST_TMPDIR/agent"
  "$ROOT/build/floor-bpf" --output "$BATS_TEST_TMPDIR/agent/log" >"$BATS_TEST_TMPDIR/agent/stdout" 3>&- &
  AGENT=$!
  wait_for_line ready "$BATS_TEST_TMPDIR/agent/stdout"
  refused "exectax: already watching this host, and so in every figure: floor-bpf (pid $AGENT: BPF programs). Expected none: stop them, measure them with --attach, or give --yes"
}

@test "another security agent: fanotify marks" {
  # Asks the kernel to tell of every file that is opened below /etc, and reads none of it.
  python3 -c '
import ctypes, time
libc = ctypes.CDLL(None, use_errno=True)
fd = libc.fanotify_init(0, 0)
assert fd >= 0
assert libc.fanotify_mark(fd, 1, ctypes.c_uint64(0x20), -100, b"/etc") == 0, ctypes.get_errno()
print("ready", flush=True)
time.sleep(600)' >"$BATS_TEST_TMPDIR/stdout" 3>&- &
  AGENT=$!
  wait_for_line ready "$BATS_TEST_TMPDIR/stdout"
  refused "exectax: already watching this host, and so in every figure: python3 (pid $AGENT: fanotify). Expected none"*
}

@test "another security agent: who listens on the process connector" {
  grep -q '^cn_proc' /proc/net/connector 2>/dev/null || skip "the kernel has no process connector"
  python3 -c '
import os, socket, time
s = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 11)
s.bind((os.getpid(), 1))
print("ready", flush=True)
time.sleep(600)' >"$BATS_TEST_TMPDIR/stdout" 3>&- &
  AGENT=$!
  wait_for_line ready "$BATS_TEST_TMPDIR/stdout"
  refused "exectax: already watching this host, and so in every figure: python3 (pid $AGENT: the process connector). Expected none"*
}

@test "root of a user namespace, or without what it takes" {
  run unshare --user --map-root-user "$ROOT/exectax" sweep --quick --monitors none --out "$RUN"
  [ "$status" -eq 2 ]
  [[ $output == "exectax: this is an unprivileged container (a user namespace)"* ]]
  run env EXECTAX_LOCK="$BATS_TEST_TMPDIR/lock" setpriv --bounding-set=-sys_admin bash -c '"$@"' - "$ROOT/exectax" sweep --quick --monitors none --out "$RUN"
  [ "$status" -eq 2 ]
  [[ $output == "exectax: root lacks CAP_SYS_ADMIN here"* ]]
}

@test "a disk with less room than the plan needs" {
  mkdir "$BATS_TEST_TMPDIR/small"
  mount -t tmpfs -o size=64m tmpfs "$BATS_TEST_TMPDIR/small"
  run "$ROOT/exectax" sweep --quick --monitors none --out "$BATS_TEST_TMPDIR/small/run"
  umount "$BATS_TEST_TMPDIR/small"
  [ "$status" -eq 2 ]
  [[ $output == "exectax: $BATS_TEST_TMPDIR/small/run: 6"?" MiB are free there, expected "*" MiB for what this run writes"* ]]
  # Logs of hundreds of gigabytes.
  refused "exectax: $STATE: "*" MiB are free there, expected "*" MiB for what this run writes"* --rates 100000 --duration 86400
  # Nor are the folders there that would have led to the run's; one that was there already stays.
  refused "exectax: $STATE: "*" MiB are free there"* --rates 100000 --duration 86400 --out "$BATS_TEST_TMPDIR/on/the/way"
  [ ! -e "$BATS_TEST_TMPDIR/on" ]
  mkdir "$BATS_TEST_TMPDIR/there"
  run "$ROOT/exectax" sweep --quick --monitors none --out "$BATS_TEST_TMPDIR/there" --rates 100000 --duration 86400
  [ "$status" -eq 2 ]
  [ -d "$BATS_TEST_TMPDIR/there" ]
}

@test "a folder that somebody else could change, and one that is emptied" {
  mkdir "$BATS_TEST_TMPDIR/others" "$BATS_TEST_TMPDIR/open"
  chown nobody "$BATS_TEST_TMPDIR/others"
  chmod 0777 "$BATS_TEST_TMPDIR/open"
  refused "exectax: --out: $BATS_TEST_TMPDIR/others belongs to nobody, who could change it, and with it the results"* --out "$BATS_TEST_TMPDIR/others/run"
  refused "exectax: --out: others can change $BATS_TEST_TMPDIR/open (mode 777)"* --out "$BATS_TEST_TMPDIR/open/run"
  refused "exectax: --out $STATE/scratch/run is below $STATE, which is emptied"* --out "$STATE/scratch/run"
  mkdir "$BATS_TEST_TMPDIR/state"
  ln -s state "$BATS_TEST_TMPDIR/link"
  EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/link refused "exectax: --out "*"/state/run is below $BATS_TEST_TMPDIR/link, which is emptied"* \
    --out "$BATS_TEST_TMPDIR/state/run"
  # sudo's own user may: that run is refused for another reason.
  SUDO_UID=$(id -u nobody) SUDO_GID=$(id -g nobody) refused "exectax: $STATE: "*" MiB are free there"* --out "$BATS_TEST_TMPDIR/others/run" --rates 100000 --duration 86400
}

@test "a state folder that others can write to, or that is somebody else's" {
  mkdir -m 1777 "$BATS_TEST_TMPDIR/open"
  mkdir "$BATS_TEST_TMPDIR/others"
  chown nobody "$BATS_TEST_TMPDIR/others"
  EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/open refused "exectax: EXECTAX_STATE_DIR: others can write to $BATS_TEST_TMPDIR/open: expected a folder that only root can change"
  EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/others refused "exectax: EXECTAX_STATE_DIR: $BATS_TEST_TMPDIR/others belongs to nobody, who could change it: expected"*
}

@test "a state folder whose name no monitor's configuration could hold" {
  EXECTAX_STATE_DIR="$BATS_TEST_TMPDIR/a state" refused "exectax: EXECTAX_STATE_DIR is '$BATS_TEST_TMPDIR/a state', expected an absolute path"*
}

@test "nothing was changed by any of them" {
  "$BATS_TEST_DIRNAME/host-state.sh" --without processes | diff "$BATS_FILE_TMPDIR/before" -
}
