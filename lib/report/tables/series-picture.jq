# The picture of series: what plots/series.gp takes. Gives {assignments: gnuplot's, caption, rows: panel, kind of row, time, value, low, high}.
include "layout";
include "compared";
include "shown";

def most_panels: 12;
def scaled($column): if type == "number" and ($column | test("_bytes$")) then . / 1048576 else . end;
def unit: if test("_us$") then "µs" elif test("_bytes$") then "MiB" elif . == "cpu" or test("_cpu$") then "% of one CPU" else "" end;

# From one change to the next: where a mean is drawn from, up to, and which.
def stretches:
  .points as $points | ([0] + [.changes[].first] + [.points | length]) as $ends
  | [range($ends | length - 1) as $i | $points[$ends[$i]:$ends[$i + 1]] | {from: .[0].at, to: .[-1].at, mean: (map(.value) | add / length)}];

.[:most_panels] as $series
| {
    caption: ("points: runs, whiskers: 95 % interval; lines: means between changes; dashed: a change"
      + (if length > most_panels then "; \(length - most_panels) more series are not drawn" else "" end)),
    rows: [$series | to_entries[] | (.key + 1) as $panel | .value | .column as $column
      | (.points[] | [$panel, "point", .at, (.value | scaled($column)), (.low | scaled($column)), (.high | scaled($column))]),
        (stretches | to_entries[] | .key as $key | .value
          | [$panel, "mean\($key)", .from, (.mean | scaled($column))], [$panel, "mean\($key)", .to, (.mean | scaled($column))])],
    assignments: {
      panels: ($series | length),
      names: ($series | map("\(.test) at \(rate_text): \(.figure)\(.column | unit | if . == "" then "" else ", " + . end)")),
      changes: ($series | map(.changes | map("\(.at)") | join(" "))),
      stretches: ($series | map(.changes | length + 1) | max),
      x_from: ([$series[].points[].at] | min), x_to: ([$series[].points[].at] | max)
    }
  }
