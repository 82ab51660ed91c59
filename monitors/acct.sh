# shellcheck shell=bash
# BSD process accounting: no daemon, the kernel appends a record of 64 bytes when a process ends.
export DESCRIPTION="process accounting: the kernel itself records each process that ends, without its arguments"
# Not a product to choose: what the others are measured against.
export REFERENCE=yes
export RECORDS=count

monitor_requires() {
  local file
  [[ -e /proc/sys/kernel/acct ]] ||
    SKIP_REASONS+=("needs process accounting, which this kernel was built without (no CONFIG_BSD_PROCESS_ACCT)")
  requires_binary accton "exectax sweep --install, or EXECTAX_ACCTON=/path/to/accton"
  # The kernel has one accounting file and does not tell which, so what was on could not be put back.
  for file in /var/log/account/pacct /var/account/pacct; do
    ! acct_grows "$file" ||
      SKIP_REASONS+=("process accounting is on already, into $file: switch it off before and on again afterwards")
  done
}

# acct_grows FILE: does a process that ends leave something in it?
acct_grows() {
  local -i before
  [[ -e $1 ]] || return 1
  before=$(stat -c %s "$1")
  (($(stat -c %s "$1") > before))
}

# The package is unpacked, not installed: installed, it would switch accounting on at every boot.
monitor_install() {
  monitor_binary accton >/dev/null || install_from_package acct /usr/sbin/accton
}

monitor_version() { echo "Linux $(uname -r)"; }

# The kernel ends accounting when the mount that the file was opened through goes away: here one that only this process
# sees, so that accounting ends with it, even by kill -9.
monitor_start() {
  touch "$MONITOR_LOG_DIR/pacct"
  ACCTON=$(monitor_binary accton)
  export ACCTON
  export -f acct_run
  exec unshare --mount bash -c acct_run
}

acct_run() {
  mount --bind "$MONITOR_LOG_DIR" "$MONITOR_LOG_DIR" && "$ACCTON" "$MONITOR_LOG_DIR/pacct" && exec sleep infinity
}

monitor_ready() { [[ -s $MONITOR_LOG_DIR/pacct ]]; }

monitor_log() { echo "$MONITOR_LOG_DIR/pacct"; }

# monitor_count PARENT: records of its children that executed something. In 32-bit words, a record's sixth is the parent's
# pid; the lowest bit of the first is set if the process was only forked.
monitor_count() {
  od -An -v -w64 -tu4 "$MONITOR_LOG_DIR/pacct" |
    awk -v parent="$1" '$6 == parent && $1 % 2 == 0 { count++ } END { print count + 0 }'
}

# monitor_switch on|off: accounting, which goes on in the same file, seen through the mount that only the monitor's process has.
monitor_switch() {
  local what=off
  [[ $1 == off ]] || what=/proc/$MONITOR_PID/root$MONITOR_LOG_DIR/pacct
  "$(monitor_binary accton)" "$what" >/dev/null
}
