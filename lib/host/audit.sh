# shellcheck shell=bash
# The kernel's audit subsystem: what it is set to, handing it to one monitor at a time, and putting it back.

# rules, status and service: what the host had. our-rules, our-status: what the run set last; not there while it changes.
AUDIT_SAVED=$HOST_SAVED/audit

AUDIT_KEYS=(rules failure rate_limit backlog_limit backlog_wait_time enabled)
# What a service manager may take to start or stop a daemon, on a slow host.
AUDIT_SERVICE_SECONDS=60
# There if systemd manages this host.
AUDIT_SYSTEMD=/run/systemd/system
AUDIT_PROC=/proc

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
# killed until it next has a record to send, and by then another process can have its pid.
audit_owner() {
  local pid
  pid=$(audit_status pid)
  if ((pid)) && ! audit_holds_socket "$pid"; then
    pid=0
  fi
  echo "$pid"
}

# audit_holds_socket PID: has that process an audit socket (netlink protocol 9) open?
audit_holds_socket() {
  local inode
  for inode in $(awk '$2 == 9 && $10 { print $10 }' "/proc/$1/net/netlink" 2>/dev/null || true); do
    [[ -z $(find "/proc/$1/fd" -lname "socket:\[$inode\]" -print -quit 2>/dev/null) ]] || return 0
  done
  return 1
}

# audit_owned_by_cgroup GROUP: is the daemon that the kernel sends its records to in this group, and audit on?
audit_owned_by_cgroup() {
  local owner pids
  owner=$(audit_owner)
  pids=$(cgroup_pids "$1")
  [[ $(audit_status enabled) == 1 && $'\n'$pids$'\n' == *$'\n'$owner$'\n'* ]]
}

# No rules, no records, and what exectax starts without the syscall-audit flag. Once audit has been enabled the kernel gives
# every new task that flag until reboot, at a cost to each of its system calls; `never,task` keeps it off, so that a
# machine on which audit once ran measures like one on which it never did.
audit_quiesce() {
  audit_forget_ours
  auditctl -D >/dev/null
  auditctl -e 0 >/dev/null
  auditctl -a never,task -F "gid=$EXECTAX_EXEMPT_GID" >/dev/null
  audit_note_ours
}

# What the run has set by now, by which a later restore tells its work from somebody else's.
audit_note_ours() {
  [[ -d $AUDIT_SAVED ]] || return 0
  auditctl -l >"$AUDIT_SAVED/our-rules.new"
  auditctl -s >"$AUDIT_SAVED/our-status"
  mv -f "$AUDIT_SAVED/our-rules.new" "$AUDIT_SAVED/our-rules"
}

# From here on rules and flags change.
audit_forget_ours() {
  rm -f "$AUDIT_SAVED/our-rules"
}

# Take the audit subsystem: save its state, stop the daemon that owns the socket, quiesce.
audit_isolate() {
  audit_is_usable || return 0
  local owner service=''
  owner=$(audit_owner)
  ((owner == 0)) || service=$(audit_owner_service "$owner") || die "$(audit_owner_problem "$owner")"
  audit_save "$service"
  host_record undo_audit
  # With failure 2 the kernel panics when records wait and nobody reads them.
  [[ $(audit_status failure) != 2 ]] || auditctl -f 1 >/dev/null
  if [[ -n $service ]]; then
    say "Stopping ${service#*:} for the duration of the run."
    audit_service stop "$service"
    wait_until "$AUDIT_SERVICE_SECONDS" audit_has_no_owner || die "${service#*:} does not give up the audit socket"
    ! wait_until 2 audit_has_owner || die "${service#*:} restarts when it is stopped (Restart=?): stop it for the duration of the run"
  fi
  audit_quiesce
}

# audit_save SERVICE: what undo_audit puts back, on disk, and shown to be what the kernel has.
audit_save() {
  install -d -m 0700 "$HOST_SAVED" "$AUDIT_SAVED"
  rm -f "$AUDIT_SAVED"/our-*
  auditctl -l >"$AUDIT_SAVED/rules"
  auditctl -s >"$AUDIT_SAVED/status"
  printf '%s\n' "$1" >"$AUDIT_SAVED/service"
  sync "$AUDIT_SAVED"/* "$AUDIT_SAVED" || die "can't write $AUDIT_SAVED, expected a disk with room"
  grep -q '^enabled' "$AUDIT_SAVED/status" || die "auditctl -s gave no answer"
  audit_check_saved_rules || die "these audit rules can't be put back from what auditctl prints of them, so nothing was changed: $(head -n 3 "$AUDIT_SAVED/unlike" | paste -sd ' ')"
}

# Would loading the saved rules give these rules? Each, told to the kernel again, must be refused as being there already. One
# that is not is another rule now, which is taken out.
audit_check_saved_rules() {
  local rule answer
  local -a words
  : >"$AUDIT_SAVED/unlike"
  ! grep -q '^No rules' "$AUDIT_SAVED/rules" || return 0
  while IFS= read -r rule; do
    read -ra words <<<"$rule"
    answer=$(LC_ALL=C auditctl "${words[@]}" 2>&1) || true
    [[ $answer == *"Rule exists"* ]] || printf '%s\n' "$rule" >>"$AUDIT_SAVED/unlike"
  done <"$AUDIT_SAVED/rules"
  auditctl -l | diff - "$AUDIT_SAVED/rules" | sed -n 's/^< //p' | while IFS= read -r rule; do
    read -ra words <<<"$rule"
    [[ ${words[0]} == -w ]] && words[0]=-W || words[0]=-d
    auditctl "${words[@]}" >/dev/null 2>&1 || true
  done
  [[ ! -s $AUDIT_SAVED/unlike ]]
}

# What of rules on stdin the kernel takes, each by itself: `rule<tab>RULE`, or `refused<tab>WHY<tab>RULE`, and then `loaded<tab>RULE` as auditctl shows
# those that it took. None is left.
audit_try_rules() {
  local rule answer
  local -a words
  audit_forget_ours
  auditctl -D >/dev/null
  while IFS= read -r rule; do
    read -ra words <<<"$rule"
    audit_is_rule "${words[@]}" || die "'$rule' is no audit rule, so it is not loaded"
    if answer=$(LC_ALL=C auditctl "${words[@]}" 2>&1); then
      printf 'rule\t%s\n' "$rule"
    else
      printf 'refused\t%s\t%s\n' "$(tail -n 1 <<<"$answer" | tr '\t' ' ')" "$rule"
    fi
  done
  auditctl -l | sed '/^No rules/d; s/^/loaded\t/'
  audit_quiesce
}

# audit_is_rule WORD...: does auditctl take them for a rule, and for nothing else? It does at once what any option says, such as -e 2.
audit_is_rule() {
  local word
  [[ $1 == -[aAw] ]] || return 1
  for word in "${@:2}"; do
    [[ $word != -* || $word == -[FSCkp] ]] || return 1
  done
}

audit_has_no_owner() {
  [[ $(audit_owner) == 0 ]]
}

audit_has_owner() {
  ! audit_has_no_owner
}

audit_owner_problem() {
  echo "the audit socket belongs to pid $1 ($(log_process_name "$1")), which no service manager here can start again: stop it first"
}

# audit_owner_service PID: the service whose main process PID is, as `unit:NAME` or `init:NAME`; 1 if there is none. What a service
# has merely started, as cron and sshd do, is in its group, too, and stopping that service would end much else.
audit_owner_service() {
  local pid=$1 unit
  if [[ -d $AUDIT_SYSTEMD ]]; then
    unit=$(sed -nE 's#.*/([^/]+\.service)$#\1#p' "$AUDIT_PROC/$pid/cgroup" | head -n 1)
    [[ -n $unit && $(systemctl show --property MainPID --value "$unit") == "$pid" ]] && echo "unit:$unit" && return
  elif [[ -x /etc/init.d/auditd && $(cat /run/auditd.pid 2>/dev/null) == "$pid" ]]; then
    echo "init:auditd"
    return
  fi
  return 1
}

# Units that refuse to be stopped by their manager, as auditd's does on some distributions, end by SIGTERM.
audit_service() {
  local action=$1 kind=${2%%:*} name=${2#*:}
  case $kind:$action in
    unit:start) host_run systemctl start "$name" ;;
    unit:stop)
      if [[ $(systemctl show --property RefuseManualStop --value "$name") == yes ]]; then
        systemctl kill --kill-who=main --signal=TERM "$name"
      else
        systemctl stop "$name"
      fi
      ;;
    init:*) host_run "/etc/init.d/$name" "$action" >/dev/null ;;
  esac
}

# Put the owner, rules and flags back, then look whether they are. Every step is tried.
undo_audit() {
  local service failed=no key from
  local -a left=()
  [[ -s $AUDIT_SAVED/rules && -s $AUDIT_SAVED/status && -e $AUDIT_SAVED/service ]] || {
    warn "the saved audit rules and flags are missing from $AUDIT_SAVED"
    return 1
  }
  for key in "${AUDIT_KEYS[@]}"; do
    audit_may_put_back "$key" || left+=("$key")
  done
  auditctl -l >"$AUDIT_SAVED/left-rules"
  auditctl -s >"$AUDIT_SAVED/left-status"
  # From here on they are neither the run's nor the host's, whatever happens.
  ((${#left[@]})) || audit_forget_ours
  service=$(<"$AUDIT_SAVED/service")
  if [[ -n $service ]] && audit_has_no_owner; then
    # It may load rules of its own and set flags when it starts: what was there comes after that, what is left alone as well.
    audit_service start "$service" || failed=yes
    wait_until "$AUDIT_SERVICE_SECONDS" audit_has_owner || {
      warn "${service#*:} has not taken the audit socket back"
      failed=yes
    }
  fi
  for key in "${AUDIT_KEYS[@]}"; do
    from=''
    [[ " ${left[*]} " != *" $key "* ]] || from=left-
    audit_put_back "$key" "$AUDIT_SAVED/${from}rules" "$AUDIT_SAVED/${from}status" >/dev/null || failed=yes
  done
  ((${#left[@]} == 0)) || return 1
  audit_differences >&2 || failed=yes
  [[ $failed == no ]]
}

# audit_put_back KEY RULES STATUS: rules, or one of the flags, from files with the output of auditctl -l and -s.
audit_put_back() {
  local value
  value=$(audit_setting "$1" <"$3")
  case $1 in
    rules) audit_load_rules "$2" ;;
    failure) auditctl -f "$value" ;;
    rate_limit) auditctl -r "$value" ;;
    backlog_limit) auditctl -b "$value" ;;
    backlog_wait_time) auditctl --backlog_wait_time "$value" ;;
    enabled) auditctl -e "$value" ;;
  esac
}

# audit_may_put_back KEY: rules, or one of the flags. Not what somebody else has set since.
audit_may_put_back() {
  local now ours saved
  [[ $HOST_RESTORE == careful && -e $AUDIT_SAVED/our-rules ]] || return 0
  if [[ $1 == rules ]]; then
    now=$(auditctl -l) ours=$(<"$AUDIT_SAVED/our-rules") saved=$(<"$AUDIT_SAVED/rules")
  else
    now=$(audit_status "$1") ours=$(audit_setting "$1" <"$AUDIT_SAVED/our-status") saved=$(audit_setting "$1" <"$AUDIT_SAVED/status")
  fi
  [[ $now != "$ours" && $now != "$saved" ]] || return 0
  warn "somebody has changed audit's $1 since the run set it, so it is left alone: now '${now//$'\n'/; }', set by the run '${ours//$'\n'/; }', before it '${saved//$'\n'/; }'"
  return 1
}

# audit_load_rules FILE: these and no others, each by itself, so that one that is refused costs none of the others.
audit_load_rules() {
  local rule result=0
  local -a words
  auditctl -D || result=1
  ! grep -q '^No rules' "$1" || return "$result"
  while IFS= read -r rule; do
    read -ra words <<<"$rule"
    auditctl "${words[@]}" || {
      warn "audit rejects this saved rule: $rule"
      result=1
    }
  done <"$1"
  return "$result"
}

# Between what was saved and what audit is set to; 1 if there are any.
audit_differences() {
  local result=0
  auditctl -l | diff "$AUDIT_SAVED/rules" - || result=1
  auditctl -s | audit_settings | diff /dev/fd/3 - 3<<<"$(audit_settings <"$AUDIT_SAVED/status")" || result=1
  return "$result"
}

# Of the lines of `auditctl -s`, on stdin, those that are settings rather than counters.
audit_settings() {
  grep -E '^(enabled|failure|rate_limit|backlog_limit|backlog_wait_time) '
}

# audit_setting KEY: its value in the output of `auditctl -s` on stdin.
audit_setting() {
  awk -v key="$1" '$1 == key { print $2 }'
}
