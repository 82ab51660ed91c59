# What rule engines cost an event, as Markdown, from the rows of engines.csv.
# Takes: fits (rows of engine-fits.csv), skipped (the manifest's).
include "markdown";
include "shown";

# Three digits that count, with thousands apart: figures from nanoseconds to seconds are in one column.
def digits: if fabs >= 100 then 0 elif fabs >= 10 then 1 else 2 end;
def grouped: tostring | split(".") | (.[0] | [match("^(-?[0-9]{1,3})((?:[0-9]{3})*)$").captures[].string] | .[0] + (.[1] | [scan("...")] | map("," + .) | add // ""))
  + (if .[1] then "." + .[1] else "" end);
def text($digits): . * pow(10; $digits) | round / pow(10; $digits) | . + 0 | grouped;

# A value with half of its interval.
def cost($name; $factor):
  .[$name] as $value | .["\($name)_low"] as $low | .["\($name)_high"] as $high
  | if ($value | type) != "number" then "–" else
      ($value * $factor | digits) as $digits
      | ($value * $factor | text($digits)) + (if ($low | type) == "number" then " ± \(($high - $low) / 2 * $factor | text($digits))" else "" end)
    end;

def slope:
  if . == null or (.slope | type) != "number" then "–"
  elif (.slope_low | type) == "number" and .slope_low <= 0 and .slope_high >= 0 then "not distinguishable from 0 (\(cost("slope"; 1)))"
  else cost("slope"; 1) end;
def bent: . != null and (.bend_low | type) == "number" and (.bend_low > 0 or .bend_high < 0);

def row($figure): . as $line | [$fits[] | select(.module == $line.module and .engine == $line.engine and .signature == $line.signature and .figure == $figure)][0];

"| module | engine | signature | fewest: ns per event | most: ns per event | per signature, ns | CPU time per signature, ns | bytes, allocations per event with the most | compiling one more, µs | memory per signature, KiB | notes |",
"| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
(group_by([.module, .engine, .signature])[] | map(select(.reps > 0)) | select(length > 0) | sort_by(.signatures) | . as $points | .[0] as $first | .[-1] as $last
  | ($first | row("ns")) as $ns | ($first | row("compile_ns")) as $compile | ($first | row("resident_bytes")) as $memory
  | "| \($first.module | md) | \($first.engine | md) | \($first.signature | md) | \($first.signatures): \($first | cost("ns"; 1)) | "
    + (if ($points | length) > 1 then "\($last.signatures): \($last | cost("ns"; 1))" else "–" end)
    + " | \($ns | slope) | \($first | row("cpu_ns") | slope) | \($last | cost("bytes"; 1)), \($last | cost("allocs"; 1))"
    + " | \($compile | if . == null then "–" else cost("slope"; 0.001) end) | \($memory | if . == null then "–" else cost("slope"; 1 / 1024) end)"
    + " | \(if ($ns | bent) then "no line: ns" else "" end) |"),
"",
"ns of elapsed time (CPU time is that of all threads, which collect garbage beside it), bytes and allocations for one event and all signatures together; ± half of the 95 % interval over repetitions, each a process of its own. Per signature: the slope of the line through all repetitions, in which each counts as a share of itself. No line: a quadratic term leaves out zero at 95 %.",
(([.[] | select(.reps == 0) | {name: "\(.module), \(.engine), \(.signatures) × \(.signature)", why: "not measured"}] + [$skipped | to_entries[] | {name: .key, why: "skipped: \(.value)"}]) as $others
  | if $others == [] then empty else "", "Without figures:", ($others[] | "- \(.name | md): \(.why | md)") end)
