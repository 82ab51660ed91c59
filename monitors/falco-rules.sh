# shellcheck shell=bash
source "$EXECTAX_ROOT/monitors/families/falco.sh"
export DESCRIPTION="Falco, modern eBPF, with its default rules and an exec rule: each exec as one JSON line"
FALCO_DEFAULT_RULES=yes

monitor_files() { printf '%s\n' "$FALCO_RULES" "$FALCO_CONTAINER_PLUGIN"; }

monitor_requires() {
  falco_requires
  ((${#SKIP_REASONS[@]} == 0)) || return 0
  [[ -r $FALCO_RULES ]] ||
    SKIP_REASONS+=("$FALCO_RULES is not there (package falco, or EXECTAX_FALCO_RULES=/path/to/falco_rules.yaml)")
  # The default rules name containers, which this plugin knows.
  [[ -r $FALCO_CONTAINER_PLUGIN ]] ||
    SKIP_REASONS+=("$FALCO_CONTAINER_PLUGIN is not there (package falco, or EXECTAX_FALCO_CONTAINER_PLUGIN=/path/to/libcontainer.so)")
}
