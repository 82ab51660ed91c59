# shellcheck shell=bash
# Switching a monitor off and on, several times a second, for its script's monitor_switch.

# switch_phases SECONDS PHASE_US: monitor_switch off and on, for phases of that length, in the orders ABBA and BAAB, drawn at random: neither
# a drift nor what happens at a steady pace falls to one of the two. What is unwatched from when to when, `all|none,FROM_US,TO_US` a line, CLOCK_REALTIME. It is on
# at the end.
switch_phases() {
  local -i until=0 now
  local order watched=none next phase
  printf -v phase '%d.%06d' $(($2 / 1000000)) $(($2 % 1000000))
  trap 'monitor_switch on' EXIT
  while ((until == 0 || now < until)); do
    order="none all all none"
    ((RANDOM % 2)) || order="all none none all"
    for next in $order; do
      if [[ $next != "$watched" ]]; then
        monitor_switch "$([[ $next == none ]] && echo on || echo off)"
        watched=$next
      fi
      now=$(now_us)
      # The first switch may take long.
      ((until)) || until=$((now + $1 * 1000000))
      pause "$phase"
      printf '%s,%d,%s\n' "$next" "$now" "$(now_us)"
    done
    now=$(now_us)
  done
}
