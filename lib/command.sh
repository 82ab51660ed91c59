# shellcheck shell=bash
# One file a subcommand: its options, its help, the calls it makes.

source "$EXECTAX_ROOT/lib/command/options.sh"
source "$EXECTAX_ROOT/lib/command/saturate-options.sh"
source "$EXECTAX_ROOT/lib/command/commands.sh"
