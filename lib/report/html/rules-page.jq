# The sections of a run of rules.
include "shown";
include "layout";
include "html";
include "charts";
include "words";
include "answer";

def own_points($points): .monitor as $monitor | .kind as $kind | [$points[] | select(.monitor == $monitor and (.kind == $kind or .rules == 0))];

def rules_picture:
  .rules as $points
  | [.fits[] | select(.figure == "counted_us" and (.slope | known)) | . as $fit
      | (own_points($points) | map(select(.counted_us | known) | worth_drawing("counted_us"))) as $own | select($own | length > 0)
      | ([$own[] | select(.saturated != "true") | .rules] | max // 0) as $most
      | {title: "\(.monitor), \(.kind)", fit: [{x: 0, y: .fixed}, {x: $most, y: (.fixed + .slope * $most)}],
         points: [$own[] | {x: .rules, y: .counted_us, low: .counted_us_low, high: .counted_us_high, hollow: (.saturated == "true"),
           tip: "\($fit.monitor) with \(.rules) rules\(if .rules == 0 then "" else " (\($fit.kind))" end): \(told("counted_us"; 0; "µs"; true))\(if .saturated == "true" then "; host saturated" else "" end)"}]}]
  | if . == [] then "" else
      "<figure><figcaption>What an execution costs by the number of rules added: lines are fixed + slope × rules, points are means\(if any(.[].points[]; .low | known) then ", whiskers 95 % intervals, of three cells or more" else "" end)\(if any(.[].points[]; .hollow) then "; hollow: host saturated, not in the line" else "" end).</figcaption>\n"
      + ({x_axis: "rules added", y_axis: "µs", log: false, ticks: ([.[].points[].x] | unique),
          lines: (sort_by(.title) | to_entries | map(.value + {look: {hue: (.key % 3 + 1), shade: ((.key / 3 | floor) % 3 + 1), point: (.key % 6 + 1)}}))}
        | line_chart("Cost by number of rules, a line a monitor and kind of rules; the same figures are in the tables below"))
      + "</figure>\n"
    end;

def slopes_table:
  .rules as $points | .columns as $columns
  | [.fits | group_by([.monitor, .kind])[] | (map({key: .figure, value: .}) | from_entries) as $of
      | (.[0] | own_points($points)) as $own
      | [(.[0].monitor | name_cell), (.[0].kind | text_cell),
         ($of.counted_us // {} | if (.fixed | type) == "number" then "<td data-v=\"\(.fixed)\">\(.fixed | shown(0))\(if .fixed_low | type == "number" then " <span class=\"i\">\(interval(.fixed_low; .fixed_high; 0))</span>" else "" end)</td>" else none_cell end)]
        + [$of | slope_cell("counted_us"; 1000; 0), slope_cell("program_us"; 1000; 0), slope_cell("daemon_us"; 1000; 0)]
        + [($of.counted_us // {} | if (.doubling | type) == "number" then "<td data-v=\"\(.doubling)\">\(.doubling | shown(0)) <span class=\"i\">\(interval(.doubling_low; .doubling_high; 0))</span></td>" else none_cell end),
           ($of | slope_cell("getppid"; 1; 2)), ($of | slope_cell("memory_peak_bytes"; 1 / 1024; 1)), ($of | slope_cell("start_ms"; 1; 1)),
           ([([$of.counted_us, $of.daemon_us, $of.program_us, $of.getppid | select(. != null and (.bend_low | type == "number") and (.bend_low > 0 or .bend_high < 0)) | .figure] | select(length > 0) | "no line: \(join(", "))"),
             ([$own[] | select(.saturated == "true") | .rules] | select(length > 0) | "host saturated with \(map(tostring) | join(", ")), not in the line")] | join("; ") | text_cell)]]
  | table("What a rule adds to an execution: slopes of lines through all cells, 95 % intervals beside them";
      ["monitor", "rules", "without them|µs", "counted|ns per rule", "in the program|ns per rule", "daemon|ns per rule", "doubled by|rules", "getppid|ns per rule", "memory|KiB per rule", "start|ms per rule", "notes"])
  + "<p>An interval that includes 0 means not distinguishable from nothing. Doubled by: the number of rules that cost as much as all the rest. getppid: what a rule adds to a system call that a program makes in a loop. No line: a quadratic term leaves out zero at 95 %.</p>\n"
  + sources($columns; ["counted_us", "program_us", "daemon_us", "memory_peak_bytes", "start_ms"]);

def points_table:
  [.rules[] | [(.monitor | name_cell), (.kind | text_cell), (.rules | number_cell(0)), figure_cell("counted_us"; 0), figure_cell("program_us"; 0), figure_cell("daemon_us"; 0),
    (.launched | number_cell(0)), (.lost | number_cell(0)), (if .saturated == "true" then "host saturated" elif .status != "ok" then "\(.status): \(.reason)" else "" end | text_cell)]]
  | table("The points: means over the cells of a number of rules, 95 % intervals beside them"; ["monitor", "rules", "added", "counted|µs", "in the program|µs", "daemon|µs", "launched|executions", "lost|executions", "notes"]);

def rules_sections: [["slopes", "Slopes", "What a rule costs", slopes_table], ["points", "Points", "By number of rules", points_table]];

def rules_asked:
  "What does an execution cost by the number of the monitor's rules? Asked of \(.rules | map(.monitor | tostring) | unique - ["none"] | some_listed(8)) at \(.manifest.options.rate_per_sec // "one rate") executions per second, with up to \([.rules[].rules | numbers] | max // 0) rules added.";
