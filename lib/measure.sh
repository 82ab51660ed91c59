# shellcheck shell=bash
# Measuring: plan, cells, runs. Writes raw files.

source "$EXECTAX_ROOT/lib/measure/plan.sh"
source "$EXECTAX_ROOT/lib/measure/search.sh"
source "$EXECTAX_ROOT/lib/measure/meter.sh"
source "$EXECTAX_ROOT/lib/measure/profile.sh"
source "$EXECTAX_ROOT/lib/measure/side.sh"
source "$EXECTAX_ROOT/lib/measure/cell.sh"
source "$EXECTAX_ROOT/lib/measure/block.sh"
source "$EXECTAX_ROOT/lib/measure/manifest.sh"
source "$EXECTAX_ROOT/lib/measure/resume.sh"
source "$EXECTAX_ROOT/lib/measure/calibration.sh"
source "$EXECTAX_ROOT/lib/measure/run.sh"
source "$EXECTAX_ROOT/lib/measure/sweep.sh"
source "$EXECTAX_ROOT/lib/measure/saturate.sh"
