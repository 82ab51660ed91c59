# The same as Markdown, from the rows of experiment.csv.
include "shown";
def figure($column; $digits):
  (.[$column] | shown($digits))
  + (if (.["\($column)_low"] | type) == "number" then " (\(.["\($column)_low"] | shown($digits)) to \(.["\($column)_high"] | shown($digits)))" else "" end);
def words: if . == null or . == "" then "–" else tostring end;
def whose_text: if .whose == "ours" then "ours, \(.monitor); \(.with_drops) of \(.searches) searches lost events" else .whose end;
"Beside what was published (profile \($manifest[0].options.profile)):",
"",
"| whose | CPUs | memory | driver | buffered | round | EPS with drops | % success | average success EPS | EPS before drops | system calls/s |",
"| --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
(.[] | "| \(whose_text) | \(.cpus | words) | \(.memory | words) | \(.driver | words) | \(.buffered | words) | \(.round | shown(0))"
  + " | \(figure("eps_with_drops"; 1)) | \(figure("success_percent"; 2)) | \(figure("success_eps"; 1)) | \(figure("lossless_eps"; 0)) | \(figure("syscalls_per_sec"; 0)) |"),
"",
"Ours are means over the searches, with 95 % intervals (Student's) where there are several; the round is the median. EPS: events per second. EPS with drops, % success and their product are of the first round that loses events; EPS before drops and system calls/s of the round before it, the latter being events of any kind that the monitor says it has seen. The published values have no intervals. Sources: \([.[] | .source | select(. != null and . != "")] | unique | join("; "))."
