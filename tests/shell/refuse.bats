#!/usr/bin/env bats
# Where a run does not begin, each reason by itself. tests/e2e/refuse.bats has whole runs that are refused.

load ../rooms

bats_require_minimum_version 1.5.0

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  cd "$BATS_TEST_DIRNAME/../.." || return 1
  use_rooms base host
  audit_is_usable() { true; }
}

# refuses PATTERN FUNCTION ARGUMENT...: exit status 2 and one line that matches.
refuses() {
  local pattern=$1
  shift
  run "$@"
  echo "status $status: $output"
  [[ $status -eq 2 && ${#lines[@]} -eq 1 ]] || return 1
  # shellcheck disable=SC2053 # it is a pattern
  [[ $output == "exectax: "$pattern ]]
}

# Nothing else is wrong on this host, as far as the test goes.
all_is_well() {
  refuse_container() { :; }
  refuse_state_dir() { :; }
  refuse_out() { :; }
  refuse_disk() { :; }
  refuse_rules() { :; }
  refuse_agents() { :; }
}

@test "each reason refuses a run by itself" {
  all_is_well
  refuse_surroundings
  refuse_folders /out 1 1 no
  refuse_company
  refuse_container() { echo "container"; }
  refuses container refuse_surroundings
  refuse_container() { :; }
  refuse_state_dir() { echo "state"; }
  refuses state refuse_program
  refuse_out() { echo "out $*"; }
  refuses "out /out" refuse_folders /out 7 8 no
  refuse_out() { :; }
  refuse_disk() { echo "disk $*"; }
  refuses "disk /out 7 8 no" refuse_folders /out 7 8 no
  refuse_rules() { echo "rules"; }
  refuses rules refuse_company
  refuse_rules() { :; }
  refuse_agents() { echo "agents"; }
  refuses agents refuse_company
}

@test "a state folder that monitors could not be told, or would not see" {
  all_is_well
  local folder
  for folder in "/var/a state" relative/state "/var/x'y" "/var/x\$y" ''; do
    HOST_STATE_DIR=$folder
    refuses "EXECTAX_STATE_DIR is '$folder', expected an absolute path of letters, digits and ._/- *" refuse_program
  done
  for folder in /run /run/exectax /var/../run/exectax; do
    HOST_STATE_DIR=$folder
    refuses "EXECTAX_STATE_DIR is '$folder', expected a folder outside /run *" refuse_program
  done
  HOST_STATE_DIR=/runner/exectax
  refuse_program
}

@test "root of a user namespace, or without CAP_SYS_ADMIN" {
  ((EUID == 0)) || skip "needs root"
  local asked='EXECTAX_ROOT=$PWD; source lib/base.sh; source lib/host.sh; refuse_container'
  [ -z "$(refuse_container)" ]
  [ "$(unshare --user --map-root-user bash -c "$asked")" = \
    "this is an unprivileged container (a user namespace): expected root of the host, or a privileged container" ]
  [ "$(setpriv --bounding-set=-sys_admin bash -c "$asked")" = \
    "root lacks CAP_SYS_ADMIN here (a container?): expected root of the host, or a privileged container" ]
  [ -z "$(setpriv --bounding-set=-sys_time bash -c "$asked")" ]
}

# Below folders of the test's own.
folders() {
  ((EUID == 0)) || skip "needs root"
  BASE=$BATS_TEST_TMPDIR/base
  mkdir -p "$BASE/way/out"
  chmod 0755 "$BASE" "$BASE/way" "$BASE/way/out"
}

@test "who could change a folder, or what it is in" {
  folders
  in_other_hands() { folder_in_other_hands "$BASE/way/out" 0 0; }
  [ -z "$(in_other_hands)" ]
  chown nobody "$BASE/way/out"
  [ "$(in_other_hands)" = "$BASE/way/out belongs to nobody, who could change it" ]
  [ -z "$(folder_in_other_hands "$BASE/way/out" "0 $(id -u nobody)" 0)" ]
  chown 0 "$BASE/way/out"
  # Or rename it.
  chown nobody "$BASE/way"
  [ "$(in_other_hands)" = "$BASE/way belongs to nobody, who could change it" ]
  chown 0 "$BASE/way"
  chmod 0757 "$BASE/way"
  [ "$(in_other_hands)" = "others can change $BASE/way (mode 757)" ]
  # In a folder like /tmp that is nobody's right.
  chmod 1757 "$BASE/way"
  [ -z "$(in_other_hands)" ]
  chmod 0775 "$BASE/way"
  [ -z "$(in_other_hands)" ]
  chgrp nogroup "$BASE/way"
  [ "$(in_other_hands)" = "others can change $BASE/way (mode 775)" ]
  [ -z "$(folder_in_other_hands "$BASE/way/out" 0 "0 $(stat -c %g "$BASE/way")")" ]
  # Of a folder that is not there, what it would be in.
  [ "$(folder_in_other_hands "$BASE/way/out/of/here" 0 0)" = "others can change $BASE/way (mode 775)" ]
}

@test "who could lead the way elsewhere: the owner of each link, and of the folders that it is in" {
  folders
  mkdir -m 1777 "$BASE/tmp"
  ln -s ../way "$BASE/tmp/link"
  [ -z "$(folder_in_other_hands "$BASE/tmp/link/out" 0 0)" ]
  [ -z "$(cd "$BASE/tmp/link" && folder_in_other_hands ../way/out/. 0 0)" ]
  chown -h nobody "$BASE/tmp/link"
  [ "$(folder_in_other_hands "$BASE/tmp/link/out" 0 0)" = "$BASE/tmp/link belongs to nobody, who could change it" ]
  [ -z "$(folder_in_other_hands "$BASE/tmp/link/out" "0 $(id -u nobody)" 0)" ]
  # Through a link of root's into what is not root's, and back again.
  mkdir "$BASE/theirs"
  ln -s "$BASE/way" "$BASE/theirs/back"
  ln -s "$BASE/theirs/back" "$BASE/link"
  [ -z "$(folder_in_other_hands "$BASE/link/out" 0 0)" ]
  chown nobody "$BASE/theirs"
  [ "$(folder_in_other_hands "$BASE/link/out" 0 0)" = "$BASE/theirs belongs to nobody, who could change it" ]
  ln -s circle "$BASE/circle"
  [ "$(folder_in_other_hands "$BASE/circle/out" 0 0)" = "$BASE/circle/out leads through more than 40 links" ]
}

# A checkout of root's, whose owner may change it.
checkout() {
  folders
  # shellcheck disable=SC2034 # refuse_program reads it
  EXECTAX_ROOT=$BASE/way BUILD=$BASE/way/build HOST_STATE_DIR=$BASE/state
  mkdir "$BASE/way/lib" "$BASE/way/results"
  touch "$BASE/way/lib/file"
}

@test "root runs nothing that somebody else could change: the checkout, what is built, monitors' scripts, before the state folder is looked at" {
  checkout
  refuse_program
  chown nobody "$BASE/way/results" "$BASE/way/out"
  refuses "root runs nothing of '$BASE/way': others can change out in it: expected what only root and you can change" refuse_program
  chown 0 "$BASE/way/out"
  refuse_program
  chmod 0666 "$BASE/way/lib/file"
  refuses "root runs nothing of '$BASE/way': others can change lib/file in it: *" refuse_program
  chmod 0664 "$BASE/way/lib/file"
  refuse_program
  mkdir "$BASE/built"
  ln -s ../built "$BASE/way/build"
  refuse_program
  touch "$BASE/built/execrate"
  chown nobody "$BASE/built/execrate"
  refuses "root runs nothing of '$BASE/way/build': others can change execrate in it: *" refuse_program
  chown 0 "$BASE/built/execrate"
  chmod 0777 "$BASE/built"
  refuses "root runs nothing of '$BASE/way/build': others can change $BASE/built (mode 777): *" refuse_program
  chmod 0755 "$BASE/built"
  # The whole of it may be the caller's.
  chown -hR nobody "$BASE/way"
  refuse_program
}

@test "a script in EXECTAX_MONITORS that somebody else could change is not read" {
  folders
  echo "echo read >&2" >"$BASE/way/none.sh"
  run -0 env EXECTAX_MONITORS="$BASE/way" "$EXECTAX_ROOT/exectax" --monitors
  chown nobody "$BASE/way/none.sh"
  refuses "root runs nothing of '$BASE/way': others can change none.sh in it: *" env EXECTAX_MONITORS="$BASE/way" "$EXECTAX_ROOT/exectax" list
}

@test "every command that needs root leaves alone a state folder that is somebody else's" {
  local command folder
  folders
  folder=$BASE/way/out
  echo "lasting undo_scratch 777 " >"$folder/journal"
  chown -R nobody "$folder"
  for command in restore "restore --show" list "doctor --no-noise" "sweep --dry-run" "saturate --dry-run" "rules --dry-run" "rules --engines"; do
    # shellcheck disable=SC2086 # its options
    refuses "EXECTAX_STATE_DIR: $folder belongs to nobody, who could change it: *" env EXECTAX_STATE_DIR="$folder" "$EXECTAX_ROOT/exectax" $command
  done
  ln -s "$BASE/way/out" "$BASE/link"
  refuses "EXECTAX_STATE_DIR: $folder belongs to nobody, who could change it: *" env EXECTAX_STATE_DIR="$BASE/link" "$EXECTAX_ROOT/exectax" restore
  [ "$(stat -c %a "$folder")" = 755 ]
  [ -s "$folder/journal" ]
}

@test "a state folder that others can write to or that is somebody else's" {
  folders
  HOST_STATE_DIR=$BASE/way/out
  [ -z "$(refuse_state_dir)" ]
  # Folders like /tmp are in nobody's way, but none for what root executes.
  chmod 1777 "$HOST_STATE_DIR"
  [ "$(refuse_state_dir)" = "EXECTAX_STATE_DIR: others can write to $HOST_STATE_DIR: expected a folder that only root can change" ]
  chmod 1770 "$HOST_STATE_DIR"
  [ "$(refuse_state_dir)" = "EXECTAX_STATE_DIR: others can write to $HOST_STATE_DIR: expected a folder that only root can change" ]
  chmod 0700 "$HOST_STATE_DIR"
  chown nobody "$HOST_STATE_DIR"
  [ "$(refuse_state_dir)" = "EXECTAX_STATE_DIR: $HOST_STATE_DIR belongs to nobody, who could change it: expected a folder that only root can change" ]
}

@test "results where somebody else could change them, or where they would be removed" {
  folders
  HOST_STATE_DIR=$BASE/state
  [ -z "$(refuse_out "$BASE/way/out")" ]
  [ "$(refuse_out "$HOST_STATE_DIR/scratch/out")" = "--out $HOST_STATE_DIR/scratch/out is below $HOST_STATE_DIR, which is emptied: expected another folder" ]
  [ "$(refuse_out "$HOST_STATE_DIR")" = "--out $HOST_STATE_DIR is below $HOST_STATE_DIR, which is emptied: expected another folder" ]
  [ -z "$(refuse_out "$HOST_STATE_DIR-2")" ]
  mkdir "$HOST_STATE_DIR"
  ln -s state "$BASE/link"
  HOST_STATE_DIR=$BASE/link
  [ "$(refuse_out "$BASE/state/out")" = "--out $BASE/state/out is below $HOST_STATE_DIR, which is emptied: expected another folder" ]
  HOST_STATE_DIR=$BASE/state
  chown nobody "$BASE/way/out"
  [ "$(refuse_out "$BASE/way/out")" = "--out: $BASE/way/out belongs to nobody, who could change it, and with it the results: expected a folder that belongs to root or to you" ]
  # Of sudo's own user it may be.
  [ -z "$(SUDO_UID=$(id -u nobody) refuse_out "$BASE/way/out")" ]
}

@test "what somebody makes of --out after it was looked at is found" {
  folders
  use_rooms base host monitor measure
  HOST_STATE_DIR=$BASE/state
  mkdir -m 1777 "$BASE/tmp"
  mkdir "$BASE/theirs"
  OPTIONS[out]=$BASE/tmp/run
  run_make_out
  [ "$(stat -c %a "$BASE/tmp/run")" = 700 ]
  OPTIONS[out]=$BASE/tmp/a/run
  ln -s "$BASE/theirs" "$BASE/tmp/a"
  chown -h nobody "$BASE/tmp/a"
  refuses "--out: $BASE/tmp/a belongs to nobody, who could change it, *" run_make_out
  # A link in its place is made by nobody's mkdir.
  OPTIONS[out]=$BASE/tmp/b
  ln -s "$BASE/theirs/b" "$BASE/tmp/b"
  refuses "--out: the folder $BASE/tmp/b can't be made, *" run_make_out
  [ ! -e "$BASE/theirs/b" ]
}

# has_room FREE_STATE FREE_OUT: in bytes, on two disks.
has_room() {
  FREE_STATE=$1 FREE_OUT=$2
  df() {
    echo Avail
    [[ ${*: -1} == "$BATS_TEST_TMPDIR/state" ]] && echo "$FREE_STATE" || echo "$FREE_OUT"
  }
}

@test "room for the logs of one start, and for what stays of all" {
  mkdir "$HOST_STATE_DIR" "$BATS_TEST_TMPDIR/out"
  local out=$BATS_TEST_TMPDIR/out/run reserve=$((256 << 20))
  has_room $((reserve + 1000 * 2300)) $((reserve + 9000 * 100))
  [ -z "$(refuse_disk "$out" 9000 1000 no)" ]
  has_room $((reserve + 1000 * 2300 - 1)) $((reserve + 9000 * 100))
  [[ $(refuse_disk "$out" 9000 1000 no) == "$HOST_STATE_DIR: 258 MiB are free there, expected 258 MiB for what this run writes; "* ]]
  has_room $((reserve + 1000 * 2300)) $((reserve + 9000 * 100 - 1))
  [[ $(refuse_disk "$out" 9000 1000 no) == "$out: "*" MiB are free there"* ]]
  # Where logs are kept, those of all launches.
  has_room $((reserve + 1000 * 2300)) $((reserve + 9000 * 2400))
  [ -z "$(refuse_disk "$out" 9000 1000 yes)" ]
  has_room $((reserve + 1000 * 2300)) $((reserve + 9000 * 2400 - 1))
  [[ $(refuse_disk "$out" 9000 1000 yes) == "$out: "*" MiB are free there"* ]]
}

@test "an administrator's rules; those that a distribution sets are none" {
  auditctl() { echo "$RULES"; }
  RULES="No rules"
  [ -z "$(refuse_rules)" ]
  RULES="-a never,task"
  [ -z "$(refuse_rules)" ]
  RULES=$'-a never,task\n-w /etc/shadow -p wa'
  [ "$(refuse_rules)" = "this host has audit rules (2), which would not be in force until the run ends: expected none, or --yes" ]
  audit_is_usable() { false; }
  [ -z "$(refuse_rules)" ]
}

# no_agents: as far as the test goes.
no_agents() {
  audit_owner() { echo 0; }
  audit_has_multicast_reader() { false; }
  journald_reads_audit() { false; }
  agents_of_bpf() { :; }
  agents_of_fanotify() { :; }
  agents_of_sockets() { :; }
  [[ ! -s /etc/ld.so.preload ]] || skip "this host has /etc/ld.so.preload"
}

@test "each kind of agent is one, all are told, and each once" {
  no_agents
  [ -z "$(refuse_agents)" ]
  agents_of_bpf() { printf '%s\n' "sensor (pid 7: BPF programs)" "sensor (pid 7: BPF programs)"; }
  [ "$(refuse_agents)" = "already watching this host, and so in every figure: sensor (pid 7: BPF programs). Expected none: stop them, measure them with --attach, or give --yes" ]
  agents_of_fanotify() { echo "scanner (pid 8: fanotify)"; }
  agents_of_sockets() { echo "listener (pid 9: $1 $2)"; }
  agents_of_audit() { echo "reader (pid 10: the audit socket)"; }
  [[ $(refuse_agents) == "already watching this host, and so in every figure: listener (pid 9: 11 the process connector); reader (pid 10: the audit socket); "*"scanner (pid 8: fanotify); sensor (pid 7: BPF programs). Expected "* ]]
}

@test "who holds the audit socket is an agent, auditd apart; so is who reads audit over multicast, journald apart" {
  no_agents
  audit_owner() { echo $$; }
  audit_owner_service() { echo "$SERVICE"; }
  local service
  for service in unit:auditd.service init:auditd; do
    SERVICE=$service
    [ -z "$(agents_of_audit)" ]
  done
  for service in unit:laurel.service unit:myauditd.service unit:auditd-other.service; do
    SERVICE=$service
    [ "$(agents_of_audit)" = "$(</proc/$$/comm) (pid $$: the audit socket)" ]
  done
  audit_owner() { echo 0; }
  audit_has_multicast_reader() { true; }
  [ "$(agents_of_audit)" = "a reader of audit over multicast (protocol 9 in /proc/net/netlink)" ]
  journald_reads_audit() { true; }
  [ -z "$(agents_of_audit)" ]
  journald_reads_audit() { false; }
  audit_is_usable() { false; }
  [ -z "$(agents_of_audit)" ]
}

@test "BPF programs that watch the kernel are agents', systemd's own and those of other kinds are not" {
  BUILD=$BATS_TEST_TMPDIR
  cat >"$BUILD/cpumeter" <<'SH'
#!/bin/sh
echo time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status
for name in 3:sd_fw_egress:cgroup_skb 5:restrict_fs:lsm 7:on_exec:tracepoint 9:pinned:kprobe 11:steer:sk_lookup; do
  echo "1,bpf,$name,5,6,,,ok"
done
echo 1,host,busy,5,,,,ok
SH
  chmod +x "$BUILD/cpumeter"
  agents_by_fdinfo() {
    case $1 in
      *'*5$') echo "systemd (pid 1: $2)" ;;
      *'*7$') echo "sensor (pid 7: $2)" ;;
    esac
  }
  [ "$(agents_of_bpf)" = $'sensor (pid 7: BPF programs)\nBPF program 9:pinned:kprobe, pinned' ]
  local kind
  for kind in kprobe tracepoint raw_tracepoint raw_tracepoint_writable perf_event tracing lsm; do
    printf '#!/bin/sh\necho 1,bpf,9:x:%s,,,,,ok\n' $kind >"$BUILD/cpumeter"
    [ "$(agents_of_bpf)" = "BPF program 9:x:$kind, pinned" ]
  done
}

@test "who holds what, and who listens, is found by descriptors" {
  python3 -c '
import ctypes, socket, time
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
s.bind((0, 1))
libc = ctypes.CDLL(None)
libc.inotify_add_watch(libc.inotify_init1(0), b"/", 0x200)
print("ready", flush=True)
time.sleep(600)' >"$BATS_TEST_TMPDIR/ready" 3>&- &
  local agent=$!
  wait_until 20 grep -qs ready "$BATS_TEST_TMPDIR/ready"
  agents_by_fdinfo '^inotify ' "inotify" >"$BATS_TEST_TMPDIR/holders"
  agents_of_sockets 0 "links" >"$BATS_TEST_TMPDIR/listeners"
  agents_of_sockets 11 "links" >"$BATS_TEST_TMPDIR/others"
  kill "$agent"
  wait "$agent" || true
  grep -q "(pid $agent: inotify)" "$BATS_TEST_TMPDIR/holders"
  grep -q "(pid $agent: links)" "$BATS_TEST_TMPDIR/listeners"
  [ "$(grep -c "(pid $agent: " "$BATS_TEST_TMPDIR/others")" -eq 0 ]
}

# holder USER CODE: a Python process of that user, for whose code `libc`, `name` (a call that names it) and `ready` are there; its pid is in HOLDER.
holder() {
  python3 -c '
import ctypes, os, socket, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def name(text): libc.prctl(15, text, 0, 0, 0)
if sys.argv[1] != "0": os.setresuid(*[int(sys.argv[1])] * 3)
exec(sys.argv[2])
print("ready", flush=True)
time.sleep(600)' "$1" "$2" >"$BATS_TEST_TMPDIR/ready" 2>&1 3>&- &
  HOLDER=$!
  wait_until 20 grep -qs ready "$BATS_TEST_TMPDIR/ready" || { cat "$BATS_TEST_TMPDIR/ready"; return 1; }
}

# holder_ends
holder_ends() {
  kill "$HOLDER"
  wait "$HOLDER" || true
}

teardown() {
  [[ -z ${HOLDER:-} ]] || kill "$HOLDER" 2>/dev/null || true
}

@test "a group of fanotify that anybody may have is no agent, however it is called; root's is" {
  ((EUID == 0)) || skip "needs root"
  # FAN_REPORT_FID, a mark on a folder; a name that would clear the screen, and be another line.
  local group='name(b"\x1b[2Jevil\npid"); fd = libc.fanotify_init(FLAGS, 0); assert fd >= 0, ctypes.get_errno()
os.mkdir(DIR); assert libc.fanotify_mark(fd, 1, ctypes.c_uint64(0x20), -100, DIR.encode()) == 0, ctypes.get_errno()'
  group=${group//DIR/\"/tmp/exectax-fanotify-$$\"}
  holder 65534 "${group/FLAGS/0x200}"
  [[ $(agents_of_fanotify) != *"pid $HOLDER:"* ]]
  holder_ends
  rmdir "/tmp/exectax-fanotify-$$"
  for flags in 0x200 0; do
    holder 0 "${group/FLAGS/$flags}"
    agents_of_fanotify | grep -a "pid $HOLDER:" | cat -v
    [ "$(agents_of_fanotify | grep -a "pid $HOLDER:")" = "?[2Jevil?pid (pid $HOLDER: fanotify)" ]
    holder_ends
    rmdir "/tmp/exectax-fanotify-$$"
  done
}

@test "who may watch all: root, or who has CAP_SYS_ADMIN of the host; not root of a namespace of their own, nor what is set-user-ID" {
  ((EUID == 0)) || skip "needs root"
  agent_may_watch_all $$
  run ! agent_may_watch_all 4999999
  holder 65534 "pass"
  run ! agent_may_watch_all "$HOLDER"
  holder_ends
  holder 65534 'assert libc.unshare(0x10000000) == 0'
  grep -q '^CapEff:.*[1-9a-f]' "/proc/$HOLDER/status"
  run ! agent_may_watch_all "$HOLDER"
  holder_ends
  holder 0 'os.setresuid(65534, 0, 0)'
  run ! agent_may_watch_all "$HOLDER"
  holder_ends
  holder 0 'libc.prctl(8, 1, 0, 0, 0); os.setresuid(65534, 65534, 65534)
libc.syscall(126, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(1 << 21, 1 << 21, 0, 0, 0, 0))'
  if [[ $(uname -m) == x86_64 ]]; then agent_may_watch_all "$HOLDER"; fi
  holder_ends
}
