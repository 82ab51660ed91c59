# shellcheck shell=bash
# LAUREL as a plugin of an auditd that writes no log of its own. Both are the monitor: auditd hands the records over.
source "$EXECTAX_ROOT/monitors/families/auditd.sh"
export DESCRIPTION="LAUREL behind auditd: each exec as one JSON line"
AUDITD_WRITE_LOGS=no

LAUREL_RELEASE=0.8.2
export BUILD_MINUTES=4
export VERIFIED_BY="its distribution package: the distribution's signature; its crate: the registry's checksums; its release: nothing (--allow-unverified)"

monitor_requires() {
  requires_audit
  requires_binary auditd "package auditd, or EXECTAX_AUDITD=/path/to/auditd"
  requires_built laurel "exectax sweep --install, or EXECTAX_LAUREL=/path/to/laurel"
}

# The package is unpacked, not installed: installed, it would hook itself into the host's own auditd.
monitor_install() {
  install_packages auditd || return 1
  ! monitor_binary laurel >/dev/null || return 0
  install_from_package laurel /usr/sbin/laurel || laurel_install_release
}

# The vendor publishes neither signatures nor checksums.
laurel_install_release() {
  local archive
  archive=laurel-$LAUREL_RELEASE-$(uname -m)-glibc
  install_from_tarball laurel "$archive/bin/laurel" '' \
    "https://github.com/threathunters-io/laurel/releases/download/v$LAUREL_RELEASE/$archive.tar.gz" unverified
}

# Its crate.
monitor_build() {
  if ! command -v cargo rustc >/dev/null; then
    warn "LAUREL is not built: its crate needs cargo and rustc, which are not installed"
    return 1
  fi
  install_packages libacl1-dev libclang-dev || return 1
  say "Building LAUREL $LAUREL_RELEASE with cargo (about $BUILD_MINUTES min)"
  in_build_folder laurel_build
}

laurel_build() {
  local file
  build_setpriv mkdir cargo
  # How this machine reaches the registry.
  for file in "${CARGO_HOME:-$HOME/.cargo}"/config{,.toml}; do
    [[ ! -f $file ]] || build_setpriv tee "cargo/${file##*/}" <"$file" >/dev/null
  done
  quietly as_builder "$(rustc --print sysroot)" "CARGO_HOME=$PWD/cargo" \
    cargo install laurel --version "$LAUREL_RELEASE" --locked --root "$PWD/installed" || return 1
  build_install installed/bin/laurel laurel
}

monitor_version() {
  echo "$("$(monitor_binary laurel)" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1) (auditd $(auditctl -v | awk '{ print $NF }'))"
}

monitor_start() {
  auditd_configure
  render "$CONFIGS/laurel.toml.in" "$MONITOR_RUN_DIR/laurel.toml" LOG_DIR="$(log_folder_of nobody laurel)"
  # auditd takes a plugin only if root owns it and nobody else may write to it.
  install -m 0755 "$(monitor_binary laurel)" "$MONITOR_LOG_DIR/laurel-binary"
  render "$CONFIGS/laurel-plugin.conf.in" "$MONITOR_RUN_DIR/plugins.d/laurel.conf" \
    LAUREL="$MONITOR_LOG_DIR/laurel-binary" CONFIG="$MONITOR_RUN_DIR/laurel.toml"
  audit_load_rules "$AUDITD_RULES" "$(knob backlog)"
  auditd_exec
}

monitor_log() { echo "$MONITOR_LOG_DIR/laurel/audit.log"; }
