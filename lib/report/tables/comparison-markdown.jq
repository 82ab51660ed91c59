# A comparison as Markdown, for a comment on a change.
include "markdown";
include "compared";
include "shown";
all_md
| . as $all
| ([.comparisons[] | select(worth_showing)]) as $rows
| (if .gate then "**\(if .gate.outcome == "fine" then "Not worse" elif .gate.outcome == "worse" then "Worse" else "Inconclusive" end)** (limit \(.gate.limit_percent) %)", "" else empty end),
  "| monitor | rate | figure | A | B | difference | B to A | verdict |",
  "| --- | ---: | --- | ---: | ---: | ---: | ---: | --- |",
  ($rows[] | "| \(subject) | \(rate_text) | \(.figure), \(.unit | unit_text)"
    + " | \(.unit as $unit | .a | side_text($unit)) | \(.unit as $unit | .b | side_text($unit))"
    + " | \(difference_text) | \(ratio_text) | \(if .verdict == "worse" or .verdict == "better" then "**\(verdict_text)**" else verdict_text end) |"),
  "",
  "Means, ± half of their 95 % intervals.",
  ($all | remarks)
