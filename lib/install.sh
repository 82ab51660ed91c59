# shellcheck shell=bash
# Getting what a run needs onto the host. Whatever is already there is left alone.

MONITOR_STORE=$STATE_DIR/monitors

packages_missing() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == "install ok installed" ]] || echo "$package"
  done
}

# install_packages NAME...: Debian or Ubuntu packages. A service that comes with one is neither started nor enabled:
# the run starts what it needs itself.
install_packages() {
  local -a missing
  split_lines missing "$(packages_missing "$@")"
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    echo "install by hand, there is no apt-get here: ${missing[*]}" >&2
    return 1
  fi
  say "Installing ${missing[*]}"
  install_without_starting "${missing[@]}" || return 1
  # Enabled is not started: at the next boot it would be.
  local service
  for service in auditd rsyslog; do
    if [[ " ${missing[*]} " == *" $service "* && -d /run/systemd/system ]]; then
      systemctl disable --quiet "$service.service"
    fi
  done
}

# Debian's way to keep a package's services from starting is a policy-rc.d that says no.
install_without_starting() (
  local guard=/usr/sbin/policy-rc.d
  if [[ ! -e $guard ]]; then
    trap 'rm -f "$guard"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$guard"
    chmod 0755 "$guard"
  fi
  apt_get update && apt_get install --no-install-recommends "$@"
)

apt_get() {
  quietly env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"
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

# install_from_repository PACKAGE KEY_URL REPOSITORY: from a vendor's apt repository (`URL SUITE COMPONENT`), which apt
# knows for as long as this takes: /etc/apt is not touched. One that the host knows already is taken as it is.
install_from_repository() (
  local package=$1 key_url=$2 repository=$3
  if apt-cache show "$package" >/dev/null 2>&1; then
    install_packages "$package"
    return
  fi
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # apt reads the key as an unprivileged user.
  chmod 0755 "$work"
  mkdir "$work/sources"
  cd "$work" || return 1
  download "$key_url" || return 1
  find /etc/apt/sources.list.d -type f -exec cp -t sources {} +
  printf 'deb [signed-by=%s] %s\n' "$work/${key_url##*/}" "$repository" >sources/exectax-vendor.list
  printf 'Dir::Etc::SourceParts "%s";\n' "$work/sources" >apt.conf
  export APT_CONFIG=$work/apt.conf
  install_packages "$package"
)

# install_from_package NAME FILE: take one program out of a distribution package without installing the package.
install_from_package() (
  apt-cache show "$1" >/dev/null 2>&1 || return 1
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work" || return 1
  # apt fetches as an unprivileged user where it can.
  chmod 0777 "$work"
  say "Unpacking the distribution's $1"
  apt_get download "$1" && dpkg-deb -x ./*.deb unpacked || return 1
  # The libraries that the file needs do have to be installed.
  local -a libraries
  split_lines libraries "$(dpkg-deb -f ./*.deb Depends | tr ',' '\n' | sed -nE 's/^ *(lib[^ |(]+).*/\1/p')"
  install_packages "${libraries[@]}" || return 1
  install -D -m 0755 "unpacked$2" "$MONITOR_STORE/${2##*/}/bin/${2##*/}"
)

# install_from_tarball NAME MEMBER URL [CHECKSUM_COMMAND [CHECKSUM_URL [FOLDER]]]: one file out of a vendor's release, and
# a folder that it needs, which comes to lie beside bin/. With a checksum command, the archive must match the vendor's
# checksum file (default: URL with the command's suffix).
install_from_tarball() (
  local name=$1 member=$2 url=$3 checksum=${4:-} sums_url=${5:-} folder=${6:-} store=$MONITOR_STORE/$1
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work" || return 1
  say "Getting $url"
  download "$url" || return 1
  if [[ -n $checksum ]]; then
    : "${sums_url:=$url.${checksum%sum}}"
    download "$sums_url" || return 1
    # Some list the file with a mark for binary mode, some with the folder in which it was built.
    awk -v file="${url##*/}" '{ sub(/^[*]?(.*\/)?/, "", $2) } $2 == file { print $1 "  " $2 }' "${sums_url##*/}" >expected
    if [[ ! -s expected ]] || ! "$checksum" --check --status expected; then
      warn "$url does not match its published checksum; not installed"
      return 1
    fi
  fi
  tar -xzf "${url##*/}" "$member" ${folder:+"$folder"} && install -D -m 0755 "$member" "$store/bin/$name" || return 1
  [[ -z $folder ]] || { rm -rf "${store:?}/${folder##*/}" && cp -R "$folder" "$store/"; }
)

# install_from_url NAME URL [FILE [SHA256]]: a program that a vendor publishes as it is, or as FILE in a Debian package,
# which is unpacked and not installed. With a checksum, what is downloaded must have it.
install_from_url() (
  local name=$1 url=$2 file=${3:-} checksum=${4:-} downloaded=${2##*/} program=${2##*/}
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work" || return 1
  say "Getting $url"
  download "$url" || return 1
  if [[ -n $checksum ]] && ! sha256sum --check --status <<<"$checksum  $downloaded"; then
    warn "$url does not have the checksum that its vendor published; not installed"
    return 1
  fi
  if [[ -n $file ]]; then
    dpkg-deb -x "$downloaded" unpacked || return 1
    program=unpacked$file
  fi
  install -D -m 0755 "$program" "$MONITOR_STORE/$name/bin/$name"
)

download() {
  curl --fail --silent --show-error --location --connect-timeout 20 -O "$1"
}
