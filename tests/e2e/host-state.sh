#!/usr/bin/env bash
# host-state.sh [--without SECTION]...: everything of this host that exectax could change, as `SECTION: LINE`, so that
# two states can be compared with diff. Nothing in it changes while nobody changes the host: no pids, times or counters.
# On a busy host, HOST_STATE_CGROUP=FOLDER limits the processes to those of one cgroup, and the cgroups to exectax's.
set -euo pipefail
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
shopt -s nullglob

SECTIONS=(audit-rules audit-flags audit-owner audit-readers units active-units sysctls mounts cgroups bpf bpffs tracing accounting
  etc sbin var-lib run modules processes)

section_audit-rules() {
  command -v auditctl >/dev/null || return 0
  auditctl -l 2>&1
}

section_audit-flags() {
  command -v auditctl >/dev/null || return 0
  auditctl -s 2>&1 | grep -E '^(enabled|failure|rate_limit|backlog_limit|backlog_wait_time|loginuid_immutable) ' || true
}

# The kernel names a daemon that was killed until it next has a record for it.
section_audit-owner() {
  command -v auditctl >/dev/null || return 0
  local pid
  pid=$(auditctl -s 2>/dev/null | awk '$1 == "pid" { print $2 }')
  if ((${pid:-0})); then
    cat "/proc/$pid/comm" 2>/dev/null || echo none
  else
    echo none
  fi
}

# Netlink sockets of protocol 9 that are in a multicast group.
section_audit-readers() {
  awk '$2 == 9 && $4 !~ /^0*$/' /proc/net/netlink | wc -l
}

# Enabled and masked units, and services of System V's runlevels, are symlinks; a unit itself may also be a file.
section_units() {
  find /etc/systemd/system /run/systemd/system /etc/rc?.d -printf '%p %y %l\n' 2>/dev/null | sort || true
}

# What timers start and end by themselves is not there: it is of type oneshot, and so never active for long.
section_active-units() {
  [[ -d /run/systemd/system ]] || return 0
  systemctl list-units --no-legend --plain --state=active --type=service,socket | awk '{ print $1, $4 }' | sort
}

# Without what the kernel changes by itself.
section_sysctls() {
  find /proc/sys -type f -readable -print0 2>/dev/null | sort -z | xargs -0 grep -s '' |
    grep -vE '^/proc/sys/(kernel/random/|kernel/(ns_last_pid|pty/nr|keys/|hung_task_detect_count)|fs/quota/|fs/[a-z/-]*(-state|-nr):|net/netfilter/nf_conntrack_count|[^:]*_usage:|net/[^:]*(neigh|stable_secret))' || true
}

section_mounts() {
  cat /proc/self/mounts
}

# Those of systemd's own units are told by the units. What children of a group may control is set in the group.
section_cgroups() {
  local mount
  local -a which=()
  # Those of others come and go with what they run.
  [[ -z ${HOST_STATE_CGROUP:-} ]] || which=(-path '*exectax*')
  while read -r mount; do
    find "$mount" \( -name system.slice -o -name user.slice -o -name init.scope \) -prune -o -type d "${which[@]}" -print
    [[ ! -e $mount/cgroup.subtree_control ]] || echo "$mount: $(<"$mount/cgroup.subtree_control")"
  done <<<"$(awk '$3 ~ /^cgroup2?$/ { print $2 }' /proc/self/mounts)" | sort
}

# By type and name; ids change when a unit that has programs is restarted. Descriptors tell links and maps without any tool.
section_bpf() {
  local object meter
  meter=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../build/cpumeter
  if command -v bpftool >/dev/null && bpftool prog list >/dev/null 2>&1; then
    for object in prog link map; do
      bpftool "$object" list | awk -v object="$object" '/^[0-9]+: / { print object, $2, $4 }' | sort | uniq -c
    done
  elif [[ -x $meter ]]; then
    "$meter" --once --bpf --output - 2>/dev/null | awk -F, '$2 == "bpf" { sub(/^[0-9]+:/, "", $3); print "prog", $3 }' | sort | uniq -c
  fi
  grep -hsE '^(prog_type|link_type|map_type):' /proc/[0-9]*/fdinfo/* | sort | uniq -c || true
}

section_bpffs() {
  find /sys/fs/bpf -mindepth 1 2>/dev/null | sort || true
}

# Not below /sys/kernel/debug: a look there would mount it.
section_tracing() {
  local file
  for file in tracing_on set_event kprobe_events uprobe_events; do
    grep -Hs '' "/sys/kernel/tracing/$file" || true
  done
  cat /proc/sys/kernel/bpf_stats_enabled 2>/dev/null || true
}

# The kernel tells whether accounting is on by what it does: a process that ends leaves a record. HOST_STATE_PACCT names
# more files to look at.
section_accounting() {
  local file before
  for file in /var/log/account/pacct /var/account/pacct ${HOST_STATE_PACCT:+"$HOST_STATE_PACCT"}; do
    [[ -e $file ]] || continue
    before=$(stat -c %s "$file")
    /bin/true
    (($(stat -c %s "$file") > before)) && echo "$file: on" || echo "$file: off"
  done
}

# list_files FIND_ARGUMENTS...: path, type, mode, owner, and where a symlink goes.
list_files() {
  find "$@" -printf '%p %y %m %u:%g %l\n' 2>/dev/null | sort || true
}

list_contents() {
  find "$@" -type f -print0 2>/dev/null | sort -z | xargs -0 -r sha256sum
}

# Kept by the distribution: caches of the linker, mounts, leases, the clock.
section_etc() {
  local -a others=(-not -path /etc/ld.so.cache -not -path /etc/mtab -not -path '/etc/resolv.conf*' -not -path /etc/adjtime)
  list_files /etc "${others[@]}"
  list_contents /etc "${others[@]}"
}

# Where a policy-rc.d would lie.
section_sbin() {
  list_files /usr/sbin /usr/local/sbin
  list_contents /usr/sbin /usr/local/sbin
}

# Without what packaging, timers and logrotate keep there, and what `--install` has put into exectax's own store.
section_var-lib() {
  find /var/lib \( -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/lib/logrotate \
    -o -path /var/lib/man-db -o -path /var/lib/ucf -o -path /var/lib/postgresql -o -path /var/lib/exectax/monitors \) -prune -o \
    \( -type f -printf '%p %s\n' -o -printf '%p %y %l\n' \) 2>/dev/null | sort || true
}

# Without systemd's own state (its units are told above), sessions and devices. exectax.lock is nothing but a lock.
section_run() {
  list_files /run \( -path /run/systemd -o -path /run/user -o -path /run/udev -o -path /run/log -o -path /run/lock \) -prune -o \
    -not -path /run/exectax.lock
}

section_modules() {
  [[ ! -e /proc/modules ]] || awk '{ print $1 }' /proc/modules | sort
}

# Of all users, without the kernel's own threads, zombies, the callers of this script, what it runs itself, and udev's
# workers, which come and go by themselves.
section_processes() {
  local of=
  [[ -z ${HOST_STATE_CGROUP:-} ]] || of=$(paste -sd ' ' "$HOST_STATE_CGROUP/cgroup.procs")
  ps -eo pid=,ppid=,stat=,comm=,args= --cols 200 | awk -v self=$$ -v group="${HOST_STATE_CGROUP:-}" -v of=" $of " '
    { pid = $1; parent[pid] = $2; state[pid] = $3; sub(/^ *[0-9]+ +[0-9]+ +[^ ]+ +/, ""); line[pid] = $0 }
    END {
      for (pid = self; pid > 1; pid = parent[pid]) mine[pid] = 1
      for (pid in line) {
        if (pid in mine || pid == 2 || parent[pid] == 2 || state[pid] ~ /^Z/ || line[pid] ~ /^\(udev-worker\)/ || (group != "" && index(of, " " pid " ") == 0)) continue
        for (up = parent[pid]; up > 1 && up != self; up = parent[up]);
        if (up != self) print line[pid]
      }
    }' | sort
}

without=" "
while (($#)); do
  if [[ $1 != --without || " ${SECTIONS[*]} " != *" ${2:-} "* ]]; then
    echo "host-state.sh: got '$*', expected --without and one of: ${SECTIONS[*]}" >&2
    exit 2
  fi
  without+="$2 "
  shift 2
done
for section in "${SECTIONS[@]}"; do
  [[ $without == *" $section "* ]] || "section_$section" | sed "s|^|$section: |"
done
