# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/falco.sh"
export DESCRIPTION="Falco, kernel module, with an exec rule alone: each exec as one JSON line"
export BUILD_MINUTES=2
FALCO_ENGINE=kmod
# All but the first, which is the driver.
export KNOBS=${KNOBS#*$'\n'}

monitor_install() {
  [[ -e /proc/modules ]] || return 1
  falco_install_package
}

monitor_build() {
  install_packages dkms make "linux-headers-$(uname -r)" || return 1
  say "Building Falco's kernel module (about $BUILD_MINUTES min)"
  quietly falcoctl driver install --type kmod --download=false || return 1
  # falcoctl has loaded it, too.
  modprobe --remove falco
}
