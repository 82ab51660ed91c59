# shellcheck shell=bash
# Sysmon for Linux with an rsyslogd of its own behind it. Both are the monitor: sysmon writes its records to syslog.
#
# sysmon knows one place for everything: /opt/sysmon, /dev/log, a semaphore in /dev/shm, and its service below /etc. All
# of these are private to a mount namespace here, so the host's syslog and a sysmon installed on the host stay as they
# are. It can't be given a pid namespace: its BPF programs know it by its pid, to leave its own system calls out.
#
# A variant sets SYSMON_RULES, the name of its configs/sysmon/NAME.xml.
export CONFIGS=$EXECTAX_ROOT/configs/sysmon

# Microsoft's for its Linux repositories: those of before May 2025, and the later ones.
SYSMON_KEYS="https://packages.microsoft.com/keys/microsoft.asc BC528686B50D79E339D3721CEB3E94ADBE1229CF
https://packages.microsoft.com/keys/microsoft-2025.asc AA86F75E427A19DD33346403EE4D7792F748182B"
export VERIFIED_BY="a signature of its repository by one of Microsoft's keys, BC528686B50D79E339D3721CEB3E94ADBE1229CF and AA86F75E427A19DD33346403EE4D7792F748182B"

monitor_requires() {
  requires_binary sysmon "exectax sweep --install, or EXECTAX_SYSMON=/path/to/sysmon"
  requires_binary rsyslogd "package rsyslog"
  sysmon_requires_library
  sysmon_requires_to_be_alone
  sysmon_requires_known_inode
  requires_mounts tracefs
}

sysmon_requires_library() {
  ! monitor_binary sysmon >/dev/null || sysmon_has_library ||
    SKIP_REASONS+=("/opt/sysinternalsEBPF, which sysmon needs, is not installed (package sysinternalsebpf)")
}

sysmon_has_library() { [[ -r /opt/sysinternalsEBPF/sysinternalsEBPFrawSock.o ]]; }

# Before it starts, sysmon ends every other process whose program has its name.
sysmon_requires_to_be_alone() {
  local link
  link=$(find /proc -maxdepth 2 -path '/proc/[0-9]*/exe' \( -lname '*/sysmon' -o -lname '*/sysmon (deleted)' \) -print -quit 2>/dev/null || true)
  if [[ $link =~ ^/proc/([0-9]+)/ ]]; then
    SKIP_REASONS+=("a sysmon is running already (pid ${BASH_REMATCH[1]}), and starting another would end it")
  fi
}

# Linux 6.11 split the inode's times into seconds and nanoseconds. A build that can't read them doesn't load.
sysmon_requires_known_inode() {
  local sysmon
  sysmon=$(monitor_binary sysmon) && [[ -r $sysmon ]] || return 0
  if grep -qaF i_atime_sec /sys/kernel/btf/vmlinux 2>/dev/null && ! grep -qaF i_atime_sec "$sysmon"; then
    SKIP_REASONS+=("this build of sysmon does not know the inode times of Linux 6.11 and later (its CO-RE relocation fails)")
  fi
}

monitor_files() { find /opt/sysinternalsEBPF -maxdepth 1 -type f -name '*.o' 2>/dev/null | sort || true; }

monitor_install() {
  { monitor_binary sysmon >/dev/null && sysmon_has_library; } || sysmon_install_package || return 1
  install_packages rsyslog
}

sysmon_install_package() {
  install_packages curl gpg gpgv || return 1
  in_work_folder sysmon_unpack
}

# From the vendor's package repository. Of sysmonforlinux only the program is taken: its own scripts can start sysmon.
sysmon_unpack() {
  local repository
  # shellcheck source=/dev/null
  repository=$(source /etc/os-release && echo "https://packages.microsoft.com/$ID/$VERSION_ID/prod $VERSION_CODENAME main")
  vendor_packages "$repository" "$SYSMON_KEYS" sysinternalsebpf sysmonforlinux || return 1
  dpkg-deb -x ./sysmonforlinux_*.deb unpacked || return 1
  install_without_starting ./sysinternalsebpf_*.deb || return 1
  install_program unpacked/usr/bin/sysmon sysmon
}

monitor_version() {
  echo "$("$(monitor_binary sysmon)" -h 2>/dev/null | sed -nE 's/^Sysmon v([0-9.]+).*/\1/p')" \
    "(rsyslog $("$(monitor_binary rsyslogd)" -v | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1))"
}

monitor_start() {
  # Asked again: much time can have passed.
  sysmon_requires_to_be_alone
  if ((${#SKIP_REASONS[@]})); then
    echo "${SKIP_REASONS[0]}" >&2
    return 1
  fi
  sysmon_configure
  render "$CONFIGS/rsyslog.conf.in" "$MONITOR_RUN_DIR/rsyslog.conf" LOG_DIR="$MONITOR_LOG_DIR" RUN_DIR="$MONITOR_RUN_DIR"
  # A copy: under its own path, Ubuntu's AppArmor profile lets it write below /var/log only.
  install -m 0755 "$(monitor_binary rsyslogd)" "$MONITOR_LOG_DIR/rsyslogd"
  exec_with_mounts tracefs bash "$EXECTAX_ROOT/lib/monitor/call.sh" "$MONITOR_NAME" sysmon_run
}

sysmon_configure() {
  local rules
  rules=$(rules_of_run)
  render "$CONFIGS/$SYSMON_RULES.xml" "$MONITOR_RUN_DIR/sysmon.xml" RULES="$rules"
}

# On the creation of processes: excluding what never matches leaves everything recorded.
monitor_rules() {
  local rules
  rules=$(rules_from_template "$@") || return 1
  printf '\n%s\n    ' "$rules"
}

# In the private mount namespace, for as long as sysmon runs.
sysmon_run() {
  local rsyslogd sysmon status=0
  sysmon=$(readlink -f "$(monitor_binary sysmon)")
  sysmon_hide_host
  "$MONITOR_LOG_DIR/rsyslogd" -n -f "$MONITOR_RUN_DIR/rsyslog.conf" -i "$MONITOR_LOG_DIR/rsyslogd.pid" &
  rsyslogd=$!
  wait_until 20 test -S /dev/log
  cd /opt/sysmon || return 1
  # Finding no service manager, it goes on in the background by itself, and holds its end of the pipe until it ends.
  stdbuf -oL "$sysmon" -accepteula -i "$MONITOR_RUN_DIR/sysmon.xml" | cat || status=$?
  child_signal TERM "$rsyslogd"
  wait_for_pid "$rsyslogd" 20 || true
  return "$status"
}

sysmon_hide_host() {
  sysmon_hide /dev log shm
  mkdir -m 1777 /dev/shm
  sysmon_hide /opt sysmon
  mkdir /opt/sysmon "$MONITOR_LOG_DIR/sysmon"
  mount --bind "$MONITOR_LOG_DIR/sysmon" /opt/sysmon
  sysmon_hide /etc systemd init.d
}

# sysmon_hide FOLDER NAME...: make FOLDER a folder of links to what it holds, without the NAMEs.
sysmon_hide() {
  local folder=$1 original=$MONITOR_LOG_DIR/host$1 entry
  shift
  mkdir -p "$original"
  mount --rbind "$folder" "$original"
  mount -t tmpfs -o mode=0755 tmpfs "$folder"
  for entry in "$original"/* "$original"/.[!.]*; do
    if [[ -e $entry && " $* " != *" ${entry##*/} "* ]]; then
      ln -s "$entry" "$folder/"
    fi
  done
}

# rsyslogd writes its counters every second, the first time a second after it started.
monitor_ready() {
  grep -qE '<EventID>4<.*>Started<' "$MONITOR_LOG_DIR/syslog" && grep -qF '"main Q"' "$MONITOR_LOG_DIR/rsyslog-stats"
}

monitor_log() { echo "$MONITOR_LOG_DIR/syslog"; }

# sysmon's perf buffer (16384 pages a CPU: 64 MB) overran, or rsyslogd's queue did.
monitor_losses() {
  awk '/^Lost [0-9]+ events on CPU/ { lost += $2 } END { print "sysmon_lost_events", lost + 0 }' "$MONITOR_RUN_DIR/stdout.txt"
  sed -n 's/^.*\({.*"main Q".*}\)$/\1/p' "$MONITOR_LOG_DIR/rsyslog-stats" | tail -n 1 |
    jq -r '"rsyslog_discarded \(.["discarded.full"] + .["discarded.nf"])"'
}

# rsyslogd follows when it has written what it was sent.
monitor_stop() {
  local name pid
  name=$(basename "$(readlink -f "$(monitor_binary sysmon)")")
  for pid in $(cgroup_pids "$MONITOR_CGROUP"); do
    [[ $(<"/proc/$pid/comm") != "${name:0:15}" ]] || cgroup_signal TERM "$MONITOR_CGROUP" "$pid"
  done
}
