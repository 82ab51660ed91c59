# A published experiment repeated: rows of ours, from those of rounds.csv, each before the published rows that it can be compared with.
# Takes $published, rows of published.csv. A published row is of the same CPUs and memory, and of the same knobs as far as both say them.
include "median";
include "student";
include "way-up";

def is_known: . != null and . != "";

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
