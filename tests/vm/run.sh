#!/usr/bin/env bash
# run.sh [--out FOLDER] [--limit SECONDS] SUITE COMMAND...: COMMAND as root in a clean clone of what is committed here, on a
# freshly booted Debian SUITE, and its exit status. What it prints is printed; the clone's results/, the guest's journal
# and the serial console come to lie in FOLDER. 124: the command took too long, 125: the guest ended without a result.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
source "$here/common.bash"
root=$(dirname "$(dirname "$here")")

usage="run.sh: got '$*', expected [--out FOLDER] [--limit SECONDS] SUITE COMMAND..."
out='' limit=14400
while [[ ${1:-} == --* ]]; do
  case $1 in
    --out) out=${2:?$usage} ;;
    --limit) limit=${2:?$usage} ;;
    *) vm_usage "$usage" ;;
  esac
  shift 2
done
(($# > 1)) || vm_usage "$usage"
suite=$1
shift
if [[ -z $out ]]; then
  out=$root/build/vm/$suite
  rm -rf "$out"
  mkdir -p "$(dirname "$out")"
fi
mkdir "$out"
image=$("$here/image.sh" "$suite")
vm_need git=git

work=$(mktemp -d "$VM_CACHE/guest.XXXXXX")
qemu=''
trap '[[ -z $qemu ]] || kill "$qemu" 2>/dev/null; rm -rf "$work"' EXIT

# The guest reads one disk as a tar file and writes its results to another as such.
git clone --quiet --no-hardlinks "$root" "$work/exectax"
printf '%q ' "$@" >"$work/exectax-command"
echo "$limit" >"$work/exectax-limit"
tar -C "$work" --owner=0 --group=0 -cf "$work/job" exectax exectax-command exectax-limit
truncate -s 4G "$work/result"

machine=(-machine q35 -cpu max -smp "${VM_CPUS:-1}" -m "${VM_MEMORY:-3G}" -nodefaults -display none -no-reboot
  -accel "${VM_ACCEL:-tcg,tb-size=1024}" -kernel "$image/vmlinuz" -initrd "$image/initrd"
  -append "root=/dev/vda rw console=ttyS0 net.ifnames=0 panic=5 ${VM_KERNEL_OPTIONS:-}"
  -drive "file=$image/disk,if=none,id=disk,format=raw,snapshot=on" -device "virtio-blk-pci,drive=disk"
  -drive "file=$work/job,if=none,id=job,format=raw,readonly=on" -device "virtio-blk-pci,drive=job,serial=job"
  -drive "file=$work/result,if=none,id=result,format=raw" -device "virtio-blk-pci,drive=result,serial=result"
  -device virtio-rng-pci -nic "user,model=virtio-net-pci" -device virtio-serial-pci
  -chardev "file,id=output,path=$work/output" -device "virtserialport,chardev=output,name=output" -serial "file:$out/console.log")
mkfifo "$work/output"
cat "$work/output" &
output=$!
# The overlay of the disk lies below TMPDIR.
TMPDIR=$work timeout --kill-after=10 $((limit + 600)) "$here/qemu.sh" "${machine[@]}" </dev/null &
qemu=$!
wait "$qemu" || echo "qemu ended with status $?" >&2
qemu=''
# A qemu that did not start has not opened it.
: <>"$work/output"
wait "$output"

tar -C "$out" --no-same-owner -xf "$work/result" 2>/dev/null || true
if [[ ! -s $out/status ]]; then
  tail -n 20 "$out/console.log" >&2
  echo "The guest ended without a result; its console: $out/console.log" >&2
  exit 125
fi
exit "$(<"$out/status")"
