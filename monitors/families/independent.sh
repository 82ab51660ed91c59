# shellcheck shell=bash
# What the monitors have in common that need nothing to themselves and for which nobody else works.
export USES="" RECORDS=exec

monitor_helpers() { :; }

monitor_losses() { :; }

monitor_stop() { monitor_signal TERM; }

# package_version PACKAGE: of an installed distribution package.
package_version() { dpkg-query -W -f '${Version}\n' "$1" 2>/dev/null; }

# lost_events FILE...: the sum of all "Lost N events" in them.
lost_events() {
  { grep -haoE 'Lost [0-9]+ events' "$@" || true; } | awk '{ sum += $2 } END { print sum + 0 }'
}
