# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/falco.sh"
export DESCRIPTION="Falco, modern eBPF, with an exec rule alone: each exec as one JSON line"
