# The answer of a run of a set of rules. Monitors are not compared with each other: how much they differ is not known.
include "words";

def of_figure($figure): map(select(.figure == $figure and (.added | type == "number"))) | sort_by(.monitor);
def costs_more: (.added_low | type) == "number" and .added_low > 0;
def costs_less: (.added_high | type) == "number" and .added_high < 0;
def has_no_interval: (.added_low | type) != "number";

# $what the rows are, then what leaves out zero, and what does not.
def added_told($what; $digits; $unit):
  def row_told: "\(.monitor) \(interval_told(.added; .added_low; .added_high; $digits; $unit; false))";
  def rows_told: map(row_told) | if length > 6 then .[:5] + ["\(length - 5) others"] else . end | join("; ");
  [ {but: "", rows: map(select(costs_more))},
    {but: "less than without it", rows: map(select(costs_less))},
    {but: "not distinguishable from nothing", rows: map(select((costs_more or costs_less or has_no_interval) | not))},
    {but: "not known to be anything, since it was measured once", rows: map(select(has_no_interval))} | select(.rows != []) ]
  | to_entries
  | map((if .key == 0 then $what + (if .value.but == "" then "" else ", " + .value.but end) else .value.but | (.[:1] | ascii_upcase) + .[1:] end) + ": \(.value.rows | rows_told).")
  | if . == [] then empty else join(" ") end;

# Counts, since a share that is not zero can be rounded to it.
def lost_told: if . == null or (.lost | type != "number") then "an unknown number" else "\(.lost) of \(.launched) executions" end;
def set_losses_told($points):
  of_figure("lost")
  | map(.monitor as $monitor | . + {before: [$points[] | select(.monitor == $monitor and .rules == 0)][0], after: [$points[] | select(.monitor == $monitor and .rules != 0)][0]})
  | (map(select(.before.lost == 0 and .after.lost == 0) | .monitor)) as $whole
  | [ (if $whole == [] then empty else "\($whole | some_listed(6)) recorded every execution, with the set and without it." end),
      (.[] | select(.monitor | IN($whole[]) | not)
        | "\(.monitor) lost \(.after | lost_told) with the set and \(.before | lost_told) without it"
          + (if costs_more then ", which is more by \(interval_told(.added; .added_low; .added_high; 2; "% of the executions"; true))."
             elif costs_less then ", which is less by \(interval_told(-.added; -.added_high; -.added_low; 2; "% of the executions"; true))."
             else ": no difference is shown." end)) ]
  | if . == [] then empty else join(" ") end;

def set_answer:
  .rules as $points | .sets as $rows
  | ([$points[] | select(.saturated == "true") | .monitor] | unique) as $saturated
  | ($rows | map(select(.monitor | IN($saturated[]) | not))) as $sound
  | ($points | map(.exec_per_sec | numbers) | first // "?") as $rate
  | if $rows == [] then ["Nothing can be said about what the set adds: no monitor was measured both with it and without it. The reasons are below."] else
      [ ($sound | of_figure("counted_us") | added_told("CPU time that the set adds to an execution, at \($rate) executions per second (95 % intervals)"; 0; "µs")),
        ($sound | of_figure("getppid") | added_told("What it adds to the cheapest system call, getppid, of a program that executes nothing"; 0; "ns")),
        ($rows | set_losses_told($points)),
        ($saturated | if . == [] then empty else "The host was saturated under \(some_listed(6)), with the set or without it: what it adds there is not said, since such figures are those of a lower rate." end) ]
    end;
