# CPU by rate as Markdown, a row a monitor: the ranked ones first, then what is not ranked, and why; and what has no figures below.
# Takes: rate (at which they are ranked), ranks (rows of ranks.csv).
include "markdown";
include "shown";
include "ranks";
. as $rows
| ($rows | map(.exec_per_sec | numbers) | unique) as $rates
| ($ranks | ranks($rate)) as $ranks
| cpu_figure as $figure
| ($rows | group_by(.test) | map({
    test: (.[0].test | tostring),
    at: (map({key: "\(.exec_per_sec)", value: .}) | from_entries),
    launched: (map(.launched | numbers) | add),
    lost: (map(.lost | numbers) | add),
    saturated: map(select(.saturated == "true") | .exec_per_sec),
    problems: (map(select(.status != "ok") | "\(.status): \(.reason)" | md) | unique)
  })) as $tests
| ($tests | map(select(any(.at[]; (.[$figure] | type == "number") or (.cpu | type == "number"))))) as $measured
| ($tests - $measured) as $others
| ($measured | map(select(.test != "none")) | by_rank($ranks)) as $shown
| "| monitor | rank\(if $rate > 0 then " at \($rate)/s" else "" end) | \($rates | map(rate_head) | join(" | ")) | lost | notes |",
  "| --- | ---: |" + ($rates | map(" ---: |") | join("")) + " ---: | --- |",
  ($shown[]
    | "| \(.test | md) | \($ranks[.test] | rank_text) | "
      + ([. as $test | $rates[] | $test.at["\(.)"] // {} | mean_text($figure; 2)] | join(" | "))
      + " | " + (if .lost == null then "–" else "\(.lost) of \(.launched)" end)
      + " | " + ([ ($ranks[.test].apart // "" | select(. != "") | md), (if .saturated != [] then "host saturated at \(.saturated | map("\(.)/s") | join(", "))" else empty end), .problems[] ] | join("; ")) + " |"),
  "",
  (if $figure == "cpu" then "CPU of the monitor, its services and its eBPF programs in % of one CPU" else "CPU that the whole machine takes more than without a monitor, in % of one CPU" end)
    + ": mean of the passes, ± half of its 95 % interval."
    + (if any($ranks[]; is_ranked) then " Rank: by the total at \($rate)/s; monitors without a significant difference share ranks." else "" end),
  (if $others == [] then empty else "", "Without figures:", ($others[] | "- \(.test | md): \(.problems | join("; "))") end)
