# shellcheck shell=bash
export DESCRIPTION="no monitor: the baseline"
export USES="" RECORDS=nothing
export VERIFIED_BY="nothing: it gets nothing"

monitor_requires() { :; }

monitor_install() { :; }

monitor_version() { uname -r; }

# Something must be there to be sampled: a process that does nothing shows that nothing is measured as nothing.
monitor_start() { exec sleep infinity; }

monitor_ready() { :; }

monitor_helpers() { :; }

monitor_log() { :; }

monitor_losses() { :; }

monitor_stop() { monitor_signal TERM; }
