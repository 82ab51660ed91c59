# shellcheck shell=bash
# osqueryd with a configuration of its own: one query, which takes the new rows of an event table each second. A variant
# sets OSQUERY_TABLE and OSQUERY_FLAGS.
#
# Its watchdog would end a worker that uses more than 10 % of the CPUs for 12 s: watchdog_level -1 lifts that.

OSQUERY_TABLE=
OSQUERY_FLAGS=()
OSQUERY_RELEASE=5.23.1

osquery_requires() {
  requires_binary osqueryd "exectax sweep --install, or EXECTAX_OSQUERYD=/path/to/osqueryd"
}

# Its checksums are those of the vendor's list of downloads. The package is unpacked, not installed.
monitor_install() {
  ! monitor_binary osqueryd >/dev/null || return 0
  local machine checksum
  case $(uname -m) in
    x86_64)
      machine=amd64
      checksum=1431a9a6394657eba3cdd3476a462a6fe9721fc3664a70f23efcf7e37816787a
      ;;
    aarch64)
      machine=arm64
      checksum=062df9b6432ca1b374e80b24b54f027e224f1300d8bf6338182ec40f41b7975d
      ;;
    *) return 1 ;;
  esac
  install_packages auditd curl || return 1
  install_from_url osqueryd "https://pkg.osquery.io/deb/osquery_$OSQUERY_RELEASE-1.linux_$machine.deb" \
    /opt/osquery/bin/osqueryd "$checksum"
}

monitor_version() { "$(monitor_binary osqueryd)" --version | awk '{ print $NF }'; }

osquery_exec() {
  render "$CONFIGS/osquery/osquery.conf.in" "$MONITOR_RUN_DIR/osquery.conf" TABLE="$OSQUERY_TABLE"
  render "$CONFIGS/osquery/osquery.flags.in" "$MONITOR_RUN_DIR/osquery.flags" \
    RUN_DIR="$MONITOR_RUN_DIR" LOG_DIR="$MONITOR_LOG_DIR"
  exec "$(monitor_binary osqueryd)" --flagfile="$MONITOR_RUN_DIR/osquery.flags" "${OSQUERY_FLAGS[@]}"
}

monitor_log() { echo "$MONITOR_LOG_DIR/osqueryd.results.log"; }
