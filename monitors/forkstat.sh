# shellcheck shell=bash
export DESCRIPTION="forkstat: told of each exec by the kernel's process connector, reads its arguments from /proc afterwards"

monitor_requires() {
  grep -q '^cn_proc' /proc/net/connector 2>/dev/null ||
    SKIP_REASONS+=("needs the process connector, which this kernel was built without (no CONFIG_PROC_EVENTS)")
  requires_binary forkstat "package forkstat, or EXECTAX_FORKSTAT=/path/to/forkstat"
}

monitor_install() { install_packages forkstat; }

monitor_version() { "$(monitor_binary forkstat)" -h | sed -nE 's/^forkstat, version //p'; }

# It has no option for its socket's buffer: the size is the host's net.core.rmem_default.
monitor_start() { exec "$(monitor_binary forkstat)" -l -e exec >"$MONITOR_LOG_DIR/forkstat.txt"; }

monitor_ready() { grep -q 'Event.*Process' "$MONITOR_LOG_DIR/forkstat.txt"; }

# monitor_switch on|off: what the kernel tells it.
monitor_switch() { "$(monitor_binary procevents)" --pid "$MONITOR_PID" --state "$1"; }

monitor_log() { echo "$MONITOR_LOG_DIR/forkstat.txt"; }

# It counts no losses itself; the kernel counts what it had to drop at the socket (netlink protocol 11, the connector).
monitor_losses() {
  awk -v pid="$MONITOR_PID" '$2 == 11 && $3 == pid { drops += $9 } END { print "netlink_drops " drops + 0 }' /proc/net/netlink
}
