# shellcheck shell=bash
# osqueryd with a configuration of its own: one query, which takes the new rows of an event table each second. A variant
# sets OSQUERY_TABLE and OSQUERY_FLAGS, and OSQUERY_EXEC to what is to execute it where that isn't the shell.
#
# Its watchdog would end a worker that uses more than 10 % of the CPUs for 12 s: watchdog_level -1 lifts that.
export CONFIGS=$EXECTAX_ROOT/configs/osquery
export RULES=$CONFIGS
export SETS=''

OSQUERY_TABLE=
OSQUERY_FLAGS=()
OSQUERY_EXEC=(exec)
OSQUERY_RELEASE=5.23.1
OSQUERY_KEY="https://pkg.osquery.io/deb/pubkey.gpg 1484120AC4E9F8A1A577AEEE97A80C63C9D8B80B"
# Of its package, from the vendor's list of downloads.
declare -A OSQUERY_SHA256=(
  [amd64]=1431a9a6394657eba3cdd3476a462a6fe9721fc3664a70f23efcf7e37816787a
  [arm64]=062df9b6432ca1b374e80b24b54f027e224f1300d8bf6338182ec40f41b7975d
)
export VERIFIED_BY="a signature of its repository by osquery's key ${OSQUERY_KEY#* }, and a checksum"

osquery_requires() {
  requires_binary osqueryd "exectax sweep --install, or EXECTAX_OSQUERYD=/path/to/osqueryd"
}

# The package is unpacked, not installed.
monitor_install() {
  ! monitor_binary osqueryd >/dev/null || return 0
  local machine
  machine=$(download_machine) || return 1
  install_packages auditd curl gpg gpgv || return 1
  in_work_folder osquery_unpack "osquery_$OSQUERY_RELEASE-1.linux_$machine.deb" "${OSQUERY_SHA256[$machine]}"
}

osquery_unpack() {
  vendor_packages "https://pkg.osquery.io/deb deb main" "$OSQUERY_KEY" "osquery=$OSQUERY_RELEASE-1.linux" &&
    verify_sha256 "$1" "$2" && dpkg-deb -x "$1" unpacked && install_program unpacked/opt/osquery/bin/osqueryd osqueryd
}

monitor_version() { "$(monitor_binary osqueryd)" --version | awk '{ print $NF }'; }

osquery_exec() {
  local rules
  rules=$(rules_of_run)
  render "$CONFIGS/osquery.conf.in" "$MONITOR_RUN_DIR/osquery.conf" TABLE="$OSQUERY_TABLE" RULES="$rules"
  render "$CONFIGS/osquery.flags.in" "$MONITOR_RUN_DIR/osquery.flags" \
    RUN_DIR="$MONITOR_RUN_DIR" LOG_DIR="$MONITOR_LOG_DIR"
  "${OSQUERY_EXEC[@]}" "$(monitor_binary osqueryd)" --flagfile="$MONITOR_RUN_DIR/osquery.flags" "${OSQUERY_FLAGS[@]}"
}

# The queries of a pack.
monitor_rules() {
  local queries
  queries=$(rules_from_template "$@" TABLE="$OSQUERY_TABLE") || return 1
  printf ',\n  "packs": {\n    "exectax": {\n      "queries": {\n%s\n      }\n    }\n  }' "${queries%,}"
}

# audit's are osquery's own.
monitor_rules_loaded() { :; }

monitor_log() { echo "$MONITOR_LOG_DIR/osqueryd.results.log"; }
