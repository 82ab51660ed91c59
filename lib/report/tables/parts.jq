# What a monitor adds to an execution at a rate, in % of what that itself costs, and who pays, from the rows of perf.csv, as the pictures show it: a row a
# monitor, from above: the dearest first, then those that are not distinguishable from none, which are no bars.
include "layout";

# A part is in the bar if its interval lies above zero; without an interval, if it does itself. eBPF run time in the watched programs
# and their parents is taken out of what those pay (all of it, where nobody knows in whose time it was); in the monitor's own time it is
# the daemon's. The ends of a sum's interval are the sums of the ends: no
# narrower than its true interval, whatever the parts have to do with each other.
# An empty cell is a string.
def number: if known then . else null end;
def figure($name): {value: (.["\($name)_share"] | number), low: (.["\($name)_share_low"] | number), high: (.["\($name)_share_high"] | number)};
# A row with each figure of an execution's CPU time as a share of it, NAME_share of NAME_us; those that have an interval of their own keep it.
def with_shares:
  .execution_us as $whole
  | (to_entries | map(select((.key | test("_us(_(low|high|lowest|highest))?$")) and (.value | known)) | {key: (.key | sub("_us"; "_share")), value: (100 * .value / $whole)}) | from_entries) + .;
# Of figures that are known, the sum, and the sum of the ends of their intervals.
def sum: {value: (map(.value) | add), low: (if all(.low | known) then map(.low) | add else null end),
  high: (if all(.high | known) then map(.high) | add else null end)};
def bpf: [figure("bpf_watched"), figure("bpf_launcher"), (select(.inprogram_method == "calibrated") | figure("bpf_uncounted"), figure("bpf_uncounted_launcher"))] | if all(.value | known) then sum else null end;
def bpf_part: bpf // figure("bpf");
def else_inband:
  figure("inband") as $inband | figure("launcher") as $launcher | bpf_part as $bpf
  | {value: (if ($inband.value | known) and ($launcher.value | known) then $inband.value + $launcher.value - ($bpf.value // 0) else null end),
     low: (if ($inband.low | known) and ($launcher.low | known) then $inband.low + $launcher.low - ($bpf.high // $bpf.value // 0) else null end)};
def drawn: (.value | known) and .value > 0 and ((.low | known | not) or .low > 0);
def stacked: reduce .[] as $part ([]; . + [{name: $part.name, from: (last.to // 0), to: ((last.to // 0) + $part.value)}]);

def pair: sort | tojson;
# Of the rows of differences.csv, those that tell of counted at $rate, by pair.
def known_differences($rate): map(select(.figure == "counted_overhead" and .exec_per_sec == $rate and (.difference_low | known))
  | {key: ([.test_a, .test_b] | map(tostring) | pair), value: .}) | from_entries;
# What is known of the difference decides; where nothing is, intervals that do not overlap.
# A lower bound and what is measured in full are not compared.
def lower_bound: .inprogram_method == "counted";
def tied($a; $b; $differences):
  if ($a | lower_bound) != ($b | lower_bound) then false else
  $differences[[$a.test, $b.test] | pair] as $difference
  | if $difference then $difference.difference_low <= 0 and $difference.difference_high >= 0
    else ($a.low | known) and ($b.low | known) and $a.low <= $b.high and $b.low <= $a.high end end;
# The longest runs of neighbours of which each two are tied: [first, last].
def runs($differences):
  . as $rows
  | [range(length) as $first
      | [range($first; $rows | length)] | map(. as $last | select(all(range($first; $last + 1) as $a | range($a + 1; $last + 1) | [$a, .];
          tied($rows[.[0]]; $rows[.[1]]; $differences))))
      | [$first, max]]
  | reduce .[] as $run ([]; if $run[1] > $run[0] and (length == 0 or last[1] < $run[1]) then . + [$run] else . end);
# Brackets that have a row in common stand beside each other.
def columns: reduce .[] as $run ([]; . as $before
  | . + [$run + [[range($before | length + 1)] | map(. as $column | select(all($before[]; .[2] != $column or .[1] < $run[0]))) | min]]);

# parts($rate; $differences), of the rows of perf.csv and of differences.csv ([] if there are none). Gives {whiskers, intervals, rows, brackets, left, right}:
# what whiskers are drawn from and whether these are intervals; rows with `total`, `low`, `high`, `none`, `parts` (name, from, to) and `end`, where these end; brackets
# (first row, last row, column) that join ties; the ends of the axis. Nothing if there is no row.
def parts($rate; $differences):
  map(select(.exec_per_sec == $rate and (.counted_us | known) and (.execution_us | known) and .execution_us > 0 and .test != "none") | .test |= tostring | with_shares)
  | select(length > 0)
  | whiskers_of("counted_overhead"; "counted_overhead_lowest"; "counted_overhead_highest") as $whiskers
  | ($whiskers.kind == "95 % interval") as $intervals
  | map(. + {total: .counted_overhead, low: (if $whiskers then .[$whiskers.low] else null end), high: (if $whiskers then .[$whiskers.high] else null end)}
      | if (.low | known) and (.high | known) then . else .low = null | .high = null end
      | .none = ((.low // .total) <= 0))
  | ((map(select(.none | not)) | sort_by(-.total, .test)) + (map(select(.none)) | sort_by(-(.high // .total), .test)))
  | map(. + {parts: (if .none then [] else
        [(figure("daemon") + {name: "daemon"}), (figure("helpers") + {name: "helpers"}), (bpf_part + {name: "bpf"}),
         (else_inband + {name: "inband"})] | map(select(drawn)) | stacked end)}
      # What of the total is in no part that is distinguishable from zero.
      | .end = (.parts | last.to // 0)
      | if (.none | not) and $intervals and .end < .total then .parts += [{name: "rest", from: .end, to: .total}] | .end = .total else . end)
  | . as $rows
  | (map(select(.none | not)) | if length > 0 then map([.total, .end] | max) | max else null end) as $longest
  # Longer whiskers are cut, for they would squeeze the bars.
  | ([if $longest then $longest, (.[] | select(.none | not) | [.high // 0, $longest * 1.35] | min), (.[] | select(.none) | [.high // 0, $longest] | min)
      else .[] | .high // 0 end, 1] | max) as $right
  | ([(map(.low // 0) | min), -0.12 * $right] | max | [., -0.01 * $right] | min) as $left
  | {$whiskers, $intervals, $rows, brackets: ($rows | runs($differences | known_differences($rate)) | columns), $left, $right};
