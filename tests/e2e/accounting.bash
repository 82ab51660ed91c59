# shellcheck shell=bash
# Process accounting, without a package for it: the kernel has one file, and doesn't tell which.

accounting_can_be_switched() {
  [[ $(uname -m) == x86_64 && -e /proc/sys/kernel/acct ]] && command -v perl >/dev/null
}

# accounting_switch FILE: on into FILE; without one, off. 163 is the system call's number on x86-64.
accounting_switch() {
  perl -e 'exit(syscall(163, @ARGV ? $ARGV[0] : 0) != 0)' "$@"
}
