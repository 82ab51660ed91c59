# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/falco.sh"
export DESCRIPTION="Falco, kernel module, with an exec rule alone: each exec as one JSON line"
FALCO_ENGINE=kmod

monitor_requires() {
  requires_modules
  falco_requires_binary
  ((${#SKIP_REASONS[@]})) || falco_module_is_there ||
    SKIP_REASONS+=("Falco's kernel module is not built for this kernel (exectax sweep --install, or load one of your own)")
}

falco_module_is_there() {
  [[ -d /sys/module/falco ]] || PATH=$PATH:/usr/sbin:/sbin modinfo falco >/dev/null 2>&1
}

monitor_install() {
  [[ -e /proc/modules ]] || return 1
  falco_install_package || return 1
  ! falco_module_is_there || return 0
  install_packages dkms make "linux-headers-$(uname -r)" || return 1
  say "Building Falco's kernel module"
  quietly falcoctl driver install --type kmod --download=false || return 1
  # falcoctl has loaded it, too.
  modprobe --remove falco
}

monitor_start() {
  falco_configure
  module_load falco
  exec "$(monitor_binary falco)" -c "$MONITOR_RUN_DIR/falco.yaml"
}

monitor_stop() {
  kill -TERM "$MONITOR_PID"
  wait_until 30 cgroup_is_empty "$MONITOR_CGROUP"
  module_unload falco
}
