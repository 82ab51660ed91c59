# CPU by rate as Markdown, a row a monitor, and what has no figures below.
# Takes: differences (rows of differences.csv).
include "markdown";
include "shown";
include "ranks";
. as $rows
| ($rows | map(.exec_per_sec | numbers) | unique) as $rates
| ($rows | group_by(.test) | map({
    test: .[0].test,
    at: (map({key: "\(.exec_per_sec)", value: .}) | from_entries),
    launched: (map(.launched | numbers) | add),
    lost: (map(.lost | numbers) | add),
    saturated: map(select(.saturated == "true") | .exec_per_sec),
    problems: (map(select(.status != "ok") | "\(.status): \(.reason)" | md) | unique)
  })) as $tests
| ($tests | map(select(any(.at[]; .cpu | type == "number")))) as $measured
| ($tests - $measured) as $others
| ($rows | unsaturated_rate) as $rate
| ($measured | map(.test) - ["none"] | ranks($differences; "cpu"; $rate)) as $ranks
| ($measured | sort_by($ranks[.test].best // 0, $ranks[.test].worst // 0, .test)) as $measured
| "| monitor | rank\(if $rate then " at \($rate)/s" else "" end) | \($rates | map(rate_head) | join(" | ")) | lost | notes |",
  "| --- | ---: |" + ($rates | map(" ---: |") | join("")) + " ---: | --- |",
  ($measured[]
    | "| \(.test | md) | \(if $rate and $ranks[.test] and ($differences | length > 0) then $ranks[.test] | rank_text else "–" end) | "
      + ([. as $test | $rates[] | $test.at["\(.)"] // {} | mean_text("cpu"; 2)] | join(" | "))
      + " | " + (if .lost == null then "–" else "\(.lost) of \(.launched)" end)
      + " | " + ([ (if .saturated != [] then "host saturated at \(.saturated | map("\(.)/s") | join(", "))" else empty end), .problems[] ] | join("; ")) + " |"),
  "",
  "CPU of the monitor, its helpers and its eBPF programs in % of one CPU: mean of the passes, ± half of its 95 % interval\(if $differences == [] then " (none here: too little was measured)" else "" end).\(if $rate then " Rank: at \($rate)/s, the highest rate at which no monitor saturated the host. Monitors without a significant difference share ranks." else "" end)",
  (if $others == [] then empty else "", "Without figures:", ($others[] | "- \(.test | md): \(.problems | join("; "))") end)
