# shellcheck shell=bash
# From a run's raw files to its tables and pictures.

source "$EXECTAX_ROOT/lib/report/report.sh"
source "$EXECTAX_ROOT/lib/report/results.sh"
source "$EXECTAX_ROOT/lib/report/saturation.sh"
source "$EXECTAX_ROOT/lib/report/rules.sh"
source "$EXECTAX_ROOT/lib/report/engines.sh"
source "$EXECTAX_ROOT/lib/report/estimate.sh"
source "$EXECTAX_ROOT/lib/report/profile.sh"
source "$EXECTAX_ROOT/lib/report/pictures.sh"
source "$EXECTAX_ROOT/lib/report/plot.sh"
source "$EXECTAX_ROOT/lib/report/html.sh"
source "$EXECTAX_ROOT/lib/report/comparison.sh"
source "$EXECTAX_ROOT/lib/report/series.sh"
source "$EXECTAX_ROOT/lib/report/fleet.sh"
source "$EXECTAX_ROOT/lib/report/cluster.sh"
