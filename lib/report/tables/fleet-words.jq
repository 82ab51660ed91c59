# Several hosts beside each other, in words.
include "shown";

def bounds($column; $digits): .["\($column)_low"] as $low | .["\($column)_high"] as $high
  | if ($low | type == "number") and ($high | type == "number") then "\($low | shown($digits)) to \($high | shown($digits))" else "no interval" end;
def with_bounds($column; $digits): .[$column] as $mean | if ($mean | type) != "number" then "–" else "\($mean | shown($digits)) (\(bounds($column; $digits)))" end;

# A series' spread: hosts that may all be the same are not said to differ.
def spread_text:
  if .why then "not compared: \(.why)"
  elif .hosts < 2 then "one host"
  elif (.deviation | type) != "number" then "not known, for want of intervals"
  elif .deviation_low > 0 then with_bounds("deviation"; 2)
  elif .deviation_high then "not distinguishable from none (at most \(.deviation_high | shown(2)))"
  else "not distinguishable from none" end;

# With so many hosts, chance alone could make as many of them disagree.
def by_chance: .chance > 0.05;
def sides_text:
  "\(.test_a) costs less than \(.test_b) on \(.a_cheaper) of \(.hosts) hosts, more on \(.b_cheaper)"
  + (if by_chance then "; as many could be so by chance" else "" end)
  + (if .goes_with != "" then ". What tells these hosts apart (less / more): \(.goes_with)" else ". Nothing that is known tells these hosts apart" end) + ".";

def compared_hosts: [.hosts[] | select(.compared)];
def left_out: [.hosts[] | select(.compared | not)];
