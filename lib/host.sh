# shellcheck shell=bash
# The host: what is changed on it, and how it is put back.

source "$EXECTAX_ROOT/lib/host/container.sh"
source "$EXECTAX_ROOT/lib/host/host.sh"
source "$EXECTAX_ROOT/lib/host/exempt.sh"
source "$EXECTAX_ROOT/lib/host/disk.sh"
source "$EXECTAX_ROOT/lib/host/cgroup.sh"
source "$EXECTAX_ROOT/lib/host/watch.sh"
source "$EXECTAX_ROOT/lib/host/take.sh"
source "$EXECTAX_ROOT/lib/host/audit.sh"
source "$EXECTAX_ROOT/lib/host/journald.sh"
source "$EXECTAX_ROOT/lib/host/units.sh"
source "$EXECTAX_ROOT/lib/host/refuse.sh"
source "$EXECTAX_ROOT/lib/host/install.sh"
source "$EXECTAX_ROOT/lib/host/download.sh"
source "$EXECTAX_ROOT/lib/host/build.sh"
source "$EXECTAX_ROOT/lib/host/module.sh"
source "$EXECTAX_ROOT/lib/host/limits.sh"
