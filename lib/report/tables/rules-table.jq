# What a rule costs an execution, as Markdown, a row a monitor and kind of rules, from the rows of fits.csv.
# Takes: points (rows of rules.csv), skipped (the manifest's).
include "markdown";
include "shown";

# A slope times $factor; one whose interval includes zero says so.
def slope_text($figure; $factor; $digits):
  .[$figure] as $fit
  | if ($fit.slope? | type) != "number" then "–" else
      {slope: ($fit.slope * $factor), slope_low: ($fit.slope_low | if type == "number" then . * $factor else null end), slope_high: ($fit.slope_high | if type == "number" then . * $factor else null end)}
      | if (.slope_low | type == "number") and .slope_low <= 0 and .slope_high >= 0 then "not distinguishable from 0 (\(mean_text("slope"; $digits)))" else mean_text("slope"; $digits) end
    end;

def doubling_text:
  if (.doubling? | type) != "number" then "–"
  else "\(.doubling | shown(0)) (\(.doubling_low | shown(0)) to \(.doubling_high | shown(0)))" end;

# Of which figures the interval of the quadratic term leaves out zero.
def bent: [.counted_us, .daemon_us, .program_us, .getppid | select(. != null and (.bend_low | type == "number") and (.bend_low > 0 or .bend_high < 0)) | .figure];

[group_by([.monitor, .kind])[] | {monitor: .[0].monitor, kind: .[0].kind, of: (map({key: .figure, value: .}) | from_entries)}] as $lines
| ($lines[0].of | if . == null then "" else "at \([.[].exec_per_sec][0])/s" end) as $rate
| "| monitor | rules | without them, µs | in the program per rule, ns | daemon per rule, ns | counted per rule, ns | doubled by rules | slowdown (p50) per rule, ns | getppid per rule, ns | memory per rule, KiB | start per rule, ms | lost | notes |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
  ($lines[] | . as $line
    | ([$points[] | select(.monitor == $line.monitor and (.kind == $line.kind or .rules == 0))]) as $own
    | $line.of
    | "| \($line.monitor | md) | \($line.kind | md) | \(.counted_us // {} | mean_text("fixed"; 0)) | \(slope_text("program_us"; 1000; 0)) | \(slope_text("daemon_us"; 1000; 0)) | \(slope_text("counted_us"; 1000; 0))"
      + " | \(.counted_us // {} | doubling_text) | \(slope_text("side_slowdown_p50_us"; 1000; 0)) | \(slope_text("getppid"; 1; 2)) | \(slope_text("memory_peak_bytes"; 1 / 1024; 1)) | \(slope_text("start_ms"; 1; 1))"
      + " | " + (if any($own[]; .lost | type == "number") then "\([$own[].lost | numbers] | add) of \([$own[] | select(.lost | type == "number") | .launched] | add)" else "–" end)
      + " | " + ([(bent | select(length > 0) | "no line: \(join(", "))"),
          ([$own[] | select(.saturated == "true") | .rules] | select(length > 0) | "host saturated with \(map(tostring) | join(", ")), not in the line")] | join("; ")) + " |"),
  "",
  "CPU time per execution \($rate): the line cost = fixed + slope × rules through all cells, ± half of the 95 % interval. Doubled by: the number of rules that cost as much as all the rest, fixed / slope (95 % interval). getppid: what a rule adds to a system call that a program makes in a loop. No line: a quadratic term leaves out zero at 95 %.",
  (([$points[] | select(.status != "ok") | {name: "\(.monitor)\(if .rules == 0 then "" else " with \(.rules) \(.kind)" end)", why: "\(.status): \(.reason)"}]
    + [$skipped | to_entries[] | {name: .key, why: "skipped: \(.value)"}]) as $others
    | if $others == [] then empty else "", "Without figures, or without some:", ($others[] | "- \(.name | md): \(.why | md)") end)
