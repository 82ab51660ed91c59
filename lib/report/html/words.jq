# Figures in sentences.
include "shown";

def listed: if length < 2 then .[0] // "" else (.[:-1] | join(", ")) + " and " + .[-1] end;
# The first few of a list, and how many more there are.
def some_listed($most): if length > $most + 1 then .[:$most] + ["\(length - $most) others"] else . end | listed;
def counted($one; $more): length as $count | if $count == 1 then "1 \($one)" else "\($count) \($more)" end;
def verb($one; $more): if length == 1 then $one else $more end;

# A value with its unit and its interval; "95 % interval" is said where it stands alone.
def interval_told($value; $low; $high; $digits; $unit; $alone):
  "\($value | shown($digits)) \($unit)"
    + if ($low | type == "number") and ($high | type == "number") then " (\(if $alone then "95 % interval " else "" end)\($low | shown($digits)) to \($high | shown($digits)))"
      else " (no interval)" end;
def told($column; $digits; $unit; $alone): interval_told(.[$column]; .["\($column)_low"]; .["\($column)_high"]; $digits; $unit; $alone);

# Times from nanoseconds to seconds: three digits that count, in the unit that suits the value.
def three_digits: if type == "number" then fabs | if . >= 100 then 0 elif . >= 10 then 1 else 2 end else 0 end;
def time_told($value; $low; $high; $alone):
  ($value | fabs | if . >= 1e6 then {factor: 1e-6, unit: "ms"} elif . >= 1000 then {factor: 1e-3, unit: "µs"} else {factor: 1, unit: "ns"} end) as $scale
  | def scaled: if type == "number" then . * $scale.factor else null end;
    interval_told($value | scaled; $low | scaled; $high | scaled; $value | scaled | three_digits; $scale.unit; $alone);

# What an order of rows, each a `test`, is in words. $words: at ("At 100 executions per second, "), things ("monitors"), of (" of CPU time per execution"), what
# ("CPU time per execution"). `alone` and `among` tell what a row costs, by itself and among others; `more` tells a difference, [value, low, high].
# Those that share an end of the order: nothing tells them from each other.
def each_told($most; among): map("\(.test) \(among)") | some_listed($most);
def group_told($most; $which; alone; among):
  "\(map(.test) | some_listed($most)) \(verb("costs"; "cost")) \($which)"
  + if length == 1 then ", \(.[0] | alone)" else " and are tied: \(each_told($most; among))" end;

# Whether each two of these have a row that tells of their difference.
def all_compared($differences; $figure; $rate):
  map(.test) as $names
  | [$differences[] | select(.figure == $figure and .exec_per_sec == $rate and (.difference_low | type == "number")) | [.test_a, .test_b | tostring] | sort | tojson] as $known
  | all(range($names | length) as $a | range($a + 1; $names | length) | [$names[$a], $names[.]] | sort | tojson; IN($known[]));

# By how much more one of two costs than the other: how much that is can be known better than what each costs.
def more_told($dear; $cheap; $differences; $figure; $rate; more):
  [$differences[] | select(.figure == $figure and .exec_per_sec == $rate) | .test_a |= tostring | .test_b |= tostring
    | if .test_a == $dear and .test_b == $cheap then [.difference, .difference_low, .difference_high]
      elif .test_a == $cheap and .test_b == $dear then [-.difference, -.difference_high, -.difference_low] else empty end][0]
  | " That is \(more).";

# $ranks: what ranks.jq gives for these rows.
def ranked_told($ranks; $differences; $figure; $rate; $words; alone; among; more):
  length as $count
  | sort_by(.test)
  | map(. + {best: ($ranks[.test].best == 1), worst: ($ranks[.test].worst == $count)})
  | map(select(.best and (.worst | not))) as $least
  | map(select(.worst and (.best | not))) as $most
  | map(select(.best and .worst)) as $anywhere
  | if all_compared($differences; $figure; $rate) | not then
      "\($words.at)how much the \($words.things) differ is not known, so they are not compared. \($words.what) (95 % intervals): \(each_told(6; among))."
    elif $count == ($anywhere | length) then
      "\($words.at)the \($count) \($words.things) are tied: no difference between two of them is significant. \($words.what) (95 % intervals): \(each_told(6; among))."
    else
      "\($words.at)\($least | group_told(4; "least"; alone; among))\($words.of). \($most | group_told(4; "most"; alone; among))."
      + (if ($least | length) == 1 and ($most | length) == 1 then more_told($most[0].test; $least[0].test; $differences; $figure; $rate; more) else "" end)
      + (if $anywhere == [] then "" else " Anywhere in this order could be \($anywhere | each_told(4; among))." end)
    end;
