#!/usr/bin/env bash
# In the guest, started once it has booted: run the command that came with the job and hand its results over.
set -uo pipefail
exec >/dev/virtio-ports/output 2>&1 </dev/null || exit
cd /root/exectax || exit

# What the boot starts is done then: nothing of it shows as a change that the command made.
systemctl is-system-running --wait >/dev/null
# Nor may what the distribution does by the clock: upgrades of packages would be at work beside the tests.
systemctl list-timers --all --plain --no-legend | awk '{ print $(NF - 1) }' | xargs -r systemctl stop
echo "# $(sed -nE 's/^PRETTY_NAME="(.*)"$/\1/p' /etc/os-release), Linux $(uname -r), up $(cut -d ' ' -f 1 /proc/uptime) s"
# The limit holds in here, so that what was there by then still gets out.
timeout --kill-after=30 "$(</root/exectax-limit)" bash -c "$(</root/exectax-command)"
status=$?
echo "# ended with status $status, up $(cut -d ' ' -f 1 /proc/uptime) s"

out=/root/out
mkdir -p "$out"
echo "$status" >"$out/status"
journalctl -b -o short-monotonic --no-pager >"$out/journal.txt"
cp -R results "$out/"
tar -C "$out" -cf /dev/disk/by-id/virtio-result .
sync
