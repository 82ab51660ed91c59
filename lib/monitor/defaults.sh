# shellcheck shell=bash
# What a monitor is and does where its script says nothing else: sourced before the script. What has no default here, a
# script has to define (script_problems).

DESCRIPTION='' USES='' RECORDS=exec KNOBS='' RULES='' RULES_MAX='' SETS='' BUILD_MINUTES='' REFERENCE=no
VERIFIED_BY="the distribution's signature"

monitor_requires() { :; }

# What cannot be installed stays an obstacle, if monitor_requires asks for it.
monitor_install() { :; }

monitor_files() { :; }

monitor_version() { echo unknown; }

monitor_helpers() { :; }

monitor_losses() { :; }

# Not known.
monitor_rules_loaded() { :; }

monitor_stop() { monitor_signal TERM; }

# Once the script is known. A monitor that records executions is shown a tagged one before it is measured, and that this is
# in the log shows that the monitor was ready: what it needs is a log. Nothing would show it of a monitor that records
# nothing, so there is no default for that.
defaults_complete() {
  [[ $RECORDS == nothing ]] || declare -F monitor_ready >/dev/null || monitor_ready() { [[ -n $(monitor_log) ]]; }
}
