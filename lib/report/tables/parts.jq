# What a monitor adds to an execution at a rate, and who pays, from the rows of perf.csv, as the pictures show it: a row a monitor, from above: the dearest
# first, then those that are not distinguishable from none, which are no bars.
include "layout";
include "ranks";

# An empty cell is a string.
def number: if known then . else null end;
# A part is in the bar if its interval lies above zero; without an interval, if it does itself. One that is below zero is no bar.
def part($name): {name: $name, value: (.["\($name)_us"] | number), low: (.["\($name)_us_low"] | number)};
def drawn: (.value | known) and .value > 0 and ((.low | known | not) or .low > 0);
def stacked: reduce .[] as $part ([]; . + [{name: $part.name, from: (last.to // 0), to: ((last.to // 0) + $part.value)}]);

# Whether nothing tells two rows from each other: what is known of their difference ($significances), and where nothing is, whether their intervals overlap.
def tied($a; $b; $significances):
  $significances[[$a.test, $b.test] | pair] as $significant
  | if $significant != null then $significant | not
    else ($a.low | known) and ($b.low | known) and $a.low <= $b.high and $b.low <= $a.high end;
# The longest runs of neighbours of which each two are tied: [first, last].
def runs($significances):
  . as $rows
  | [range(length) as $first
      | [range($first; $rows | length)] | map(. as $last | select(all(range($first; $last + 1) as $a | range($a + 1; $last + 1) | [$a, .];
          tied($rows[.[0]]; $rows[.[1]]; $significances))))
      | [$first, max]]
  | reduce .[] as $run ([]; if $run[1] > $run[0] and (length == 0 or last[1] < $run[1]) then . + [$run] else . end);
# Brackets that have a row in common stand beside each other.
def columns: reduce .[] as $run ([]; . as $before
  | . + [$run + [[range($before | length + 1)] | map(. as $column | select(all($before[]; .[2] != $column or .[1] < $run[0]))) | min]]);

# parts($rate; $differences), of the rows of perf.csv and of differences.csv ([] if there are none). Gives {whiskers, intervals, rows, brackets, left, right}:
# what whiskers are drawn from and whether these are intervals; rows with `total`, `low`, `high`, `none`, `parts` (name, from, to) and `end`, where these end; brackets
# (first row, last row, column) that join ties; the ends of the axis, in µs. Nothing if there is no row.
def parts($rate; $differences):
  map(select(.exec_per_sec == $rate and (.total_us | known) and .test != "none") | .test |= tostring)
  | select(length > 0)
  | whiskers_of("total_us"; "total_us_lowest"; "total_us_highest") as $whiskers
  | ($whiskers.kind == "95 % interval") as $intervals
  | map(. + {total: .total_us, low: (if $whiskers then .[$whiskers.low] else null end), high: (if $whiskers then .[$whiskers.high] else null end)}
      | if (.low | known) and (.high | known) then . else .low = null | .high = null end
      | .none = ((.low // .total) <= 0))
  | ((map(select(.none | not)) | sort_by(-.total, .test)) + (map(select(.none)) | sort_by(-(.high // .total), .test)))
  | map(. + {parts: (if .none then [] else [part("daemon"), part("services"), part("inprogram"), part("elsewhere"), part("slowed")] | map(select(drawn)) | stacked end)}
      # What of the total is in no part that is distinguishable from zero.
      | .end = (.parts | last.to // 0)
      | if (.none | not) and $intervals and .end < .total then .parts += [{name: "rest", from: .end, to: .total}] | .end = .total else . end)
  | . as $rows
  | (map(select(.none | not)) | if length > 0 then map([.total, .end] | max) | max else null end) as $longest
  # Longer whiskers are cut, for they would squeeze the bars.
  | ([if $longest then $longest, (.[] | select(.none | not) | [.high // 0, $longest * 1.35] | min), (.[] | select(.none) | [.high // 0, $longest] | min)
      else .[] | .high // 0 end, 1] | max) as $right
  | ([(map(.low // 0) | min), -0.12 * $right] | max | [., -0.01 * $right] | min) as $left
  | {$whiskers, $intervals, $rows, brackets: ($rows | runs($differences | significances("total_us"; $rate)) | columns), $left, $right};
