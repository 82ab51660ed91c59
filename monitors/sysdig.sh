# shellcheck shell=bash
export DESCRIPTION="sysdig, filtered to execs: its modern BPF probe, or its kernel module, each exec as a line of text"

SYSDIG_RELEASE=0.40.1
export VERIFIED_BY="nothing: its vendor publishes neither signatures nor checksums of its releases (--allow-unverified)"

# Versions before 0.31 have only the kernel module.
sysdig_has_modern_probe() { "$(monitor_binary sysdig)" --help 2>&1 | grep -q -- --modern-bpf; }

monitor_requires() {
  requires_binary sysdig "exectax sweep --install, or EXECTAX_SYSDIG=/path/to/sysdig"
  if ! monitor_binary sysdig >/dev/null || sysdig_has_modern_probe; then
    requires_btf
    requires_memlock
  else
    requires_modules
    [[ ! -e /proc/modules || -d /sys/module/scap ]] ||
      SKIP_REASONS+=("$(monitor_binary sysdig) has no modern BPF probe (0.31 and newer have), and its kernel module scap is not loaded")
  fi
}

# The package is unpacked, not installed: installed, it would build a kernel module.
monitor_install() {
  ! monitor_binary sysdig >/dev/null || ! sysdig_has_modern_probe || return 0
  install_packages curl || return 1
  install_from_url sysdig /usr/bin/sysdig \
    "https://github.com/draios/sysdig/releases/download/$SYSDIG_RELEASE/sysdig-$SYSDIG_RELEASE-$(uname -m).deb" unverified
}

monitor_version() { "$(monitor_binary sysdig)" --version | awk '{ print $NF }'; }

# One buffer for two CPUs is its default; it has no option for their size. Only exits from execve have a result.
monitor_start() {
  local -a probe=()
  ! sysdig_has_modern_probe || probe=(--modern-bpf --cpus-for-each-buffer 2)
  exec "$(monitor_binary sysdig)" "${probe[@]}" --unbuffered --exclude-users --verbose \
    --print '%evt.time %proc.pid %proc.ppid %proc.exepath %proc.cmdline' \
    'evt.type in (execve, execveat) and evt.rawres=0' >"$MONITOR_LOG_DIR/sysdig.txt"
}

# It says only when it has stopped how many events it dropped ("Driver Drops", in the run's stderr.txt), so it has no
# monitor_losses.
monitor_log() { echo "$MONITOR_LOG_DIR/sysdig.txt"; }
