#!/usr/bin/env bats
# The audit subsystem is put back as it was. The kernel's is the host's: a double keeps its rules and flags in files, so that each of
# them can be one that no host would have. tests/e2e does the same with the real one.

load ../rooms

setup() {
  export EXECTAX_STATE_DIR=$BATS_TEST_TMPDIR/state
  mkdir "$EXECTAX_STATE_DIR"
  use_rooms base host
  say() { :; }
  host_run() { "$@"; }
  EXECTAX_EXEMPT_GID=77
  KERNEL=$BATS_TEST_TMPDIR/kernel
  mkdir "$KERNEL"
  printf '%s\n' 'enabled 1' 'failure 2' 'pid 0' 'rate_limit 7' 'backlog_limit 321' 'lost 4' 'backlog 0' 'backlog_wait_time 1234' >"$KERNEL/status"
  printf '%s\n' '-w /etc/hostname -p wa -k own' '-a always,exit -F arch=b64 -S sethostname -F key=own' '-w /etc/hosts -p r -k own' >"$KERNEL/rules"
  cp -r "$KERNEL" "$BATS_TEST_TMPDIR/before"
}

# Takes what real auditctl takes of exectax. The file `refused` has a rule, or a part of it, or a flag that is not taken; `overlooked`, a
# part of a rule that is taken and then is not there. A rule with `-F odd` becomes another one than it says.
auditctl() {
  local rule="$*"
  case $1 in
    -l) if [[ -s $KERNEL/rules ]]; then cat "$KERNEL/rules"; else echo "No rules"; fi ;;
    -s) cat "$KERNEL/status" ;;
    -D) : >"$KERNEL/rules" ;;
    -e) kernel_set enabled "$2" ;;
    -f) kernel_set failure "$2" ;;
    -r) kernel_set rate_limit "$2" ;;
    -b) kernel_set backlog_limit "$2" ;;
    --backlog_wait_time) kernel_set backlog_wait_time "$2" ;;
    -a | -w)
      rule=${rule/-F odd/-F even}
      if kernel_refuses "$rule"; then
        return 1
      elif grep -qxF -e "$rule" "$KERNEL/rules"; then
        echo "Error sending add rule data request (Rule exists)" >&2
        return 1
      fi
      [[ -e $KERNEL/overlooked && $rule == *"$(<"$KERNEL/overlooked")"* ]] || echo "$rule" >>"$KERNEL/rules"
      ;;
    -d | -W)
      rule="-${rule:1}"
      rule=${rule/#-d/-a}
      rule=${rule/#-W/-w}
      grep -vxF -e "$rule" "$KERNEL/rules" >"$KERNEL/rules.new" || true
      mv "$KERNEL/rules.new" "$KERNEL/rules"
      ;;
    *) return 1 ;;
  esac
}

kernel_refuses() {
  [[ -e $KERNEL/refused && $1 == *"$(<"$KERNEL/refused")"* ]]
}

kernel_set() {
  ! kernel_refuses "$1" || return 1
  sed -i "s/^$1 .*/$1 $2/" "$KERNEL/status"
}

# As a monitor leaves it: its own rules, and no flag as before.
monitor_runs() {
  auditctl -e 1
  auditctl -f 0
  auditctl -r 0
  auditctl -b 8192
  auditctl --backlog_wait_time 60000
  auditctl -a always,exit -F arch=b64 -S execve -F key=monitor
  audit_note_ours
}

# Between two monitors, and after the last one.
monitor_ends() {
  auditctl -D
  auditctl -e 0
  audit_note_ours
}

is_as_before() {
  diff "$BATS_TEST_TMPDIR/before/rules" "$KERNEL/rules" && diff "$BATS_TEST_TMPDIR/before/status" "$KERNEL/status"
}

@test "while it is measured: no rules but the exemption, nothing recorded, and no panic for lack of a reader" {
  audit_isolate
  [ "$(auditctl -l)" = "-a never,task -F gid=77" ]
  [ "$(audit_status enabled) $(audit_status failure)" = "0 1" ]
}

@test "every rule is back, in the same order, and every flag" {
  audit_isolate
  monitor_runs
  monitor_ends
  host_undo
  is_as_before
  # Where there were no rules there are none.
  auditctl -D
  cp "$KERNEL/rules" "$BATS_TEST_TMPDIR/before/rules"
  audit_isolate
  monitor_runs
  host_undo
  is_as_before
}

@test "what somebody else has changed is left alone and told, the rest is put back, and --force puts back all" {
  audit_isolate
  monitor_runs
  auditctl -b 777
  auditctl -w /etc/passwd -p wa -k administrator
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"somebody has changed audit's backlog_limit since the run set it, so it is left alone: now '777', set by the run '8192', before it '321'"* ]]
  [[ $output == *"somebody has changed audit's rules"* ]]
  [ "$(audit_status backlog_limit)" = 777 ]
  grep -q administrator "$KERNEL/rules"
  [ "$(audit_status failure) $(audit_status rate_limit) $(audit_status backlog_wait_time)" = "2 7 1234" ]
  host_restore_forced
  host_undo
  is_as_before
}

@test "what somebody else has put back already is not in the way" {
  audit_isolate
  monitor_runs
  auditctl -b 321
  run host_undo
  [ "$status" -eq 0 ]
  is_as_before
}

@test "while the run changes it itself, nothing is taken for somebody else's" {
  audit_isolate
  audit_forget_ours
  auditctl -b 8192
  host_undo
  is_as_before
}

@test "a rule or a flag that is not taken again costs none of the others, and is told" {
  audit_isolate
  monitor_runs
  echo sethostname >"$KERNEL/refused"
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"audit rejects this saved rule: -a always,exit -F arch=b64 -S sethostname -F key=own"* ]]
  [ "$(<"$KERNEL/rules")" = "$(sed 2d "$BATS_TEST_TMPDIR/before/rules")" ]
  diff "$BATS_TEST_TMPDIR/before/status" "$KERNEL/status"
  # It is in the journal still.
  rm "$KERNEL/refused"
  host_undo
  is_as_before

  audit_isolate
  monitor_runs
  echo rate_limit >"$KERNEL/refused"
  run host_undo
  [ "$status" -eq 1 ]
  [ "$(audit_status rate_limit)" = 0 ]
  sed -i 's/^rate_limit 0/rate_limit 7/' "$KERNEL/status"
  is_as_before
}

# Only a look afterwards tells.
@test "what is taken and not in force is told" {
  audit_isolate
  monitor_runs
  kernel_set() { [[ $1 == backlog_limit ]] || sed -i "s/^$1 .*/$1 $2/" "$KERNEL/status"; }
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"backlog_limit 321"* ]]
  [ -s "$HOST_JOURNAL" ]
  kernel_set() { sed -i "s/^$1 .*/$1 $2/" "$KERNEL/status"; }
  echo hostname >"$KERNEL/overlooked"
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"-w /etc/hostname -p wa -k own"* ]]
  [ -s "$HOST_JOURNAL" ]
}

@test "rules that would not come back as they are: nothing is changed" {
  echo '-a always,exit -S all -F odd' >>"$KERNEL/rules"
  cp "$KERNEL/rules" "$BATS_TEST_TMPDIR/before/rules"
  run audit_isolate
  [ "$status" -eq 1 ]
  [[ $output == *"these audit rules can't be put back from what auditctl prints of them, so nothing was changed: -a always,exit -S all -F odd" ]]
  # Not even the rule that trying it has made is left.
  is_as_before
  [ ! -s "$HOST_JOURNAL" ]
}

@test "what was saved is gone: nothing is put back, and that is told" {
  audit_isolate
  monitor_runs
  cp -r "$KERNEL" "$BATS_TEST_TMPDIR/during"
  rm "$AUDIT_SAVED/rules"
  run host_undo
  [ "$status" -eq 1 ]
  [[ $output == *"the saved audit rules and flags are missing from $AUDIT_SAVED"* ]]
  diff -r "$BATS_TEST_TMPDIR/during" "$KERNEL"
  [ -s "$HOST_JOURNAL" ]
}

# The host's own daemon: a service that loads rules of its own and sets flags when it starts, as auditd with augenrules does.
host_has_auditd() {
  # Or the exit status with which its start leaves it as it is.
  BROKEN=no
  sed -i "s/^pid .*/pid 4242/" "$KERNEL/status"
  cp "$KERNEL/status" "$BATS_TEST_TMPDIR/before/status"
  audit_holds_socket() { [[ $1 == 4242 ]]; }
  audit_owner_service() { echo unit:auditd.service; }
  systemctl() {
    echo "$*" >>"$BATS_TEST_TMPDIR/systemctl"
    case $1 in
      show) echo "${REFUSES_STOP:-no}" ;;
      stop | kill) sed -i "s/^pid .*/pid 0/" "$KERNEL/status" ;;
      start)
        [[ $BROKEN == no ]] || return "$BROKEN"
        sed -i "s/^pid .*/pid 4242/" "$KERNEL/status"
        auditctl -D
        auditctl -a always,exit -F arch=b64 -S adjtimex -F key=boot
        auditctl -e 1
        auditctl -b 99
        ;;
    esac
  }
  wait_until() {
    shift
    "$@"
  }
}

@test "the host's own daemon is stopped and started again, and what it sets as it starts does not stay" {
  host_has_auditd
  audit_isolate
  [ "$(audit_status pid)" = 0 ]
  monitor_runs
  monitor_ends
  host_undo
  is_as_before
  [ "$(paste -sd ';' "$BATS_TEST_TMPDIR/systemctl")" = "show --property RefuseManualStop --value auditd.service;stop auditd.service;start auditd.service" ]
}

@test "a daemon that its manager must not stop is ended by a signal" {
  host_has_auditd
  REFUSES_STOP=yes
  audit_isolate
  grep -qx 'kill --kill-who=main --signal=TERM auditd.service' "$BATS_TEST_TMPDIR/systemctl"
  host_undo
  is_as_before
}

@test "what somebody else has changed is left alone also where the daemon sets it as it starts" {
  host_has_auditd
  audit_isolate
  monitor_runs
  monitor_ends
  auditctl -b 777
  auditctl -w /etc/passwd -p wa -k administrator
  run host_undo
  [ "$status" -eq 1 ]
  [ "$(audit_status backlog_limit)" = 777 ]
  [ "$(auditctl -l)" = "-w /etc/passwd -p wa -k administrator" ]
  [ "$(audit_status pid) $(audit_status rate_limit)" = "4242 7" ]
}

@test "a daemon that does not start again costs none of the other steps" {
  host_has_auditd
  audit_isolate
  monitor_runs
  # It fails to start, or does not do its work.
  for BROKEN in 1 0; do
    run host_undo
    [ "$status" -eq 1 ]
    [[ $output == *"auditd.service has not taken the audit socket back"* ]]
    diff "$BATS_TEST_TMPDIR/before/rules" "$KERNEL/rules"
    diff <(grep -v '^pid ' "$BATS_TEST_TMPDIR/before/status") <(grep -v '^pid ' "$KERNEL/status")
  done
  # Tried again.
  BROKEN=no
  host_undo
  is_as_before
}

@test "a daemon that nobody can start again is not stopped" {
  host_has_auditd
  audit_owner_service() { return 1; }
  run audit_isolate
  [ "$status" -eq 1 ]
  [[ $output == "exectax: the audit socket belongs to pid 4242 (gone), which no service manager here can start again: stop it first" ]]
  is_as_before
  [ ! -s "$HOST_JOURNAL" ]
}

# A double of systemd and of /proc: who is in which service's group, and which process is its main one.
host_has_services() {
  AUDIT_SYSTEMD=$BATS_TEST_TMPDIR/systemd AUDIT_PROC=$BATS_TEST_TMPDIR/proc
  mkdir -p "$AUDIT_SYSTEMD" "$AUDIT_PROC"/{11,12,13,14}
  echo 0::/system.slice/auditd.service >"$AUDIT_PROC/11/cgroup"
  echo 0::/system.slice/cron.service >"$AUDIT_PROC/12/cgroup"
  echo 0::/user.slice/user-0.slice/session-1.scope >"$AUDIT_PROC/13/cgroup"
  # A service of a user's own manager, of which the host's knows nothing.
  echo 0::/user.slice/user-0.slice/user@0.service/app.slice/reader.service >"$AUDIT_PROC/14/cgroup"
  systemctl() {
    case "$*" in
      "show --property MainPID --value auditd.service") echo 11 ;;
      "show --property MainPID --value cron.service") echo 7 ;;
      "show --property MainPID --value "*) echo 0 ;;
      *) echo "systemctl $*" >>"$BATS_TEST_TMPDIR/systemctl" ;;
    esac
  }
}

@test "a service is stopped for the reader that is its main process, and for none that it has merely started" {
  host_has_services
  [ "$(audit_owner_service 11)" = unit:auditd.service ]
  local pid
  for pid in 12 13 14; do
    run audit_owner_service "$pid"
    [ "$status" -eq 1 ]
    [ -z "$output" ]
  done
  audit_owner() { echo 12; }
  run audit_isolate
  [ "$status" -eq 1 ]
  [[ $output == "exectax: the audit socket belongs to pid 12 ("*"), which no service manager here can start again: stop it first" ]]
  [ ! -e "$BATS_TEST_TMPDIR/systemctl" ]
  is_as_before
}

@test "a daemon that comes back by itself ends the run before it begins, and the undo finds it" {
  host_has_auditd
  # It is started again as soon as it has been seen to be gone.
  wait_until() {
    [[ $2 != audit_has_owner ]] || systemctl start auditd.service
    shift
    "$@"
  }
  run audit_isolate
  [ "$status" -eq 1 ]
  [[ $output == *"auditd.service restarts when it is stopped (Restart=?): stop it for the duration of the run" ]]
  grep -q undo_audit "$HOST_JOURNAL"
}

@test "a daemon that was killed is no owner, whoever has its pid now" {
  sed -i "s/^pid .*/pid $$/" "$KERNEL/status"
  [ "$(audit_owner)" = 0 ]
  audit_has_no_owner
}

# Of systemd's units there are only doubles here.
host_has_journald() {
  touch "$BATS_TEST_TMPDIR/socket-is-on"
  journald_reads_audit() { [[ -e $BATS_TEST_TMPDIR/socket-is-on ]]; }
  audit_has_multicast_reader() { journald_reads_audit; }
  systemctl() {
    echo "$*" >>"$BATS_TEST_TMPDIR/systemctl"
    case "$*" in
      mask*) touch "$BATS_TEST_TMPDIR/masked" ;;
      unmask*) rm -f "$BATS_TEST_TMPDIR/masked" ;;
      "restart systemd-journald.service")
        rm -f "$BATS_TEST_TMPDIR/socket-is-on"
        [[ -e $BATS_TEST_TMPDIR/masked ]] || touch "$BATS_TEST_TMPDIR/socket-is-on"
        # It switches audit off, or on, as it has its socket.
        auditctl -e 0
        ;;
    esac
  }
}

@test "journald's audit socket is off for the time of the run, on again afterwards, and what journald sets then does not stay" {
  host_has_journald
  audit_isolate
  journald_isolate off
  [ ! -e "$BATS_TEST_TMPDIR/socket-is-on" ]
  monitor_runs
  monitor_ends
  host_undo
  [ -e "$BATS_TEST_TMPDIR/socket-is-on" ]
  [ ! -e "$BATS_TEST_TMPDIR/masked" ]
  is_as_before
}

@test "what journald sets as it starts again is not taken for somebody else's doing" {
  host_has_journald
  audit_isolate
  journald_isolate off
  monitor_runs
  # Killed here: a later restore is careful.
  HOST_RESTORE=careful
  run host_undo
  echo "$output"
  [ "$status" -eq 0 ]
  is_as_before
}

@test "journald is left alone where it is asked for, or reads no audit" {
  host_has_journald
  journald_isolate keep
  [ ! -e "$BATS_TEST_TMPDIR/systemctl" ]
  rm "$BATS_TEST_TMPDIR/socket-is-on"
  journald_isolate off
  [ ! -e "$BATS_TEST_TMPDIR/systemctl" ]
  [ ! -s "$HOST_JOURNAL" ]
}

@test "a journald that does not read audit again is told" {
  host_has_journald
  journald_isolate off
  systemctl() { :; }
  wait_until() { return 1; }
  run host_undo
  [ "$status" -eq 1 ]
  [ -s "$HOST_JOURNAL" ]
}

@test "a multicast reader of audit is a socket of that protocol in a group" {
  local table=$BATS_TEST_TMPDIR/netlink
  # What /proc/net/netlink would have.
  awk() {
    local -a words=("$@")
    [[ ${words[-1]} != /proc/net/netlink ]] || words[-1]=$table
    command awk "${words[@]}"
  }
  printf 'sk Eth Pid Groups Rmem Wmem Dump Locks Drops Inode\n0 9 1 00000000 0 0 0 2 0 11\n0 0 2 00000001 0 0 0 2 0 12\n' >"$table"
  run audit_has_multicast_reader
  [ "$status" -eq 1 ]
  echo '0 9 3 00000001 0 0 0 2 0 13' >>"$table"
  audit_has_multicast_reader
}
