# The picture of what an execution costs and who pays, at $rate: what plots/parts.gp takes, from the rows of perf.csv.
# Takes: rate, differences (rows of differences.csv, [] if there are none).
# Gives {assignments: gnuplot's, caption, rows: row, segment, from, to}; nothing if there is no row.
include "parts";
include "layout";
include "ranks";
include "shown";

def row_height: 34;

# A whisker from $left to $right at most: its line, its ends, and an arrow where it goes on.
def whisker($row; $left; $right):
  (if .none then "none-" else "" end) as $kind
  | select(.low | known) | ([.low, $left] | max | [., $right] | min) as $from | ([.high, $right] | min | [., $left] | max) as $to
  | [[$row, $kind + "whisker", $from, $to],
     (if .low >= $left then [$row, $kind + "end", $from, $from] else [$row, $kind + "on", $to, $from] end),
     (if .high <= $right then [$row, $kind + "end", $to, $to] else [$row, $kind + "on", $from, $to] end)];

parts($rate; $differences)
| . as {$whiskers, $intervals, $brackets, $left, $right}
| .rows as $rows
| $rows
| {
    caption: (["dots: the total" + (if $whiskers then ", with its \($whiskers.kind)" else "" end),
      if $brackets == [] then empty elif $intervals then "lines at the right join what does not differ significantly"
      else "lines at the right join overlapping ranges" end] | join("; ")),
    rows: [$rows | to_entries[] | .key as $row | .value
      | (.parts[] | [$row, .name, .from, .to]), (whisker($row; $left; $right * 1.1) | .[]),
        (select(.none | not) | [$row, if .saturated == true or .saturated == "true" then "hollow" else "total" end, .total, .total])],
    assignments: {
      row_height: row_height, graph_height: (row_height * ([length, 3] | max)),
      label_width: (map(.test | width) | max),
      x_left: $left, x_right: ($right * 1.1),
      tests: map(.test),
      nones: map(if .none then 1 else 0 end),
      any_saturated: (if any(.[]; (.none | not) and (.saturated == true or .saturated == "true")) then 1 else 0 end),
      texts: map(if .none | not then "\(.total | shown(0))" else "not distinguishable from none" + (if $intervals and (.high // 0) > 0 then " (at most \(.high | shown(0)))" else "" end) end),
      # A text is to the right of its bar and whisker, or if the whisker goes on and on, on it.
      text_places: map(if .none then (.high // 0) | if . > 0.45 * $right then 0 elif . < 0 then 0 else . end else [.total, .end, ([.high // 0, $right] | min)] | max end),
      brackets_from: ($brackets | map(.[0])), brackets_to: ($brackets | map(.[1])), brackets_column: ($brackets | map(.[2])),
      bracket_columns: ($brackets | map(.[2] + 1) | max // 0),
      segments: ([$rows[].parts[].name] | unique as $there | ["daemon", "services", "inprogram", "elsewhere", "slowed", "rest"] | map(select(IN($there[]))))
    }
  }
