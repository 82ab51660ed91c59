# shellcheck shell=bash
# exectax list

list_main() {
  local monitor reason verbose=no
  if [[ ${1:-} == --verbose ]]; then
    verbose=yes
    shift
  fi
  (($# == 0)) || die_usage "list: unexpected argument '$1', expected --verbose or nothing"
  host_require_root "exectax list" "it asks the audit subsystem and others what can be measured"
  monitor_names | while IFS= read -r monitor; do
    reason=$(monitor_obstacles "$monitor")
    printf '%-18s %-4s %s\n' "$monitor" "$([[ -n $reason ]] && echo no || echo yes)" "$(monitor_fact "$monitor" description)"
    [[ -z $reason ]] || printf '%-23s because: %s\n' '' "$reason"
    [[ $verbose == no ]] || list_details "$monitor"
  done
}

# How its download is verified, and what it can be asked for by `exectax saturate`.
list_details() {
  local name values what actions
  actions=$(monitor_fact "$1" actions)
  [[ $(monitor_fact "$1" records) != nothing ]] || actions=nothing
  printf '%-23s verified by: %s\n' '' "$(monitor_fact "$1" verified_by)"
  printf '%-23s records: %s\n' '' "$actions"
  monitor_knobs "$1" | while read -r name values what; do
    printf '%-23s --vary %s=%s: %s\n' '' "$name" "$values" "$what"
  done
}
