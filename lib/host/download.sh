# shellcheck shell=bash
# Monitors that are not installed as packages: got, verified, and put into a store of their own.
#
# What root unpacks and runs lies only in folders that nobody else can change, and comes over HTTPS. It is verified in one of
# these ways, a VERIFICATION below:
#   signed SIGNATURE_URL KEY   a detached signature by the vendor's key
#   sums COMMAND SUMS_URL      the vendor's list of checksums, which COMMAND (sha256sum, ...) checks
#   sha256 SUM                 a checksum that is in this tree
#   unverified                 by nothing: refused, unless EXECTAX_ALLOW_UNVERIFIED is yes
# A KEY is `URL FINGERPRINT`: where the vendor has it, and which one it must be.

DOWNLOAD_STORE=$HOST_STATE_DIR/monitors
# A download ends that brings less than 1 kB a second for so long, or that takes so long altogether.
DOWNLOAD_STALL_SECONDS=30
DOWNLOAD_SECONDS=1800

# in_work_folder COMMAND...: in a folder of root's alone, which is removed afterwards.
in_work_folder() {
  local work=$HOST_STATE_DIR/work-$BASHPID-$RANDOM status=0
  host_record_lasting undo_work_folder "$work"
  mkdir -m 0700 "$work" || return 1
  (cd "$work" && "$@") || status=$?
  host_undo_now undo_work_folder "$work"
  return "$status"
}

undo_work_folder() {
  rm -rf "${1:?}"
}

# This machine as Debian, Go and the releases of most vendors name it; 1 if it is one that these are not made for.
download_machine() {
  case $(uname -m) in
    x86_64) echo amd64 ;;
    aarch64) echo arm64 ;;
    *) return 1 ;;
  esac
}

# download URL [FILE]: without the settings of whoever is root here.
download() {
  curl --disable --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --tlsv1.2 \
    --connect-timeout 20 --speed-limit 1024 --speed-time "$DOWNLOAD_STALL_SECONDS" --max-time "$DOWNLOAD_SECONDS" \
    --output "${2:-${1##*/}}" -- "$1"
}

# download_verified URL VERIFICATION...: the file comes to lie here.
download_verified() {
  local url=$1 way=$2
  shift 2
  [[ $way != unverified ]] || unverified_is_allowed "$url" || return 1
  say "Getting $url"
  download "$url" && "verify_$way" "$url" "$@" && same_as_before "$url" "${url##*/}"
}

unverified_is_allowed() {
  [[ ${EXECTAX_ALLOW_UNVERIFIED:-no} != yes ]] || return 0
  warn "$1 is not installed: its vendor publishes neither a signature nor a checksum of it (--allow-unverified installs it)"
  return 1
}

verify_unverified() { :; }

verify_sha256() {
  sha256sum --check --status <<<"$2  ${1##*/}" || {
    warn "$1 does not have the checksum that its vendor published; not installed"
    return 1
  }
}

# Some lists have a mark for binary mode, some the folder in which the file was built.
verify_sums() {
  local file=${1##*/} command=$2
  download "$3" sums || return 1
  awk -v file="$file" '{ sub(/^[*]?(.*\/)?/, "", $2) } $2 == file { print $1 "  " $2 }' sums >expected
  if [[ ! -s expected ]] || ! "$command" --check --status expected; then
    warn "$1 does not match its published checksum; not installed"
    return 1
  fi
}

verify_signed() {
  vendor_keyring "$3" && download "$2" signature || return 1
  gpgv --quiet --keyring ./keyring.gpg signature "${1##*/}" 2>/dev/null || {
    warn "$1 is not signed by its vendor's key ${3#* }; not installed"
    return 1
  }
}

# vendor_keyring KEYS: keyring.gpg has the keys (a KEY a line) and no others, whatever else their files have.
vendor_keyring() {
  local url fingerprint
  mkdir -p -m 0700 gnupg
  : >keyring.gpg
  while read -r url fingerprint; do
    download "$url" key || return 1
    rm -rf gnupg/*
    gpg --homedir "$PWD/gnupg" --batch --quiet --no-autostart --import key 2>/dev/null || true
    gpg --homedir "$PWD/gnupg" --batch --quiet --no-autostart --export "$fingerprint" >exported 2>/dev/null || true
    if [[ $(gpg --homedir "$PWD/gnupg" --batch --no-autostart --with-colons --show-keys exported 2>/dev/null | keys_in_force) != "$fingerprint" ]]; then
      warn "$url is not the vendor's key $fingerprint, or that has expired or was revoked"
      return 1
    fi
    cat exported >>keyring.gpg
  done <<<"$1"
}

# Fingerprints of the primary keys in gpg's list that are neither revoked nor expired.
keys_in_force() {
  awk -F: '$1 == "pub" { good = $2 !~ /[re]/; next } $1 == "fpr" && good { print $10 } { good = 0 }'
}

# same_as_before URL FILE: a version that was published stays what it is. The first download of each is kept in mind.
same_as_before() {
  local url=$1 sum before='' sums=$DOWNLOAD_STORE/sums
  sum=$(sha256sum <"$2" | cut -d ' ' -f 1)
  mkdir -p "$DOWNLOAD_STORE"
  touch "$sums"
  before=$(awk -v url="$url" '$2 == url { print $1 }' "$sums")
  if [[ -z $before ]]; then
    { cat "$sums" && echo "$sum $url"; } >"$sums.new" && mv -T "$sums.new" "$sums"
  elif [[ $before != "$sum" ]]; then
    warn "$url has another SHA-256 than when it was first downloaded, $sum instead of $before; not installed (its line in $sums is why)"
    return 1
  fi
}

# install_program FILE NAME: the store's program of that name is the old or the new one at any time.
install_program() {
  local program=$DOWNLOAD_STORE/$2/bin/$2
  if [[ ! -f $1 || -L $1 ]]; then
    warn "$2 is not installed: expected a regular file, $1"
    return 1
  fi
  mkdir -p "${program%/*}" && install -m 0755 "$1" "$program.new" && mv -T "$program.new" "$program"
}

# install_folder FOLDER NAME: beside the program's bin/.
install_folder() {
  local folder=$DOWNLOAD_STORE/$2/${1##*/}
  mkdir -p "${folder%/*}" && rm -rf "$folder.new" && cp -R -T "$1" "$folder.new" && rm -rf "$folder" && mv -T "$folder.new" "$folder"
}

# install_from_package NAME FILE: take one program out of a distribution package without installing the package.
install_from_package() {
  apt-cache show "$1" >/dev/null 2>&1 || return 1
  in_work_folder unpack_from_package "$@"
}

# apt can't fetch as an unprivileged user into a folder of root's alone.
unpack_from_package() {
  local -a packages libraries
  say "Unpacking the distribution's $1"
  apt_get -o APT::Sandbox::User=root download "$1" || return 1
  packages=(./*.deb)
  same_as_before "package:${packages[0]#./}" "${packages[0]}" && dpkg-deb -x "${packages[0]}" unpacked || return 1
  # The libraries that the file needs do have to be installed.
  split_lines libraries "$(dpkg-deb -f "${packages[0]}" Depends | tr ',' '\n' | sed -nE 's/^ *(lib[^ |(]+).*/\1/p')"
  install_packages "${libraries[@]}" || return 1
  install_program "unpacked$2" "${2##*/}"
}

# install_from_repository PACKAGE REPOSITORY KEYS: from a vendor's apt repository (`URL SUITE COMPONENT`), which is not added to the
# host's. One that the host knows already is taken as it is.
install_from_repository() {
  if apt-cache show "$1" >/dev/null 2>&1; then
    install_packages "$1"
  else
    in_work_folder install_vendor_package "$@"
  fi
}

install_vendor_package() {
  vendor_packages "$2" "$3" "$1" && install_without_starting ./"$1"_*.deb
}

# vendor_packages REPOSITORY KEYS PACKAGE...: packages of a vendor's apt repository come to lie here. apt verifies it with KEYS, one a
# line, and takes neither other keys nor other repositories meanwhile.
vendor_packages() {
  local repository=$1 package
  vendor_keyring "$2" || return 1
  shift 2
  mkdir -p sources lists/partial cache/archives/partial
  printf 'deb [signed-by=%s] %s\n' "$PWD/keyring.gpg" "$repository" >sources/vendor.list
  say "Getting $* from ${repository%% *}"
  vendor_apt update && vendor_apt download "$@" || return 1
  for package in ./*.deb; do
    same_as_before "${repository%% *}/${package#./}" "$package" || return 1
  done
}

vendor_apt() {
  apt_get -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$PWD/sources" \
    -o "Dir::State::Lists=$PWD/lists" -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=root "$@"
}

# install_from_tarball NAME MEMBER FOLDER URL VERIFICATION...: one file out of a vendor's release, and, unless FOLDER is empty, a folder
# that it needs, which comes to lie beside bin/.
install_from_tarball() {
  in_work_folder unpack_tarball "$@"
}

unpack_tarball() {
  local name=$1 member=$2 folder=$3 url=$4
  shift 3
  download_verified "$@" && tar --no-same-owner -xzf "${url##*/}" "$member" ${folder:+"$folder"} || return 1
  [[ -z $folder ]] || install_folder "$folder" "$name" || return 1
  # Last: with its program, a monitor is there.
  install_program "$member" "$name"
}

# install_from_url NAME FILE URL VERIFICATION...: a program that a vendor publishes as it is, or, unless FILE is empty, as FILE in a
# Debian package, which is unpacked and not installed.
install_from_url() {
  in_work_folder take_from_url "$@"
}

take_from_url() {
  local name=$1 file=$2 url=$3
  shift 2
  download_verified "$@" || return 1
  if [[ -z $file ]]; then
    install_program "${url##*/}" "$name"
  else
    dpkg-deb -x "${url##*/}" unpacked && install_program "unpacked$file" "$name"
  fi
}
