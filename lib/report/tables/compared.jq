# Comparisons in words.
include "shown";

def monitor_of: sub("@.*$"; "");

# What is compared with what: a monitor, builds of one, or two monitors.
def subject:
  if .a.test == .b.test then .a.test
  elif (.a.test | monitor_of) == (.b.test | monitor_of) then
    if (.a.test | test("@")) and (.b.test | test("@")) then "\(.a.test | monitor_of): \(.a.test | sub("^[^@]*@"; "")) → \(.b.test | sub("^[^@]*@"; ""))"
    else "\(.a.test) → \(.b.test)" end
  else "\(.a.test) → \(.b.test)" end;

# In the unit that is shown, and that unit. Bytes are many.
def scale: if . == "bytes" then 1 / 1048576 else 1 end;
def unit_text: if . == "bytes" then "MiB" elif . == "µs per execution" then "µs" elif . == "% of one CPU" then "%" else . end;

def digits: fabs | if . >= 100 then 0 elif . >= 10 then 1 elif . >= 1 then 2 else 3 end;
def number_text: . as $number | if type == "number" then shown($number | digits) else "–" end;
def signed: if type == "number" and . > 0 then "+" + number_text else number_text end;

# value ± half of its interval, in a unit.
def mean_of($unit):
  ($unit | scale) as $scale
  | if .value == null then "–"
    elif .low == null then "\(.value * $scale | number_text)"
    else "\(.value * $scale | number_text) ± \((.high - .low) / 2 * $scale | number_text)" end;

def side_text($unit): if .count != null then "\(.count) of \(.of)" else mean_of($unit) end;

def difference_text:
  (.unit | scale) as $scale
  | if .difference.value == null then "–"
    elif .column == null and .difference.low == null then "–"
    elif .difference.low == null then (.difference.value * $scale | signed)
    else "\(.difference.value * $scale | signed) ± \((.difference.high - .difference.low) / 2 * $scale | number_text)" end;

def percent: (. - 1) * 1000 | round / 10 | if . > 0 then "+\(.)" else "\(. + 0)" end;
def ratio_text:
  if .ratio.value == null then "–"
  elif .ratio.low == null then "\(.ratio.value | percent) %"
  else "\(.ratio.value | percent) % (\(.ratio.low | percent) to \(.ratio.high | percent))" end;

def verdict_text:
  .verdict
  + if .reason then ": \(.reason)"
    elif .verdict == "no difference shown" and .smallest_shown != null and .column != null then
      " (from ±\(.smallest_shown * (.unit | scale) | number_text) \(.unit | unit_text) on it would be)"
    else "" end;

def gate_text: if . == "fine" then "fine" elif . == "worse" then "WORSE" elif . == "inconclusive" then "inconclusive" else "–" end;

# Rows that say nothing to anyone: no cell failed.
def worth_showing: .figure != "cells_failed" or .verdict != "no difference shown";

def rate_text: "\(.exec_per_sec)/s";

def program_text:
  "\(.monitor)\(if .version then " " + .version else "" end)\(.binaries | map(" \(.path | sub("^.*/"; "")) \(.sha256[0:12])") | join(","))";

# What belongs under the table, a line each.
def remarks:
  (if .one_run then "Both were measured in turn in one run, \(.a.run) (\(.a.started))."
   else "A: \(.a.run) (\(.a.started)). B: \(.b.run) (\(.b.started)).",
     "Two runs: ±\(.between_runs_percent) % (one standard error) for what differs from run to run on one machine is in the intervals of differences and ratios (--between-runs)."
   end),
  (if .differs == [] then empty else "The runs differ:" + ([.differs[] | " \(.what) (\(.a // "none"), \(.b // "none"))"] | join(",")) + "." end),
  (if .one_run then empty else
    (.baseline_a as $a | [.baseline_b[] | . as $b | $a[] | select(.exec_per_sec == $b.exec_per_sec)
      | "\(.exec_per_sec)/s \(mean_of("µs")), \($b | mean_of("µs")) µs"]
    | if . == [] then empty else "An execution without a monitor, A and B: \(join("; "))." end) end),
  "A: \([.a.programs[] | program_text] | join("; ")). B: \([.b.programs[] | program_text] | join("; ")).",
  ([.only_a[] | "\(.test) at \(rate_text)"] | if . == [] then empty else "Only in A: \(join(", "))." end),
  ([.only_b[] | "\(.test) at \(rate_text)"] | if . == [] then empty else "Only in B: \(join(", "))." end),
  (if (.comparisons | map(select(.difference.low != null)) | length) > 1 then "Each row has a 95 % interval of its own: of 20 rows in which nothing changed, one may say better or worse by chance." else empty end),
  (if .gate then "Gate (no more than \(.gate.limit_percent) % worse, no loss and no failed cell where there was none): \(.gate.outcome | gate_text)." else empty end);
