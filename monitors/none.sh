# shellcheck shell=bash
export DESCRIPTION="no monitor: the baseline"
export RECORDS=nothing
export VERIFIED_BY="nothing: it gets nothing"

monitor_version() { uname -r; }

# Something must be there to be sampled: a process that does nothing shows that nothing is measured as nothing.
monitor_start() { exec sleep infinity; }

monitor_ready() { :; }
