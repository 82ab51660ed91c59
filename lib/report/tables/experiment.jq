# A published experiment repeated: rows of ours, from those of rounds.csv, each before the published rows that it can be compared with.
# Takes $published, rows of published.csv. A published row is of the same CPUs and memory, and of the same knobs as far as both say them.
include "median";
include "student";

def figures: ["eps_with_drops", "success_percent", "success_eps", "lossless_eps", "syscalls_per_sec"];
def is_known: . != null and . != "";

def knobs: (.knobs // "" | tostring | split(" ") | map(select(contains("=")) | split("=") | {(.[0]): .[1]}) | add) // {};

# Of one search: the first lossy round, which ends the way up, and the last round before it, in which nothing was lost.
def search:
  sort_by(.round) as $rounds
  | ($rounds | map(select(.verdict == "lossy")) | .[0]) as $dropped
  | ($rounds | map(select((.verdict | IN("clean", "host-saturated", "load-limited")) and ($dropped == null or .round < $dropped.round))) | .[-1]) as $before
  | { round: $dropped.round?, eps_with_drops: $dropped.achieved_per_sec?, success_percent: $dropped.recorded_percent?,
      success_eps: (if $dropped != null and all($dropped | .achieved_per_sec, .recorded_percent; type == "number") then $dropped.achieved_per_sec * $dropped.recorded_percent / 100 else null end),
      lossless_eps: $before.achieved_per_sec?, syscalls_per_sec: $before.kernel_events_per_sec? };

def ours:
  .[0] as $any
  | [group_by(.rep)[] | search] as $searches
  | {
      whose: "ours", test: $any.test, monitor: $any.monitor, cpus: $any.cpus, memory: $any.memory,
      driver: ($any | knobs.driver), buffered: ($any | knobs.buffered),
      searches: ($searches | length), with_drops: ($searches | map(select(.round | type == "number")) | length),
      round: ($searches | map(.round | numbers) | median)
    }
  + ([figures[] as $figure | ($searches | map(.[$figure]) | mean_interval(if $figure == "success_percent" then 100 else infinite end)) as $mean
      | {($figure): $mean.value, "\($figure)_low": $mean.low, "\($figure)_high": $mean.high}] | add)
  # A search that lost nothing tells no more than that it could have been more.
  | if .with_drops < .searches then . + {lossless_eps_low: null, lossless_eps_high: null, syscalls_per_sec_low: null, syscalls_per_sec_high: null} else . end;

def theirs:
  {whose: "published, \(.place)", test: null, monitor: null, cpus, memory, driver, buffered, searches: null, with_drops: null, round}
  + ([figures[] as $figure | {($figure): .[$figure], "\($figure)_low": null, "\($figure)_high": null}] | add) + {source};

def is_like($round):
  . as $row | ($round | knobs) as $knobs
  | (.cpus | tostring) == ($round.cpus | tostring) and (.memory | tostring) == ($round.memory | tostring)
    and all(keys[] | select(startswith("knob_")); . as $key | ltrimstr("knob_") as $knob
      | ($row[$key] | is_known | not) or $knobs[$knob] == null or ($row[$key] | tostring) == $knobs[$knob]);

[group_by(.test)[]] as $tests
| [ ($tests[] | .[0] as $any | ours, ($published[] | select(is_like($any)) | theirs)),
    # What there was nothing like here.
    ($published[] | . as $row | select(all($tests[]; .[0] as $any | $row | is_like($any) | not)) | theirs) ]
| map({source: null} + .)
