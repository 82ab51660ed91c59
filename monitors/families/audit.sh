# shellcheck shell=bash
# What every monitor that owns the kernel's audit socket has in common.
export USES="audit"
# Whatever reads the records, the rules are auditctl's.
export RULES=$EXECTAX_ROOT/configs/audit
export SETS=audit

monitor_ready() { audit_owned_by_cgroup "$MONITOR_CGROUP"; }

monitor_helpers() {
  echo "kthread kauditd"
  if journald_reads_audit; then
    echo "unit systemd-journald.service"
    echo "unit rsyslog.service"
  fi
}

# Records that the kernel dropped because its backlog was full (one exec is several records).
monitor_losses() { echo "kernel_audit_lost $(audit_status lost)"; }

# monitor_unwatch [GID [OLD]]: of what is forked from now on, members of that group are not audited; those of OLD, which were not, are
# again.
monitor_unwatch() {
  [[ -z ${1:-} ]] || auditctl -A never,task -F "gid=$1" >/dev/null
  [[ -z ${2:-} ]] || auditctl -d never,task -F "gid=$2" >/dev/null
}

# What this run adds before the rule that records executions, and after it.
audit_rules_before() { [[ ${MONITOR_RULES:-} == "recorded-first "* ]] || rules_of_run; }
audit_rules_after() { [[ ${MONITOR_RULES:-} != "recorded-first "* ]] || rules_of_run; }

# audit_rules KIND COUNT: for auditctl, one a line. Files that are watched have to be there: the kernel finds a watch by its file.
audit_rules() {
  local -i i
  case $1 in
    watches | paths)
      mkdir -p "$MONITOR_LOG_DIR/watched" || return 1
      for ((i = 1; i <= $2; i++)); do
        : >"$MONITOR_LOG_DIR/watched/$i" || return 1
      done
      ;;
    calls-*)
      # Of the 2048 numbers that a rule can name, those above 1000 are nobody's.
      if (($2 > 999)); then
        echo "a rule can name 999 system calls that nobody makes, expected no more" >&2
        return 1
      fi
      if [[ $1 == calls-together ]]; then
        rules_from_template "$1" 1 CALLS="$(seq -s , 1001 $((1000 + $2)))"
        return
      fi
      ;;
  esac
  rules_from_template "$1" "$2" LOG_DIR="$MONITOR_LOG_DIR"
}

# Those of them that the kernel has, of a set by how auditctl showed them when they were tried; of one rule on several system calls, how many these
# are.
monitor_rules_loaded() {
  if [[ -n ${MONITOR_SET:-} ]]; then
    auditctl -l | grep -cFx -f "$MONITOR_SET-loaded" || true
    return
  fi
  auditctl -l | awk -v together="$([[ ${MONITOR_RULES:-} != "calls-together "* ]] || echo yes)" '
    /(key=|-k )exectax-[0-9]+$/ { loaded += together && match($0, /-S [0-9,]+/) ? split(substr($0, RSTART, RLENGTH), calls, ",") : 1 }
    END { print loaded + 0 }'
}

# audit_load_rules NAME BACKLOG: the rules of NAME.rules, and those for other actions of the load generator, of which it
# alone is watched: every process opens files. auditctl refuses files that root doesn't own, which a checkout's needn't be.
# They take effect once the daemon switches auditing on.
audit_load_rules() {
  local actions file before after
  local -a files
  before=$(audit_rules_before)
  after=$(audit_rules_after)
  render "$CONFIGS/$1.rules" "$MONITOR_RUN_DIR/audit.rules" BACKLOG="$2" RULES_BEFORE="$before" RULES_AFTER="$after"
  actions=$(action_files)
  split_lines files "$actions"
  for file in "${files[@]}"; do
    render "$file" "$MONITOR_RUN_DIR/action.rules" EXECRATE="$EXECTAX_ROOT/build/execrate"
    cat "$MONITOR_RUN_DIR/action.rules" >>"$MONITOR_RUN_DIR/audit.rules"
  done
  auditctl -R "$MONITOR_RUN_DIR/audit.rules" >/dev/null
}
