# Several hosts beside each other, as Markdown.
include "markdown";
include "fleet-words";
include "shown";

# More rows than that are read in the tables.
def most_rows: 100;
all_md
| .rate as $rate
| [.costs[] | select(.exec_per_sec == $rate)] as $costs
| "| host | distribution | kernel | CPUs | run | remarks |", "| --- | --- | --- | --- | --- | --- |",
  (.hosts[] | "| \(.host) | \(.os // "–") | \(.kernel // "–") | \(if .cpus then "\(.cpus) × \(.cpu_model)" else "–" end) | \(.state // "–") | \(.why // (if .skipped != {} then "skipped: \(.skipped | keys | join(", "))" else "" end)) |"),
  "",
  (if $costs == [] then "No monitor was measured on these hosts."
   elif ($costs | length) > most_rows then "What each monitor costs on each host is in costs.csv, \($costs | length) rows at \($rate)/s."
   else
     "| monitor | host | of an execution, % | counted, µs | remarks |", "| --- | --- | ---: | ---: | --- |",
     ($costs | sort_by(.test, .host)[]
       | "| \(.test) | \(.host) | \(with_bounds("counted_overhead"; 1)) | \(with_bounds("counted_us"; 0)) | \(if .saturated == "true" then "host saturated" elif (.status // "ok") != "ok" then "\(.status): \(.reason)" else "" end) |") end),
  "",
  "| monitor | rate | hosts | lowest, % | highest, % | between hosts, % |", "| --- | ---: | ---: | --- | --- | --- |",
  (.spreads[] | "| \(.test) | \(.exec_per_sec)/s | \(.hosts) | \(if .lowest_host then "\(.lowest | shown(1)) (\(.lowest_host))" else "–" end) | \(if .highest_host then "\(.highest | shown(1)) (\(.highest_host))" else "–" end) | \(spread_text) |"),
  "",
  "Cost: counted, in % of what an execution costs without a monitor on the same host, with its 95 % interval at \($rate)/s. Between hosts: the standard deviation of the hosts' costs, without the errors of measuring them, with its 95 % interval; what runs on one host differ by is in it.",
  (if .orders == [] then "No two monitors change places from one host to another beyond their 95 % intervals."
   else (.orders | sort_by(.chance, .exec_per_sec)[] | "At \(.exec_per_sec)/s, \(sides_text)") end)
