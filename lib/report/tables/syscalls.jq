# What a system call costs more under each monitor, as Markdown, a row a monitor by name: with no order by cost, nothing is ranked that may be tied.
# Nothing without a window T.
include "markdown";
include "shown";
def added_text:
  mean_text("added_ns"; 0) as $text
  | (if (.added_ns_low | type == "number") and .added_ns_low <= 0 and .added_ns_high >= 0 then "not distinguishable from none: \($text)" else $text end)
    + " (\(.without_ns | shown(0)) → \(.with_ns | shown(0)))";
. as $rows
| ([$rows[] | select(.reps > 0).call] | reduce .[] as $call ([]; if index([$call]) then . else . + [$call] end)) as $calls
| any($rows[]; .added_ns_low | type == "number") as $intervals
| if $rows == [] then empty else
    "| monitor | " + ($calls | map("\(md) | ") | join("")) + "how it was got | notes |",
    "| --- |" + ($calls | map(" ---: |") | join("")) + " --- | --- |",
    ($rows | group_by(.test)[]
      | (map({key: .call, value: .}) | from_entries) as $of
      | "| \(.[0].test | md) | "
        + ([$calls[] | $of[.] // {} | if .added_ns | type == "number" then added_text else "–" end + " | "] | join(""))
        + "\(.[0].way | md) | \(map(.reason | strings | select(. != "") | md) | unique | join("; ")) |"),
    "",
    "ns of CPU time that a system call takes more in a program that executes nothing (without → with the monitor): means\(if $intervals then ", ± half of their 95 % intervals" else "" end). Side by side or switched: with and without at the same time; apart: against the starts of none in the same repetition. open-close are two calls."
    + (if any($rows[]; .reps == 1) then " What is from a single start says nothing of how starts differ: side by side and switched, that is not in the interval, and apart there is none." else "" end)
  end
