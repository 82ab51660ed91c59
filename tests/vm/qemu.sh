#!/usr/bin/env bash
# qemu.sh ARGS...: qemu-system-x86_64. QEMU=/path/to/it takes another one than the host's. Where that is older than
# version 8 (Debian 12's is 7.2), Debian 13's is unpacked beside it and taken: it emulates a guest that mostly forks
# and executes twice as fast and more.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$here/common.bash"

unpack_newer() {
  local root=$1
  rm -rf --one-file-system "$root.part"
  vm_need mmdebstrap=mmdebstrap
  vm_sources trixie >"$VM_CACHE/qemu-sources.list"
  vm_apt_options >"$VM_CACHE/qemu-apt.conf"
  mmdebstrap --quiet --mode=root --variant=extract --include=qemu-system-x86 --aptopt="$VM_CACHE/qemu-apt.conf" \
    --aptopt='APT::Install-Recommends "false"' trixie "$root.part" "$VM_CACHE/qemu-sources.list" >&2
  mv "$root.part" "$root"
}

[[ -z ${QEMU:-} ]] || exec "$QEMU" "$@"
vm_need qemu-system-x86_64=qemu-system-x86
version=$(qemu-system-x86_64 --version | sed -nE '1s/.*version ([0-9]+).*/\1/p')
((version < 8)) || exec qemu-system-x86_64 "$@"
root=$VM_CACHE/qemu
mkdir -p "$VM_CACHE"
exec {lock}>"$VM_CACHE/qemu-lock"
flock "$lock"
[[ -d $root ]] || unpack_newer "$root" {lock}>&-
exec {lock}>&-
lib=$root/usr/lib/x86_64-linux-gnu
exec "$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$lib:$lib/pulseaudio" "$root/usr/bin/qemu-system-x86_64" \
  -L "$root/usr/share/qemu" -L "$root/usr/share/seabios" "$@"
