# shellcheck shell=bash
# What the scripts of this folder share.

VM_CACHE=${XDG_CACHE_HOME:-/var/cache}/exectax-vm

vm_usage() {
  printf '%s\n' "$*" >&2
  exit 2
}

# vm_need COMMAND=PACKAGE...: install the packages of those commands that are not there.
vm_need() {
  local need
  local -a packages=()
  for need in "$@"; do
    command -v "${need%%=*}" >/dev/null || packages+=("${need#*=}")
  done
  ((${#packages[@]} == 0)) || vm_apt_get install --no-install-recommends "${packages[@]}"
}

vm_apt_get() {
  DEBIAN_FRONTEND=noninteractive apt-get -q -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >&2
}

# vm_sources SUITE: lines for a sources.list, with the archives of Debian that the host's own apt fetches from.
vm_sources() {
  local suite=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg archive security
  archive=$(vm_archive Debian)
  security=$(vm_archive Debian-Security)
  if [[ -z $archive || -z $security ]]; then
    vm_usage "this host's apt knows no archive of Debian's and of its security updates, expected a Debian host on which 'apt-get update' was run"
  fi
  printf "deb [signed-by=$keyring] %s\n" "$archive $suite main" "$archive $suite-updates main" "$security $suite-security main"
}

vm_archive() {
  # shellcheck disable=SC2016 # for apt to expand
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    awk -v label="$1" '$1 == label && !found++ { print $2 }'
}

# How the host's apt is told to fetch: proxies, and which dates it takes.
vm_apt_options() {
  apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries)' || true
}
