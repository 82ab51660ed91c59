# shellcheck shell=bash
# systemd-journald as a second reader of audit: where its audit socket is on, it gets every record over
# netlink multicast and logs it again, at a cost to the host that is easily taken for the monitor's.

JOURNALD_AUDIT_SOCKET=systemd-journald-audit.socket
# What journald may take to start again, on a slow host.
JOURNALD_SECONDS=60

# Is there a netlink socket that reads audit (protocol 9) over multicast? The table names the process that opened it,
# which for journald's is systemd, not journald.
audit_has_multicast_reader() {
  awk '$2 == 9 && $4 !~ /^0*$/ { found = 1 } END { exit !found }' /proc/net/netlink
}

journald_reads_audit() {
  [[ -d /run/systemd/system ]] && systemctl is-active --quiet "$JOURNALD_AUDIT_SOCKET" && audit_has_multicast_reader
}

# journald_isolate off|keep: with off, journald is told to leave audit alone until the undo.
journald_isolate() {
  local mode=$1
  if [[ $mode == off ]] && journald_reads_audit; then
    say "Turning journald's audit socket off for the duration of the run (--journald-audit keep leaves it as it is)."
    host_record undo_journald_audit
    # Restarting journald pulls the socket unit in again unless it is masked, and journald holds on to a socket it was given.
    systemctl mask --quiet --runtime --now "$JOURNALD_AUDIT_SOCKET"
    systemctl restart systemd-journald.service
    wait_until "$JOURNALD_SECONDS" journald_ignores_audit || warn "audit is still read over multicast after journald's audit socket was turned off"
  fi
  if audit_has_multicast_reader && ! journald_reads_audit; then
    warn "another program reads audit records over multicast (protocol 9 in /proc/net/netlink); its cost is attributed to no monitor"
  fi
}

journald_ignores_audit() {
  ! audit_has_multicast_reader
}

# Restarted, journald pulls its unmasked audit socket in again; started by itself the socket would be refused. Before systemctl comes
# back, it has switched audit's `enabled` off, or on. That is put right at once, so that undo_audit, which was recorded earlier and so
# runs later, does not take it for somebody else's doing.
undo_journald_audit() {
  local enabled=''
  systemctl unmask --quiet --runtime "$JOURNALD_AUDIT_SOCKET"
  ! journald_reads_audit || return 0
  ! audit_is_usable || enabled=$(audit_status enabled)
  systemctl restart systemd-journald.service
  [[ -z $enabled ]] || auditctl -e "$enabled" >/dev/null
  wait_until "$JOURNALD_SECONDS" journald_reads_audit
}
