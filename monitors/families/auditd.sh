# shellcheck shell=bash
# auditd in the foreground with a configuration of its own. A variant sets AUDITD_LOG_FORMAT and AUDITD_RULES.
source "$EXECTAX_ROOT/monitors/families/audit.sh"

export CONFIGS=$EXECTAX_ROOT/configs/audit
export KNOBS="backlog 8192,N records that wait in the kernel at most
flush INCREMENTAL_ASYNC,INCREMENTAL,NONE,DATA,SYNC how auditd gets its log onto the disk
priority_boost 4,N by how much auditd's scheduling priority is raised (nice)"

AUDITD_LOG_FORMAT=RAW
AUDITD_WRITE_LOGS=yes
AUDITD_RULES="exec"

auditd_binary() { monitor_binary auditd; }

monitor_requires() {
  requires_audit
  requires_binary auditd "package auditd, or EXECTAX_AUDITD=/path/to/auditd"
}

monitor_install() { install_packages auditd; }

# auditd has no option that prints its version; auditctl comes from the same package.
monitor_version() {
  if [[ -n ${EXECTAX_AUDITD:-} ]]; then
    echo "$EXECTAX_AUDITD"
  else
    auditctl -v | awk '{ print $NF }'
  fi
}

auditd_configure() {
  mkdir -p "$MONITOR_RUN_DIR/plugins.d" "$MONITOR_LOG_DIR/audit"
  render "$CONFIGS/auditd.conf.in" "$MONITOR_RUN_DIR/auditd.conf" \
    WRITE_LOGS="$AUDITD_WRITE_LOGS" LOG_FORMAT="$AUDITD_LOG_FORMAT" \
    FLUSH="$(knob flush)" PRIORITY_BOOST="$(knob priority_boost)" \
    LOG_DIR="$MONITOR_LOG_DIR/audit" PLUGIN_DIR="$MONITOR_RUN_DIR/plugins.d"
}

monitor_rules() { audit_rules "$@"; }

# It writes its pid and state to /run, where the host's own auditd has them, and leaves them there when it is killed.
auditd_exec() { exec_with_mounts run "$(auditd_binary)" -n -c "$MONITOR_RUN_DIR"; }

monitor_start() {
  auditd_configure
  audit_load_rules "$AUDITD_RULES" "$(knob backlog)"
  auditd_exec
}

monitor_log() { echo "$MONITOR_LOG_DIR/audit/audit.log"; }
