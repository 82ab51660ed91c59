# The page of a comparison, of what `exectax compare --format json` writes. As arguments: cells_a, cells_b (rows of cells.csv of both runs, [] where it is not there), options_a,
# options_b (of their manifests), style, script, style_hash, script_hash.
include "charts";
include "layout";
include "words";
include "noise";
include "html";
include "compared";
include "shown";
include "median";

def rows: [.comparisons[] | select(worth_showing)];

def figure_text: "\(.figure), \(.unit | unit_text)";
def row_name: "\(subject), \(rate_text), \(.figure)";

# A share of A is in % as well.
def told_unit: if . == "% of one CPU" then . else unit_text end;

# "1.2 µs (1 to 1.4)"
def with_interval(number; $unit): if .value == null then "–" else (.value | number) + $unit + (if .low == null then "" else " (\(.low | number) to \(.high | number))" end) end;
def scaled_text($unit): if type == "number" then . * ($unit | scale) | number_text else "–" end;
def side_told($unit): if .count != null then "\(.count) of \(.of)" else with_interval(scaled_text($unit); " \($unit | unit_text)") end;
def ratio_told: if .ratio.value == null then "" else .ratio | with_interval(percent; " %") end;
# A count has no interval of its own: both counts are told.
def difference_told:
  .unit as $unit
  | if .difference.low == null then "\(.a | side_told($unit)) and \(.b | side_told($unit))"
    else (.difference | with_interval(if . > 0 then "+\(scaled_text($unit))" else scaled_text($unit) end; " \($unit | told_unit)")) + (ratio_told | if . == "" then "" else ", which is \(.) of A" end) end;

def verdicts: ["worse", "better", "no difference shown", "not comparable"];
def counts_told:
  . as $rows
  | "Of \($rows | counted("figure"; "figures")) that were compared, "
    + (verdicts | map(. as $verdict | [$rows[] | select(.verdict == $verdict)] | length | "\(.) \(if $verdict == "no difference shown" then (if . == 1 then "shows" else "show" end) + " no difference" else (if . == 1 then "is " else "are " end) + $verdict end)") | listed) + ".";
def each_changed: map("\(row_name) \(difference_told)") | if length > 4 then .[:4] + ["\(length - 4) others"] else . end | join("; ");
def changed_told($verdict; $title):
  map(select(.verdict == $verdict)) | if . == [] then empty else "\($title) (95 % intervals): \(each_changed)." end;
def incomparable_told:
  map(select(.verdict == "not comparable")) | if . == [] then empty else
    "Not comparable: \(group_by(.reason) | map("\(.[0].reason // "it is not known why") (\(length))") | .[:4] | join("; "))." end;
def chance_told:
  [.[] | select(.difference.low != null)] | if length > 1 then "Each figure has a 95 % interval of its own: of 20 in which nothing changed, one may say better or worse by chance." else empty end;

def comparison_answer:
  rows as $rows
  | (if .gate then ["The gate (no more than \(.gate.limit_percent) % worse, no loss and no failed cell where there was none): \({fine: "not worse", worse: "worse", inconclusive: "inconclusive"}[.gate.outcome])."] else [] end)
    + (if $rows == [] then ["Nothing was measured on both sides: there is nothing to compare."] else
        [$rows | counts_told, changed_told("worse"; "Worse in B"), changed_told("better"; "Better in B"), incomparable_told, chance_told] end);

# In % of A, since figures have several units.
def comparison_picture:
  [rows[] | select((.ratio.value | known) and (.ratio.low | known))] as $drawn
  | ([rows[] | select(.verdict != "not comparable")] | length - ([$drawn[] | select(.verdict != "not comparable")] | length)) as $others
  | if $drawn == [] then "" else
      "<figure><figcaption>How much more B has than A, in % of A; whiskers: 95 % intervals; a bar: better or worse, hollow: no difference shown, or not comparable.\(if $others > 0 then " Counts, and what has no interval, are in the table alone." else "" end)</figcaption>\n"
      + "<p class=\"key\"><span><i class=\"s-more\"></i>worse</span> <span><i class=\"s-less\"></i>better</span> <span><b class=\"dot hollow\"></b>neither</span></p>\n"
      + ({axis: "% of A, more in B",
          rows: [$drawn[] | {
            name: row_name, value: ((.ratio.value - 1) * 100), low: ((.ratio.low - 1) * 100), high: ((.ratio.high - 1) * 100),
            class: {worse: "more", better: "less"}[.verdict],
            text: ratio_text, short: "\(.ratio.value | percent) %", tip: "\(row_name): \(difference_told); \(.verdict)"}]}
        | difference_chart("How much more B has than A, in % of A; the same figures are in the table below"))
      + "</figure>\n"
    end;

def value_cell($shown; $low; $high): if . == null then none_cell else "<td data-v=\"\(.)\">\($shown | text)" + (if $low == null then "" else " <span class=\"i\">\("\($low) to \($high)" | text)</span>" end) + "</td>" end;
def scaled_cell($unit; $sign):
  . as $interval
  | def shown_end: if . == null then null else scaled_text($unit) end;
    .value | value_cell($sign + scaled_text($unit); $interval.low | shown_end; $interval.high | shown_end);
def side_cell($unit):
  if .count != null then "<td data-v=\"\(if .of > 0 then .count / .of else 0 end)\">\(side_told($unit) | text)</td>" else scaled_cell($unit; "") end;
def ratio_cell: .ratio | if .value == null then none_cell else .low as $low | .high as $high | "<td data-v=\"\(.value)\">\(.value | percent) %" + (if $low == null then "" else " <span class=\"i\">\($low | percent) to \($high | percent)</span>" end) + "</td>" end;

def comparison_table:
  (.gate != null) as $gate
  | [rows[] | .unit as $unit | .column as $column
      | [(subject | name_cell), (.exec_per_sec | number_cell(0)), (figure_text | text_cell), (.a | side_cell($unit)), (.b | side_cell($unit)),
         (if $column == null and .difference.low == null then none_cell else .difference | scaled_cell($unit; if (.value // 0) > 0 then "+" else "" end) end), ratio_cell, (.verdict | text_cell),
         (if $column == null or .smallest_shown == null then none_cell else .smallest_shown as $least | "<td data-v=\"\($least)\">±\($least | scaled_text($unit))</td>" end)]
        + (if $gate then [.gate | gate_text | text_cell] else [] end)
        + [.reason // "" | text_cell]]
  | table("A, B and how they differ: means, 95 % intervals beside them";
      ["compared", "rate|1/s", "figure", "A", "B", "difference|B − A", "ratio|B to A", "verdict", "shown from"] + (if $gate then ["gate"] else [] end) + ["notes"])
  + "<p>Less is better. Better or worse: the interval of the difference leaves out zero; otherwise no difference is shown, and “shown from” is half of that interval, the smallest difference that would have been. Counts (lost, cells_failed) have no interval: any where there was none is worse.</p>\n";

def cells_table:
  [rows[] | .unit as $unit | . as $row | ("a", "b") as $side | select($row[$side].values != [])
    | [($row | subject | name_cell), ($row.exec_per_sec | number_cell(0)), ($row | figure_text | text_cell), ($side | ascii_upcase | text_cell), ($row[$side].test | text_cell), ($row[$side].values | length | number_cell(0)),
       ($row[$side].values | map(scaled_text($unit)) | join(", ") | text_cell)]]
  | if . == [] then "" else table("What each cell has"; ["compared", "rate|1/s", "figure", "side", "monitor", "cells", "values"]) | details("All cells"; .) end;

def programs_table:
  [("a", "b") as $side | .[$side].programs[] | . as $program | (.binaries | if . == [] then [null] else . end)[]
    | [($side | ascii_upcase | name_cell), ($program.monitor | text_cell), ($program.version | text_cell), (.path // "" | text_cell), "<td class=\"t\"><code class=\"sum\">\(.sha256 // "" | text)</code></td>"]]
  | table("What was compared"; ["side", "monitor", "version", "program", "SHA-256"]);

def alone_told: map("\(.test) at \(rate_text)") | some_listed(12);
def sides_section:
  .comparable as $comparable
  | (if .one_run then "Both were measured in turn in one run, \(.a.run) (\(.a.started // "at an unknown time")), with the same cells of the baseline beside them." | paragraph
   else ("A: \(.a.run) (\(.a.started // "at an unknown time"), \(.a.state // "?")). B: \(.b.run) (\(.b.started // "at an unknown time"), \(.b.state // "?"))." | paragraph)
     + ("Two runs: ±\(.between_runs_percent) % (one standard error) for what differs from run to run on one machine is in the intervals of differences and ratios (--between-runs)." | paragraph) end)
  + programs_table
  + (if .one_run then "" elif .differs == [] then "The runs do not differ in host, kernel, CPU, windows, environment of the launched program or exectax." | paragraph
     else ([.differs[] | [(.what | name_cell), (.a // "none" | text_cell), (.b // "none" | text_cell)]] | table("What else differs between the runs\(if $comparable then "" else ", for which they are not compared" end)"; ["what", "A", "B"])) end)
  + (if .only_a == [] then "" else "Only in A: \(.only_a | alone_told)." | paragraph end) + (if .only_b == [] then "" else "Only in B: \(.only_b | alone_told)." | paragraph end);

def baseline_table:
  [(("a", "b") as $side | .["baseline_\($side)"][] | [($side | ascii_upcase | name_cell), (.exec_per_sec | number_cell(0)), scaled_cell("µs per execution"; "")])]
  | if . == [] then "" else table("An execution without a monitor: whether the machine was the same"; ["side", "rate|1/s", "baseline|µs"]) end;
def noise_of($title; $cells):
  if $cells == [] then "\($title)how its cells went is not known, since there is no cells.csv." | paragraph
  else ("\($title)\($cells | cells_told)" | paragraph) + ($cells | marked_cells) end;
def noise_section:
  (if .one_run then noise_of(""; $cells_a[0]) else noise_of("A: "; $cells_a[0]) + noise_of("B: "; $cells_b[0]) end)
  + (if .one_run then .baseline_b = [] else . end | baseline_table) + cells_table;

def host_of($title; $side; $options):
  "<h3>\($title | text)</h3>\n" + ($side | host_facts + [["exectax", .exectax]] | facts) + details("Options of the run"; $options | options_facts);
def host_section: if .one_run then host_of("The run"; .a; $options_a[0]) else host_of("A"; .a; $options_a[0]) + host_of("B"; .b; $options_b[0]) end;

def method_section:
  "<p>A difference is B − A, with a 95 % interval from how the cells of both sides scatter; what both have taken off, such as a baseline of the same run, cancels out. The ratio is made after Fieller: all ratios r for which B − r A can't be told from zero. \(if .one_run then "Cells of both sides were measured in turn." else "What differs from run to run is in the intervals." end)</p>\n"
  + "<p>More: how to compare builds (docs/ci.md), how intervals are made (docs/figures.md), how to read this page (docs/report.md).</p>\n";

def data_section: tojson as $json | "<p>What this page is made of, as docs/comparison.schema.json describes it:</p>\n"
  + ([{name: "comparison.json", bytes: ($json | utf8bytelength), packed: false, href: "data:application/json;base64,\($json | @base64)"}] | saved_files);

{
  title: "exectax compare",
  heading: "Does B cost more than A?",
  under: (if .one_run then ["A: \(.a.selection // "all"), B: \(.b.selection // "all") of \(.a.run)"] else ["A: \(.a.run)\(.a.selection | if . then ", " + . else "" end)", "B: \(.b.run)\(.b.selection | if . then ", " + . else "" end)"] end),
  asked: "Does B cost more than A, by more than chance? Less is better. \(.comparisons | map(.figure) | unique | listed) were compared\([.comparisons[].exec_per_sec] | unique | if . == [] then "" else " at \(map(tostring) | listed) executions per second" end).",
  answer: comparison_answer, picture: comparison_picture,
  sections: [["figures", "Figures", "All figures", comparison_table], ["sides", "A and B", "What was compared", sides_section], ["noise", "Noise", "Noise of both", noise_section],
    ["host", "Host", "Host", host_section], ["method", "Method", "Method", method_section], ["data", "Data", "Raw data", data_section]],
  footer: "Made by exectax from the raw files of \(if .one_run then "the run" else "both runs" end)."
}
| document($ARGS.named)
