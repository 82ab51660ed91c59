# A search as published experiments tell it: what its rounds on the way up found.

def figures: ["eps_with_drops", "success_percent", "success_eps", "lossless_eps", "syscalls_per_sec"];
def knobs: (.knobs // "" | tostring | split(" ") | map(select(contains("=")) | split("=") | {(.[0]): .[1]}) | add) // {};

# Of one search: the first lossy round, which ends the way up, and the last round before it, in which nothing was lost.
def search:
  sort_by(.round) as $rounds
  | ($rounds | map(select(.verdict == "lossy")) | .[0]) as $dropped
  | ($rounds | map(select((.verdict | IN("clean", "host-saturated", "load-limited")) and ($dropped == null or .round < $dropped.round))) | .[-1]) as $before
  | { round: $dropped.round?, eps_with_drops: $dropped.achieved_per_sec?, success_percent: $dropped.recorded_percent?,
      success_eps: (if $dropped != null and all($dropped | .achieved_per_sec, .recorded_percent; type == "number") then $dropped.achieved_per_sec * $dropped.recorded_percent / 100 else null end),
      lossless_eps: $before.achieved_per_sec?, syscalls_per_sec: $before.kernel_events_per_sec? };
