# shellcheck shell=bash
# Where a run does not begin: one line, exit status 2, nothing changed. What only the figures or an administrator's rules are
# against, --yes says is known.

# A record of an execution is 54 to 2080 bytes long (README), and a launch leaves about 100 in the run's folder.
REFUSE_RECORD_BYTES=2300
REFUSE_LAUNCH_BYTES=100
# Whatever the plan: room for what else happens on the host, and for perf's samples.
REFUSE_RESERVE_BYTES=268435456

# What root runs, and where it keeps what it executes later, before anything in there is looked at.
refuse_program() {
  local problem
  refuse_code "$EXECTAX_ROOT" results
  refuse_code "${BUILD:-$EXECTAX_ROOT/build}"
  [[ $HOST_STATE_DIR =~ ^/[A-Za-z0-9._/-]+$ ]] ||
    die_usage "EXECTAX_STATE_DIR is '$HOST_STATE_DIR', expected an absolute path of letters, digits and ._/- (monitors' configurations name it)"
  [[ $(realpath -m -- "$HOST_STATE_DIR")/ != /run/* ]] ||
    die_usage "EXECTAX_STATE_DIR is '$HOST_STATE_DIR', expected a folder outside /run (some monitors are shown an empty one)"
  problem=$(refuse_state_dir)
  [[ -z $problem ]] || die_usage "$problem"
}

# refuse_code FOLDER [EXCEPT]: root runs nothing of a folder that somebody else can change, or something in it, what is below EXCEPT apart.
refuse_code() {
  local problem
  ((EUID == 0)) || return 0
  problem=$(refuse_way_to "$1")
  [[ -n $problem || ! -d $1 ]] || problem=$(refuse_foreign_entry "$@")
  [[ -z $problem ]] || die_usage "root runs nothing of '$1': $problem: expected what only root and you can change"
}

# Before anything else is tried.
refuse_surroundings() {
  local problem
  problem=$(refuse_container)
  [[ -z $problem ]] || die_usage "$problem"
}

# refuse_folders OUT LAUNCHES AT_ONCE KEEP_LOGS: where results go, and what the plan needs of the disks: LAUNCHES in all, AT_ONCE of
# them in the logs at the same time; KEEP_LOGS (yes, no) keeps the others, too.
refuse_folders() {
  local problem
  problem=$(refuse_out "$1")
  : "${problem:=$(refuse_disk "$@")}"
  [[ -z $problem ]] || die_usage "$problem"
}

# What would be disturbed by a run that takes the host, or disturb it.
refuse_company() {
  local problem
  problem=$(refuse_rules)
  : "${problem:=$(refuse_agents)}"
  [[ -z $problem ]] || die_usage "$problem"
}

# Root of a user namespace, or without what the harness needs to do.
refuse_container() {
  local -i effective
  if ! awk 'NR == 1 && $1 == 0 && $2 == 0 && $3 == 4294967295 { found = 1 } END { exit !found }' /proc/self/uid_map; then
    echo "this is an unprivileged container (a user namespace): expected root of the host, or a privileged container"
    return
  fi
  effective=0x$(awk '$1 == "CapEff:" { print $2 }' /proc/self/status)
  # CAP_SYS_ADMIN
  ((effective & 1 << 21)) || echo "root lacks CAP_SYS_ADMIN here (a container?): expected root of the host, or a privileged container"
}

# refuse_run RUN [always]: a run that is written into, or goes on: its folder is data that can come from anybody. As root (always: as anybody), only root, the one
# who runs this, and the checkout's owner may be able to change it meanwhile.
refuse_run() {
  local problem
  # What there is to say of it otherwise is said by who looks for a run in it.
  [[ -d $1 ]] && ((EUID == 0 || $# > 1)) || return 0
  problem=$(refuse_way_to "$1")
  : "${problem:=$(refuse_foreign_entry "$1")}"
  [[ -z $problem ]] || die_usage "'$1' is left alone: $problem: expected a run of root's or yours"
}

# refuse_owners -u|-g: the user ids, or group ids, of who may change what root writes into, or whoever else runs this.
refuse_owners() {
  local sudo=${SUDO_UID:-0}
  [[ $1 == -u ]] || sudo=${SUDO_GID:-0}
  echo "0 $(id "$1") $sudo $(stat -c "%${1#-}" -- "$EXECTAX_ROOT")"
}

# refuse_foreign_entry FOLDER [EXCEPT]: something in it that somebody else could change; nothing if there is none, or only below EXCEPT.
refuse_foreign_entry() {
  local id entry
  local -a foreign_uids=() foreign_gids=()
  for id in $(refuse_owners -u); do
    foreign_uids+=(! -uid "$id")
  done
  for id in $(refuse_owners -g); do
    foreign_gids+=(! -gid "$id")
  done
  entry=$(cd -- "$1" && find . -mindepth 1 -path "./${2:-.}" -prune -o \( "${foreign_uids[@]}" -o ! -type l \( -perm -002 -o -perm -020 "${foreign_gids[@]}" \) \) -printf '%P\n' -quit)
  [[ -z $entry ]] || echo "others can change $entry in it"
}

# Nobody but root, the one who runs this, and the checkout's owner may be able to change what is measured into.
refuse_out() {
  local out=$1 problem
  case $out/ in
    "$(realpath -m -- "$HOST_STATE_DIR")"/*)
      echo "--out $out is below $HOST_STATE_DIR, which is emptied: expected another folder"
      return
      ;;
  esac
  problem=$(refuse_way_to "$out")
  [[ -z $problem ]] || echo "--out: $problem, and with it the results: expected a folder that belongs to root or to you"
}

# refuse_way_to FOLDER: who can change it, or lead the way to it elsewhere; nothing if nobody can.
refuse_way_to() {
  folder_in_other_hands "$1" "$(refuse_owners -u)" "$(refuse_owners -g)"
}

# What daemons of root read and write, and the journal that root executes, must be out of everybody's reach.
refuse_state_dir() {
  local problem
  problem=$(folder_in_other_hands "$HOST_STATE_DIR" 0 0)
  if [[ -z $problem && -d $HOST_STATE_DIR ]] && (($(stat -L -c '8#%a & 8#022' -- "$HOST_STATE_DIR"))); then
    problem="others can write to $HOST_STATE_DIR"
  fi
  [[ -z $problem ]] || echo "EXECTAX_STATE_DIR: $problem: expected a folder that only root can change"
}

# folder_in_other_hands FOLDER UIDS GIDS: who, other than these, can change it, rename what it is in, or lead the way to it elsewhere; nothing if
# nobody can. Of what is not there, it looks at what there is on the way.
folder_in_other_hands() {
  local at=/ name='' rest="$1/" owner group mode kind problem
  local -i links=0
  [[ $1 == /* ]] || rest="$(pwd -P)/$1/"
  while true; do
    if [[ $name == .. ]]; then
      at=$(dirname -- "$at")
    elif [[ -n $name && $name != . ]]; then
      at=${at%/}/$name
    fi
    read -r owner group mode kind <<<"$(stat -c '%u %g %a %F' -- "$at" 2>/dev/null || true)"
    [[ -n $owner ]] || return 0
    if [[ " $2 " != *" $owner "* ]]; then
      echo "$at belongs to $(stat -c %U -- "$at"), who could change it"
      return
    elif [[ $kind == "symbolic link" ]]; then
      if ((++links > 40)); then
        echo "$1 leads through more than 40 links"
        return
      fi
      rest="$(readlink -- "$at")/$rest"
      [[ $rest != /* ]] || at=/
      [[ $rest == /* ]] || at=$(dirname -- "$at")
    elif ((8#$mode & 8#1000)); then
      # In a folder like /tmp nobody can rename what is somebody else's.
      :
    elif ((8#$mode & 8#002)) || { ((8#$mode & 8#020)) && [[ " $3 " != *" $group "* ]]; }; then
      echo "others can change $at (mode $mode)"
      return
    fi
    [[ -n $rest ]] || return 0
    name=${rest%%/*} rest=${rest#*/}
  done
}

# The logs of one start of a monitor are there at the same time; raw files stay, and logs if they are to be kept.
refuse_disk() {
  local out=$1 launches=$2 at_once=$3 bytes=$REFUSE_LAUNCH_BYTES
  [[ $4 == no ]] || bytes=$((bytes + REFUSE_RECORD_BYTES))
  disk_has_room "$HOST_STATE_DIR" $((at_once * REFUSE_RECORD_BYTES + REFUSE_RESERVE_BYTES)) &&
    disk_has_room "$out" $((launches * bytes + REFUSE_RESERVE_BYTES)) || return 0
}

# disk_has_room FOLDER BYTES: if not, that is said, and the result is 1.
disk_has_room() {
  local folder=$1 free
  while [[ ! -d $folder ]]; do
    folder=$(dirname -- "$folder")
  done
  free=$(df --output=avail -B1 -- "$folder" | tail -n 1)
  ((free < $2)) || return 0
  echo "$1: $((free >> 20)) MiB are free there, expected $(($2 >> 20)) MiB for what this run writes; \
fewer or lower rates, shorter windows, or another folder (--out, EXECTAX_STATE_DIR) need less"
  return 1
}

# An administrator's rules are out of force during a run. Those that a distribution sets by itself are none, or that no
# process is audited.
refuse_rules() {
  local rules
  audit_is_usable || return 0
  rules=$(auditctl -l)
  [[ $rules == "No rules" || $rules == "-a never,task" ]] ||
    echo "this host has audit rules ($(wc -l <<<"$rules")), which would not be in force until the run ends: expected none, or --yes"
}

# Another security agent works on every execution, so it would be in the baseline.
refuse_agents() {
  local agents
  agents=$({
    agents_of_audit
    agents_of_bpf
    agents_of_fanotify
    agents_of_sockets 11 "the process connector"
    [[ ! -s /etc/ld.so.preload ]] || echo "$(paste -sd ' ' /etc/ld.so.preload) (/etc/ld.so.preload)"
  } | sort -u | paste -sd ';' | sed 's/;/; /g')
  [[ -z $agents ]] ||
    echo "already watching this host, and so in every figure: $agents. Expected none: stop them, measure them with --attach, or give --yes"
}

# Who holds the audit socket, auditd apart, which is stopped and started again; and who reads audit over multicast, journald apart.
agents_of_audit() {
  local owner
  audit_is_usable || return 0
  owner=$(audit_owner)
  if ((owner)); then
    [[ $(audit_owner_service "$owner") == *:auditd?(.service) ]] || agent_name "$owner" "the audit socket"
  fi
  ! audit_has_multicast_reader || journald_reads_audit || echo "a reader of audit over multicast (protocol 9 in /proc/net/netlink)"
}

# BPF programs of the kinds that watch the kernel, systemd's own apart. Pinned ones belong to no process.
agents_of_bpf() {
  local name id owner
  "$BUILD/cpumeter" --once --bpf 2>/dev/null | awk -F, '$2 == "bpf" { print $3 }' | while IFS= read -r name; do
    [[ $name =~ :(kprobe|tracepoint|raw_tracepoint|raw_tracepoint_writable|perf_event|tracing|lsm)$ ]] || continue
    id=${name%%:*}
    owner=$(agents_by_fdinfo "^prog_id:[[:space:]]*$id\$" "BPF programs")
    [[ $owner == systemd* ]] || echo "${owner:-BPF program $name, pinned}"
  done
}

# agents_by_fdinfo PATTERN WHAT: processes that hold a file with such a line in its fdinfo.
agents_by_fdinfo() {
  local pid
  { grep -lsE -- "$1" /proc/[0-9]*/fdinfo/* || true; } | cut -d/ -f3 | sort -u | while read -r pid; do
    agent_name "$pid" "$2"
  done
}

# agents_of_sockets PROTOCOL WHAT: processes with a netlink socket of that protocol that joined a group.
agents_of_sockets() {
  local inode pid
  awk -v protocol="$1" '$2 == protocol && $4 !~ /^0*$/ { print $10 }' /proc/net/netlink | while read -r inode; do
    { find /proc/[0-9]*/fd -lname "socket:\[$inode\]" 2>/dev/null || true; } | cut -d/ -f3 | sort -u | while read -r pid; do
      ! agent_may_watch_all "$pid" || agent_name "$pid" "$2"
    done
  done
}

# Who watches files of the whole host. Anybody may have a group of fanotify, with marks on files of their own: one that tells files by handles
# (FAN_REPORT_FID and its like, 0xe00), with nothing that needs CAP_SYS_ADMIN (0x1fc).
agents_of_fanotify() {
  local held pid
  { grep -sE '^fanotify flags:' /proc/[0-9]*/fdinfo/* || true; } | while IFS= read -r held; do
    [[ $held =~ ^/proc/([0-9]+)/fdinfo/[0-9]+:fanotify\ flags:([0-9a-f]+) ]] || continue
    pid=${BASH_REMATCH[1]}
    ((0x${BASH_REMATCH[2]} & 0x1fc || !(0x${BASH_REMATCH[2]} & 0xe00))) || agent_may_watch_all "$pid" || continue
    agent_name "$pid" fanotify
  done | sort -u
}

# agent_may_watch_all PID: it is root's, or has CAP_SYS_ADMIN, of the host and not of a user namespace of its own. What somebody else has begun is not
# root's for being set-user-ID.
agent_may_watch_all() {
  local key real='' effective='' capabilities=0 rest
  while read -r key rest; do
    case $key in
      Uid:) read -r real effective _ <<<"$rest" ;;
      CapEff:) capabilities=$((0x$rest)) ;;
    esac
  done 2>/dev/null <"/proc/$1/status" || true
  [[ -n $real && $real == "$effective" ]] || return 1
  ((real == 0)) || { ((capabilities & 1 << 21)) && [[ /proc/$1/ns/user -ef /proc/self/ns/user ]]; }
}

# agent_name PID WHAT
agent_name() {
  echo "$(log_process_name "$1") (pid $1: $2)"
}
