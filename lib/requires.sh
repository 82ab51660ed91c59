# shellcheck shell=bash
# What a monitor's monitor_requires asks for. Each looks at the host without changing it, and appends to SKIP_REASONS
# why the monitor can't run here.

SKIP_REASONS=()
# The programs that requires_binary was asked for.
REQUIRED_BINARIES=()

# requires_binary NAME REMEDY
requires_binary() {
  local name=$1 remedy=$2 path
  REQUIRED_BINARIES+=("$name")
  if ! path=$(monitor_binary "$name"); then
    SKIP_REASONS+=("$name is not installed ($remedy)")
  elif [[ ! -x $path || -d $path ]]; then
    SKIP_REASONS+=("$path is no executable file")
  fi
}

requires_audit() {
  local reason
  reason=$(audit_obstacles)
  [[ -z $reason ]] || SKIP_REASONS+=("$reason")
}

# BPF programs are attached to kprobes through this perf device.
requires_kprobes() {
  [[ -d /sys/bus/event_source/devices/kprobe ]] ||
    SKIP_REASONS+=("needs kprobes, which this kernel was built without (no CONFIG_KPROBE_EVENTS)")
}

requires_modules() {
  if [[ ! -e /proc/modules ]]; then
    SKIP_REASONS+=("needs a kernel module, and this kernel was built without modules (no CONFIG_MODULES)")
  elif [[ $(</proc/sys/kernel/modules_disabled) == 1 ]]; then
    SKIP_REASONS+=("needs a kernel module, and loading modules is disabled until reboot (kernel.modules_disabled)")
  fi
}

requires_btf() {
  [[ -r /sys/kernel/btf/vmlinux ]] ||
    SKIP_REASONS+=("needs the kernel's type information, which this kernel was built without (no CONFIG_DEBUG_INFO_BTF)")
}

# For programs that give up where they may not lift their limit on locked memory, which BPF needs no more since Linux 5.11.
requires_memlock() {
  (ulimit -l unlimited) 2>/dev/null ||
    SKIP_REASONS+=("needs to lift its limit on locked memory, which root may not do here (no CAP_SYS_RESOURCE)")
}
