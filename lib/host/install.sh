# shellcheck shell=bash
# The distribution's packages. Whatever is already there is left alone, and no service that comes with a package is started, now
# or at the next boot: the run starts what it needs itself.
#
# What that takes outlives a restart of the machine, so it is in the journal until it is put back.

INSTALL_POLICY=/usr/sbin/policy-rc.d
INSTALL_ETC=/etc
# An installation that takes longer than that hangs.
INSTALL_SECONDS=1800

packages_missing() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == "install ok installed" ]] || echo "$package"
  done
}

# install_packages NAME...: Debian or Ubuntu packages.
install_packages() {
  local -a missing
  split_lines missing "$(packages_missing "$@")"
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    echo "install by hand, there is no apt-get here: ${missing[*]}" >&2
    return 1
  fi
  say "Installing ${missing[*]}"
  install_without_starting "${missing[@]}"
}

# install_without_starting PACKAGE...: names, or files that begin with `./`.
install_without_starting() {
  local before=$HOST_STATE_DIR/enabled-$BASHPID-$RANDOM status=0 guard=''
  local -a new
  apt_get update || return 1
  split_lines new "$(apt_would_install "$@")"
  host_record_lasting undo_enabled_services "$before" "${new[@]}"
  if [[ ! -e $INSTALL_POLICY ]] || install_policy_is_ours; then
    guard=$(install_policy | sha256sum | cut -d ' ' -f 1)
    host_record_lasting undo_policy_rc_d "$guard"
  fi
  host_record undo_install_group
  install_guarded "$before" "$guard" "$@" || status=1
  host_undo_now undo_install_group || status=1
  [[ -z $guard ]] || host_undo_now undo_policy_rc_d "$guard" || status=1
  host_undo_now undo_enabled_services "$before" "${new[@]}" || status=1
  return "$status"
}

# install_guarded BEFORE GUARD PACKAGE...: what was enabled goes into BEFORE; a GUARD asks for a policy.
install_guarded() {
  services_enabled >"$1.new" && mv -T "$1.new" "$1" || return 1
  [[ -z $2 ]] || install_put_policy || return 1
  shift 2
  install_make_group
  (
    install_enter_group
    apt_get install --no-install-recommends "$@"
  )
}

# In a session of its own: Ctrl-C would leave half of a package installed. Out of the lock, which the daemons that it may start
# would keep.
apt_get() {
  quietly host_run env DEBIAN_FRONTEND=noninteractive setsid --wait apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
}

# quietly COMMAND...: what it prints is shown only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" </dev/null >"$log" 2>&1 || {
    status=$?
    cat "$log" >&2
  }
  rm -f "$log"
  return "$status"
}

# The packages that an installation would bring, dependencies included.
apt_would_install() {
  LC_ALL=C apt-get -q -s --no-install-recommends install "$@" 2>/dev/null </dev/null | awk '$1 == "Inst" { print $2 }'
}

# Debian's way to keep a package's services from starting is a policy-rc.d that says no. An administrator's own stays.
install_policy() {
  printf '%s\n' '#!/bin/sh' '# Made by exectax: no service is started while it installs packages.' 'exit 101'
}

install_policy_is_ours() {
  install_policy | cmp -s - "$INSTALL_POLICY"
}

# There at once and whole, and never in the place of another.
install_put_policy() {
  ! install_policy_is_ours || return 0
  install_policy >"$INSTALL_POLICY.exectax" && chmod 0755 "$INSTALL_POLICY.exectax" &&
    ln -T "$INSTALL_POLICY.exectax" "$INSTALL_POLICY" && rm -f "$INSTALL_POLICY.exectax"
}

# undo_policy_rc_d SHA256
undo_policy_rc_d() {
  rm -f "$INSTALL_POLICY.exectax"
  [[ -e $INSTALL_POLICY ]] || return 0
  if sha256sum --check --status <<<"$1  $INSTALL_POLICY"; then
    rm -f "$INSTALL_POLICY"
  else
    warn "$INSTALL_POLICY is not the one that exectax made: left alone"
  fi
}

# An installation is in a group of its own, so that it can be waited for. It does without where no groups can be made.
install_make_group() {
  cgroup_can_find_mounts || return 0
  cgroup_create install 2>/dev/null || true
}

install_enter_group() {
  ((${#CGROUP_MOUNTS[@]} == 0)) || cgroup_enter install 2>/dev/null || true
}

# An administrator's policy may have let services start again: they are not ours to end. What Ctrl-Z has stopped would never end.
undo_install_group() {
  local mount
  cgroup_can_find_mounts || return 0
  cgroup_signal CONT install
  install_is_over || say "Waiting for the installation of packages that is under way."
  if ! wait_until "$INSTALL_SECONDS" install_is_over; then
    warn "packages are still being installed after $INSTALL_SECONDS s, by process $(cgroup_pids install | paste -sd ' ')"
    return 1
  fi
  for mount in "${CGROUP_MOUNTS[@]}"; do
    cgroup_dissolve "$mount" exectax/install || return 1
    # Others may be in use.
    rmdir "$mount/exectax" 2>/dev/null || true
  done
}

# Neither apt nor dpkg is there any more, nor the shell that has started them.
install_is_over() {
  local pid name
  for pid in $(cgroup_pids install); do
    name=$(cat "/proc/$pid/comm" 2>/dev/null || true)
    [[ $name != apt-get && $name != dpkg && $name != bash ]] || return 1
  done
}

# The links by which services start at boot, systemd's and those of SysV init, sorted.
services_enabled() {
  {
    find "$INSTALL_ETC/systemd/system" -mindepth 2 -maxdepth 2 \( -path '*.wants/*' -o -path '*.requires/*' \) 2>/dev/null || true
    find "$INSTALL_ETC" -mindepth 2 -maxdepth 2 -path '*/rc?.d/S*' 2>/dev/null || true
  } | LC_ALL=C sort
}

# undo_enabled_services BEFORE PACKAGE...: what the packages have enabled since services_enabled printed BEFORE.
undo_enabled_services() {
  local before=$1 files link target failed=''
  local -a links
  shift
  rm -f "$before.new"
  [[ -e $before ]] || return 0
  files=$(dpkg-query -L "$@" 2>/dev/null || true)
  split_lines links "$(services_enabled | LC_ALL=C comm -13 "$before" -)"
  for link in "${links[@]}"; do
    target=$(readlink -m "$link")
    # Packages can have their files below /lib where that is a link to /usr/lib.
    grep -qxF -e "$target" -e "${target#/usr}" <<<"$files" || continue
    service_disable "$link" || failed=yes
  done
  [[ -z $failed ]] && rm -f "$before"
}

# service_disable LINK: by the tools that keep books of it, where there are any.
service_disable() {
  local unit=${1##*/}
  if [[ $1 == */rc?.d/* ]]; then
    update-rc.d "${unit#S??}" disable >/dev/null 2>&1 || true
  elif command -v systemctl >/dev/null; then
    systemctl disable "$unit" >/dev/null 2>&1 || true
  else
    update-rc.d "${unit%.*}" disable >/dev/null 2>&1 || true
  fi
  rm -f "$1"
}
