# The objects of estimate.jq as Markdown, a row a monitor.
include "markdown";

# Two significant digits, or whole numbers.
def short: if . == 0 then "0" else (fabs | log10 | floor) as $size | (if $size >= 1 then 0 else 1 - $size end) as $digits | . * pow(10; $digits) | round / pow(10; $digits) | . + 0 | tostring end;
def ends: "\(.low | short) to \(.high | short)";
def cost_text:
  if . == null then "–"
  elif (.value | type == "number") and (.low | type == "number") then "\(.value | short) (\(ends))"
  elif .value | type == "number" then .value | short
  elif .low | type == "number" then ends
  else "–" end;
def rate: . * 10 | round / 10 | tostring + "/s";
def how_text:
  [ (if .where == "measured" then "measured at \(.from_per_sec | rate)"
     elif .where == "between" then "between \(.from_per_sec | rate) and \(.to_per_sec | rate)"
     elif .where == "below" then "below the measured rates, from \(.lowest_per_sec | rate) on"
     elif .where == "above" then "above the measured rates, up to \(.highest_per_sec | rate): not estimated"
     else .reason end),
    (if .without_syscalls and $asked_syscalls and .where != "unknown" then "system calls not measured" else empty end) ] | join("; ");
all_md
| . as $rows
| any($rows[]; .where == "below") as $below
| "| monitor | CPU | daemon | services | executed and executing programs | other system calls | how |",
  "| --- | ---: | ---: | ---: | ---: | ---: | --- |",
  ($rows[] | "| \(.test) | \(.cpu | cost_text) | \(.daemon | cost_text) | \(.helpers | cost_text) | \(.programs | cost_text) | \(.syscalls | cost_text) | \(how_text) |"),
  "",
  "% of one CPU, with 95 % intervals where the run has them. Between two measured rates, what an execution costs follows a line in the logarithm of the rate."
  + (if $below then " Below them there is no interval but a range: an execution costs no less than at the lowest measured rate, and all of them together no more than there. To measure it: exectax sweep --rates with lower ones." else "" end)
