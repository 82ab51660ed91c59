# The changes of series as text, for a table; a series without one has a row as well.
include "markdown";
include "compared";
include "shown";
def day: todate[0:16] | sub("T"; " ");
def unit: if test("_us$") then "µs" elif test("_bytes$") then "MiB" elif . == "cpu" or test("_cpu$|_overhead") then "%" else "" end;
def text_of($column): (if $column | test("_bytes$") then . / 1048576 else . end) | number_text;
all_plain
| [.[] | . as $series | (.column | unit) as $unit
  | {monitor: .test, rate: rate_text, figure: "\(.figure)\(if $unit == "" then "" else ", " + $unit end)", runs: (.points | length)} as $head
  | if .changes == [] then $head + {changed: "no change found", before: (.points | map(.value) | add / length | text_of($series.column)), after: "–", difference: "–", p: "–"}
    else .changes[] | $head + {changed: "\(.at | day) (\(.run))", before: (.before | text_of($series.column)), after: (.after | text_of($series.column)),
      difference: (if .difference.low | type == "number" then "\(.difference.value | text_of($series.column)) ± \((.difference.high - .difference.low) / 2 | text_of($series.column))" else .difference.value | text_of($series.column) end),
      p: .p} end]
