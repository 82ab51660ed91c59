# shellcheck shell=bash
# systemd-journald as a second reader of audit: where its audit socket is on, it gets every record over
# netlink multicast and logs it again, at a cost to the host that is easily taken for the monitor's.

JOURNALD_AUDIT_SOCKET=systemd-journald-audit.socket

# Pids that read audit over multicast (netlink protocol 9 with a group joined).
audit_multicast_readers() {
  awk '$2 == 9 && $4 !~ /^0*$/ && $3 != 0 { print $3 }' /proc/net/netlink
}

journald_reads_audit() {
  local pid
  for pid in $(audit_multicast_readers); do
    [[ $(cat "/proc/$pid/comm" 2>/dev/null) != systemd-journal* ]] || return 0
  done
  return 1
}

# journald_isolate off|keep: with off, journald is told to leave audit alone until the undo.
journald_isolate() {
  local mode=$1
  if [[ $mode == off ]] && journald_reads_audit; then
    say "Turning journald's audit socket off for the time of the run (--journald-audit keep measures with it)."
    host_record undo_journald_audit
    # Restarting journald pulls the socket unit in again unless it is masked, and journald holds on to a socket it was given.
    systemctl mask --quiet --runtime --now "$JOURNALD_AUDIT_SOCKET"
    systemctl restart systemd-journald.service
    wait_until 10 journald_ignores_audit || die "journald still reads audit after its audit socket was turned off"
  fi
  local pid
  for pid in $(audit_multicast_readers); do
    [[ $mode == keep ]] && journald_reads_audit && continue
    warn "pid $pid ($(cat "/proc/$pid/comm" 2>/dev/null || echo gone)) also reads audit records; its cost is in nobody's row"
  done
}

journald_ignores_audit() {
  ! journald_reads_audit
}

undo_journald_audit() {
  systemctl unmask --quiet --runtime "$JOURNALD_AUDIT_SOCKET"
  systemctl start "$JOURNALD_AUDIT_SOCKET"
  systemctl restart systemd-journald.service
  wait_until 10 journald_reads_audit
}
