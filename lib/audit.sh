# shellcheck shell=bash
# The kernel's audit subsystem: what it is set to, handing it to one monitor at a time, and putting it back.

AUDIT_SAVED=$STATE_DIR/saved/audit

# audit_status KEY: one value of `auditctl -s` (enabled, pid, lost, ...).
audit_status() {
  auditctl -s | awk -v key="$1" '$1 == key { print $2 }'
}

# Why the audit subsystem can't be measured with, one reason a line; nothing when it can.
audit_obstacles() {
  if ! command -v auditctl >/dev/null; then
    echo "auditctl is not installed (package auditd, or audit)"
  elif ! auditctl -s >/dev/null 2>&1; then
    echo "the kernel's audit subsystem does not answer: $(auditctl -s 2>&1 | head -n 1)"
  elif [[ $(audit_status enabled) == 2 ]]; then
    echo "the audit configuration is locked until reboot (enabled 2)"
  fi
}

audit_is_usable() {
  [[ -z $(audit_obstacles) ]]
}

# The daemon that the kernel sends its records to, 0 for none. The kernel's own answer goes on naming a daemon that was
# killed until it next has a record to send.
audit_owner() {
  local pid
  pid=$(audit_status pid)
  if ((pid)) && [[ $(ps -o stat= -p "$pid") != [!Z]* ]]; then
    pid=0
  fi
  echo "$pid"
}

# audit_owned_by_cgroup GROUP: is the daemon that the kernel sends its records to in this group, and audit on?
audit_owned_by_cgroup() {
  local owner pids
  owner=$(audit_owner)
  pids=$(cgroup_pids "$1")
  [[ $(audit_status enabled) == 1 && $'\n'$pids$'\n' == *$'\n'$owner$'\n'* ]]
}

# No rules, no records, and tasks without the syscall-audit flag. Once audit has been enabled the kernel gives
# every new task that flag until reboot, at a cost to each of its system calls; `never,task` keeps it off, so
# that a machine on which audit once ran measures like one on which it never did.
audit_quiesce() {
  auditctl -D >/dev/null
  auditctl -e 0 >/dev/null
  auditctl -a never,task >/dev/null
}

# Take the audit subsystem: save its state, stop the daemon that owns the socket, quiesce.
audit_isolate() {
  audit_is_usable || return 0
  local owner unit=
  owner=$(audit_owner)
  if ((owner)); then
    unit=$(audit_owner_service "$owner") || die "the audit socket belongs to pid $owner ($(<"/proc/$owner/comm")), \
which no service manager here can start again: stop it, then run exectax again"
  fi
  mkdir -p "$AUDIT_SAVED"
  auditctl -l >"$AUDIT_SAVED/rules"
  auditctl -s >"$AUDIT_SAVED/status"
  host_record undo_audit "$unit"
  if [[ -n $unit ]]; then
    say "Stopping $unit for the time of the run."
    audit_service stop "$unit"
    wait_until 10 audit_has_no_owner || die "$unit does not give up the audit socket"
  fi
  audit_quiesce
}

audit_has_no_owner() {
  [[ $(audit_owner) == 0 ]]
}

audit_has_owner() {
  ! audit_has_no_owner
}

# audit_owner_service PID: the service that runs PID, as `unit:NAME` or `init:NAME`.
audit_owner_service() {
  local pid=$1 unit
  if [[ -d /run/systemd/system ]]; then
    unit=$(sed -nE 's#.*/([^/]+\.service)$#\1#p' "/proc/$pid/cgroup" | head -n 1)
    [[ -n $unit ]] && echo "unit:$unit" && return
  elif [[ -x /etc/init.d/auditd && $(cat /run/auditd.pid 2>/dev/null) == "$pid" ]]; then
    echo "init:auditd"
    return
  fi
  return 1
}

# auditd's unit refuses `systemctl stop` on some distributions; SIGTERM is how it is stopped on all of them.
audit_service() {
  local action=$1 kind=${2%%:*} name=${2#*:}
  case $kind:$action in
    unit:start) host_run systemctl start "$name" ;;
    unit:stop) systemctl kill --kill-who=main --signal=TERM "$name" ;;
    init:*) host_run "/etc/init.d/$name" "$action" >/dev/null ;;
  esac
}

# Put rules, flags and the owner back, then look whether they are.
undo_audit() {
  local unit=$1
  auditctl -D >/dev/null
  if [[ -n $unit ]]; then
    audit_service start "$unit"
    wait_until 10 audit_has_owner || return 1
    # The unit may load rules of its own when it starts; the saved ones are what was there.
    auditctl -D >/dev/null
  fi
  grep -q '^No rules' "$AUDIT_SAVED/rules" || auditctl -R "$AUDIT_SAVED/rules" >/dev/null || return 1
  local key value
  while read -r key value _; do
    case $key in
      failure) auditctl -f "$value" ;;
      rate_limit) auditctl -r "$value" ;;
      backlog_limit) auditctl -b "$value" ;;
      backlog_wait_time) auditctl --backlog_wait_time "$value" ;;
    esac >/dev/null
  done <"$AUDIT_SAVED/status"
  auditctl -e "$(awk '$1 == "enabled" { print $2 }' "$AUDIT_SAVED/status")" >/dev/null
  auditctl -l | diff - "$AUDIT_SAVED/rules" >&2 || return 1
  auditctl -s | audit_settings | diff - /dev/fd/3 3<<<"$(audit_settings <"$AUDIT_SAVED/status")" >&2
}

# Of the lines of `auditctl -s`, on stdin, those that are settings rather than counters.
audit_settings() {
  grep -E '^(enabled|failure|rate_limit|backlog_limit|backlog_wait_time) '
}
