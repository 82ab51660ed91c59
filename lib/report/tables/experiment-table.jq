# The same as Markdown, from the rows of experiment.csv.
include "markdown";
include "shown";
def figure($column; $digits):
  (.[$column] | shown($digits))
  + (if (.["\($column)_low"] | type) == "number" then " (\(.["\($column)_low"] | shown($digits)) to \(.["\($column)_high"] | shown($digits)))" else "" end);
# Where not every search lost events, what it held before is a lower bound.
def bounded($column): (if (.[$column] | type) == "number" and .whose == "ours" and .with_drops < .searches then "≥ " else "" end) + figure($column; 0);
def words: if . == null or . == "" then "–" else tostring end;
def whose_text: if .whose == "ours" then "ours, \(.monitor); \(.with_drops) of \(.searches) searches lost events" else .whose end;
all_md
| "Beside what was published (profile \($manifest[0].options.profile | md)):",
"",
"| whose | CPUs | memory | driver | buffered | round | EPS with drops | % success | average success EPS | EPS before drops | system calls/s |",
"| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
(.[] | "| \(whose_text) | \(.cpus | words) | \(.memory | words) | \(.driver | words) | \(.buffered | words) | \(.round | shown(0))"
  + " | \(figure("eps_with_drops"; 1)) | \(figure("success_percent"; 2)) | \(figure("success_eps"; 1)) | \(bounded("lossless_eps")) | \(bounded("syscalls_per_sec")) |"),
"",
"Ours are means over the searches, with 95 % intervals (Student's) where there are several; the round is the median. EPS: events per second. EPS with drops, % success and their product are of the first round that loses events; EPS before drops and system calls/s of the round before it, the latter being events of any kind that the monitor says it has seen; ≥: not all searches lost events. The published values have no intervals. Sources: \([.[] | .source | select(. != null and . != "")] | unique | join("; "))."
