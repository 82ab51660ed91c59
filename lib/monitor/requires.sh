# shellcheck shell=bash
# What a monitor's monitor_requires asks for. Each looks at the host without changing it, and appends to SKIP_REASONS
# why the monitor can't run here.

SKIP_REASONS=()
# The programs that requires_binary was asked for.
REQUIRES_BINARIES=()
# yes: something is missing that monitor_build makes.
REQUIRES_BUILD=no

# requires_binary NAME REMEDY
requires_binary() {
  local name=$1 remedy=$2 path
  REQUIRES_BINARIES+=("$name")
  if ! path=$(monitor_binary "$name"); then
    SKIP_REASONS+=("$name is not installed ($remedy)")
  elif [[ ! -x $path || -d $path ]]; then
    SKIP_REASONS+=("$path is no executable file")
  fi
}

# requires_built NAME REMEDY: as requires_binary, of the program that monitor_build makes where nothing ready can be had.
requires_built() {
  if monitor_binary "$1" >/dev/null; then
    requires_binary "$@"
  else
    REQUIRES_BINARIES+=("$1")
    requires_build "$1 is not installed" "$2"
  fi
}

# requires_build WHAT REMEDY: WHAT is missing, and monitor_build makes it. In a run that has looked for something ready, nothing else helps.
requires_build() {
  REQUIRES_BUILD=yes
  if [[ ${MONITOR_INSTALL:-no} == yes ]]; then
    SKIP_REASONS+=("$1: building it takes about $BUILD_MINUTES min (--install all)")
  else
    SKIP_REASONS+=("$1 ($2, or --install all, which builds it in about $BUILD_MINUTES min)")
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

# requires_mounts KIND,KIND...: what exec_with_mounts is to mount.
requires_mounts() {
  local problem
  problem=$(mounts_problem "$1")
  [[ -z $problem ]] || SKIP_REASONS+=("$problem")
}

mounts_problem() {
  local kind
  # Nobody else may mount anything, nor start a monitor.
  ((EUID == 0)) || return 0
  for kind in ${1//,/ }; do
    if ! grep -qw "$kind" /proc/filesystems; then
      echo "needs $kind, which this kernel was built without"
    elif ! (exec_with_mounts "$kind" true) 2>/dev/null; then
      echo "needs $kind in a mount namespace of its own, which root may not make here (no CAP_SYS_ADMIN)"
    else
      continue
    fi
    return
  done
}

# The kernel's own list of its tracepoints is looked at, where the monitor is going to look.
requires_syscall_tracepoints() {
  local problem
  problem=$(mounts_problem tracefs)
  if [[ -z $problem ]] && ! (exec_with_mounts tracefs test -d /sys/kernel/tracing/events/syscalls/sys_enter_execve) 2>/dev/null; then
    problem="needs tracepoints on system calls, which this kernel was built without (no CONFIG_FTRACE_SYSCALLS)"
  fi
  [[ -z $problem ]] || SKIP_REASONS+=("$problem")
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
