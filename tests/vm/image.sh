#!/usr/bin/env bash
# image.sh SUITE: make the disk image of a stock Debian with systemd and the distribution's kernel, unless it is there,
# and print the folder that it is in: disk, vmlinuz, initrd.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$here/common.bash"

system=(systemd-sysv dbus udev kmod initramfs-tools zstd iproute2 procps cron login passwd ca-certificates openssh-server
  linux-image-cloud-amd64)
# A server's audit daemon, enabled and running, as its package sets it up. The rest is big, and takes minutes to install in
# the guest; whatever else is needed is missing there, so that its installation is tested as well.
packages=(auditd bpftool clang gcc libc6-dev linux-perf make git)

# What no package brings: addresses, names, and the start of the job that comes with the guest's second disk.
write_guest_files() {
  local root=$1
  echo exectax-vm >"$root/etc/hostname"
  printf '127.0.0.1 localhost\n127.0.1.1 exectax-vm\n' >"$root/etc/hosts"
  echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$root/etc/fstab"
  rm -f "$root/etc/resolv.conf"
  echo 'nameserver 10.0.2.3' >"$root/etc/resolv.conf"
  printf '[Match]\nName=en* eth*\n[Network]\nDHCP=ipv4\nIPv6AcceptRA=no\n' >"$root/etc/systemd/network/10-guest.network"
  echo virtio_console >"$root/etc/modules-load.d/exectax-vm.conf"
  cat >"$root/etc/systemd/system/exectax-vm.service" <<'UNIT'
[Unit]
After=multi-user.target
SuccessAction=poweroff
FailureAction=poweroff
[Service]
StandardOutput=journal+console
StandardError=journal+console
ExecStartPre=/bin/tar -xf /dev/disk/by-id/virtio-job -C /root
ExecStart=/root/exectax/tests/vm/guest.sh
Environment=HOME=/root USER=root LOGNAME=root SHELL=/bin/bash LANG=C.UTF-8 TERM=dumb
[Install]
WantedBy=multi-user.target
UNIT
  chroot "$root" systemctl --quiet set-default multi-user.target
  chroot "$root" systemctl --quiet enable systemd-networkd.service exectax-vm.service
}

# An initrd with all drivers takes long to unpack under emulation.
write_initrd_settings() {
  local root=$1
  mkdir -p "$root/etc/initramfs-tools/conf.d"
  printf 'MODULES=list\nCOMPRESS=zstd\nRESUME=none\n' >"$root/etc/initramfs-tools/conf.d/exectax-vm"
  printf '%s\n' virtio_pci virtio_blk ext4 >"$root/etc/initramfs-tools/modules"
}

make_image() {
  local suite=$1 image=$2 work=$2.part
  rm -rf --one-file-system "$work"
  mkdir -p "$work"
  vm_sources "$suite" >"$work/sources.list"
  vm_apt_options >"$work/apt.conf"
  printf 'Acquire::Languages "none";\n' >>"$work/apt.conf"
  mmdebstrap --quiet --mode=root --variant=important --aptopt="$work/apt.conf" --aptopt='APT::Install-Recommends "false"' \
    --include="$(IFS=, && echo "${system[*]},${packages[*]}")" \
    --essential-hook="$here/image.sh --write-initrd-settings \"\$1\"" \
    --customize-hook="$here/image.sh --write-guest-files \"\$1\"" \
    "$suite" "$work/root" "$work/sources.list" >&2
  cp -L "$work/root/vmlinuz" "$work/vmlinuz"
  cp -L "$work/root/initrd.img" "$work/initrd"
  truncate -s 10G "$work/disk"
  mkfs.ext4 -q -F -d "$work/root" "$work/disk"
  rm -rf --one-file-system "$work/root"
  mv "$work" "$image"
}

case ${1:-} in
  --write-guest-files) write_guest_files "$2" ;;
  --write-initrd-settings) write_initrd_settings "$2" ;;
  bookworm | trixie)
    ((EUID == 0)) || vm_usage "making an image needs root: run it with sudo"
    # Another version of this script makes another image.
    image=$VM_CACHE/$1-$(sha256sum <"$here/image.sh" | cut -c 1-12)
    mkdir -p "$VM_CACHE"
    exec {lock}>"$VM_CACHE/lock"
    flock "$lock"
    if [[ ! -d $image ]]; then
      vm_need mmdebstrap=mmdebstrap mkfs.ext4=e2fsprogs
      make_image "$1" "$image" {lock}>&-
    fi
    echo "$image"
    ;;
  *) vm_usage "image.sh: got '$*', expected a suite: bookworm or trixie" ;;
esac
