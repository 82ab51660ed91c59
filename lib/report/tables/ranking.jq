# The ranking as Markdown: a row a monitor, cheapest at the highest rate first.
def shown: if type == "number" then . * 100 | round / 100 | tostring else "–" end;
. as $rows
| ($rows | map(.exec_per_sec | select(. != null and . != "")) | unique) as $rates
| ($rows | group_by(.test) | map({
    test: .[0].test,
    cpu: [ .[] as $row | $rates[] as $rate | select($row.exec_per_sec == $rate) | {rate: $rate, row: $row} ],
    launched: (map(.launched | select(type == "number")) | add),
    lost: (map(.lost | select(type == "number")) | add),
    saturated: map(select(.saturated == "true") | .exec_per_sec),
    problems: (map(select(.status != "ok") | "\(.status): \(.reason)") | unique)
  })) as $tests
| ($tests | map(select(any(.cpu[]; .row.cpu | type == "number"))) | sort_by(.cpu[-1].row.cpu | if type == "number" then . else 1e9 end)) as $measured
| ($tests - $measured) as $others
| "| monitor | " + ($rates | map("\(.)/s") | join(" | ")) + " | lost | notes |",
  "| --- |" + ($rates | map(" ---: |") | join("")) + " ---: | --- |",
  ($measured[], $others[]
    | "| \(.test) | "
      + ([ $rates[] as $rate | first(.cpu[] | select(.rate == $rate) | .row.cpu) // null | shown ] | join(" | "))
      + " | " + (if .lost == null then "–" else "\(.lost) of \(.launched)" end)
      + " | " + ([ (if .saturated != [] then "host saturated at \(.saturated | map("\(.)/s") | join(", "))" else empty end), .problems[] ] | join("; ")) + " |"),
  "",
  "CPU of the monitor, its helpers and its eBPF programs in % of one CPU, median of the repetitions."
