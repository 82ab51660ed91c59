# shellcheck shell=bash
# One file a subcommand: its options, its help, the calls it makes.

source "$EXECTAX_ROOT/lib/command/run-options.sh"
source "$EXECTAX_ROOT/lib/command/list.sh"
source "$EXECTAX_ROOT/lib/command/sweep.sh"
source "$EXECTAX_ROOT/lib/command/doctor.sh"
source "$EXECTAX_ROOT/lib/command/saturate.sh"
source "$EXECTAX_ROOT/lib/command/rules.sh"
source "$EXECTAX_ROOT/lib/command/engines.sh"
source "$EXECTAX_ROOT/lib/command/cluster.sh"
source "$EXECTAX_ROOT/lib/command/report.sh"
source "$EXECTAX_ROOT/lib/command/estimate.sh"
source "$EXECTAX_ROOT/lib/command/compare.sh"
source "$EXECTAX_ROOT/lib/command/plot.sh"
source "$EXECTAX_ROOT/lib/command/publish.sh"
source "$EXECTAX_ROOT/lib/command/restore.sh"
