# shellcheck shell=bash
# Messages, waiting, options: what all rooms use.

source "$EXECTAX_ROOT/lib/base/log.sh"
source "$EXECTAX_ROOT/lib/base/tree.sh"
source "$EXECTAX_ROOT/lib/base/progress.sh"
source "$EXECTAX_ROOT/lib/base/lines.sh"
source "$EXECTAX_ROOT/lib/base/files.sh"
source "$EXECTAX_ROOT/lib/base/wait.sh"
source "$EXECTAX_ROOT/lib/base/options.sh"
source "$EXECTAX_ROOT/lib/base/schema.sh"
