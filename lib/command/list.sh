# shellcheck shell=bash
# exectax list

list_usage() {
  cat <<'TEXT'
Usage: exectax list [--verbose]
List all monitors: can it run on this host, and if not, why not.

  --verbose       also how long building it takes, what it records, the kinds of rules that can be added, its knobs, and how its download is verified
  --help          this text

Examples:
  exectax list
  exectax list --verbose | less

Exit status: 0 done; 2 bad option.
TEXT
}

list_main() {
  local monitor reason
  options_set verbose no
  options_read list verbose options_set "$@"
  options_check_arguments list 0 "options only"
  host_require_root "exectax list" "it asks the audit subsystem and others what can be measured"
  monitor_names | while IFS= read -r monitor; do
    reason=$(monitor_obstacles "$monitor")
    printf '%-18s %-4s %s\n' "$monitor" "$([[ -n $reason ]] && echo no || echo yes)" "$(monitor_fact "$monitor" description)"
    [[ -z $reason ]] || printf '%-23s because: %s\n' '' "$reason"
    [[ ${OPTIONS[verbose]} == no ]] || list_details "$monitor"
  done
}

# How its download is verified, and what it can be asked for by `exectax saturate` and `exectax rules`.
list_details() {
  local name values what actions rules minutes
  actions=$(monitor_fact "$1" actions)
  [[ $(monitor_fact "$1" records) != nothing ]] || actions=nothing
  printf '%-23s verified by: %s\n' '' "$(monitor_fact "$1" verified_by)"
  minutes=$(monitor_fact "$1" build_minutes)
  [[ -z $minutes ]] || printf '%-23s building it takes: about %s min, where it does not come ready (exectax sweep --install all)\n' '' "$minutes"
  printf '%-23s records: %s\n' '' "$actions"
  rules=$(monitor_fact "$1" rules)
  [[ -z $rules ]] || printf '%-23s rules: %s\n' '' "$rules"
  monitor_knobs "$1" | while read -r name values what; do
    printf '%-23s --vary %s=%s: %s\n' '' "$name" "$values" "$what"
  done
}
