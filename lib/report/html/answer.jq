# The answer of a run in a few sentences, from its tables. What is compared, and how, is in ranks.csv and differences.csv.
include "shown";
include "ranks";
include "combinations";
include "growth";
include "words";
include "answer-engines";
include "answer-set";

def could_be_nothing: (.total_us_low | type == "number") and .total_us_low <= 0;

# What a monitor costs among others: that it could be nothing is said with its interval.
def cost_told($alone):
  could_be_nothing as $nothing | told("total_us"; 0; "µs"; $alone) | if $nothing then rtrimstr(")") + ", not distinguishable from none)" else . end;

def of_an_execution: " of the machine's CPU time an execution";
def overhead_told: if (.total_overhead | type) == "number" then ", \(.total_overhead | shown(1)) % of what that costs without a monitor" else "" end;

# One monitor that nothing is compared with.
def alone_told($rate):
  if could_be_nothing then "At \($rate) executions per second, what \(.test) adds is not distinguishable from nothing: \(told("total_us"; 0; "µs"; true))\(of_an_execution)."
  else "At \($rate) executions per second, \(.test) adds \(told("total_us"; 0; "µs"; true))\(of_an_execution)\(overhead_told)."
    + (if (.daemon_us | type) == "number" then " Of that, its own processes, which top shows, take \(told("daemon_us"; 0; "µs"; false))." else "" end)
  end;

# Neighbours by their totals whose totals do not differ significantly and whose counted parts do.
def counted_apart_told($differences; $rate):
  ($differences | significances("total_us"; $rate)) as $by_total
  | ($differences | significances("counted_us"; $rate)) as $by_counted
  | sort_by(.total_us, .test)
  | [range(1; length) as $i | [.[$i - 1], .[$i]] | select((map(.test) | pair) as $pair | $by_total[$pair] != true and $by_counted[$pair] == true)
      | sort_by(.counted_us) | "\(.[0].test) and \(.[1].test) (\(.[0].counted_us | shown(0)) and \(.[1].counted_us | shown(0)) µs)"]
  | if . == [] then empty else "The totals of these neighbours do not differ significantly, but their counted parts do: \(some_listed(4))." end;

# Monitors that have a rank are compared.
def costs_told($ranks; $differences; $rate):
  costs_at($rate) as $rows
  | ($rows | map(select($ranks[.test] | is_ranked))) as $ranked
  | ($rows | map(select($ranks[.test].apart // "" | . != "") | . + {apart: $ranks[.test].apart})) as $apart
  | ($apart | map(select(.apart | test("no interval")))) as $once
  | [ (if ($ranked | length) == 1 then $ranked[0] | alone_told($rate) elif ($ranked | length) > 1 then
         $ranked
         | ranked_told($ranks; $differences; "total_us"; $rate;
             {at: "At \($rate) executions per second, ", things: "monitors", of: of_an_execution, what: "CPU time that the machine takes more for an execution"};
             cost_told(true); cost_told(false); "\(.[0] | shown(0)) µs more (\(.[1] | shown(0)) to \(.[2] | shown(0)))"),
           counted_apart_told($differences; $rate) else empty end),
      (if ($once | length) == 1 and $ranked == [] then $once[0] | alone_told($rate)
       elif $once == [] then empty
       else "At \($rate) executions per second, without an interval and so not compared: \($once | each_told(6; cost_told(false)))\(of_an_execution)." end),
      ($apart - $once | if . == [] then empty else
        "Not ranked: \(group_by(.apart) | map("\(map(.test) | sort | some_listed(6)) (\(.[0].apart))") | some_listed(6))." end) ];

# Without a baseline only what the monitor itself takes is known.
def cpu_told:
  [group_by(.test)[] | map(select(.cpu | type == "number")) | select(length > 0) | max_by(.exec_per_sec)
    | "\(.test) took \(told("cpu"; 1; "% of one CPU"; true)) at \(if .exec_per_sec > 0 then "\(.exec_per_sec) executions per second" else "rest" end)."];

def percent_text: if . < 0.1 then "less than 0.1 %" else "\(shown(1)) %" end;
def losses_told:
  ([group_by(.test)[] | select(any(.[]; .launched | type == "number") and all(.[]; .lost | type != "number")) | .[0].test]) as $uncounted
  | [group_by(.test)[] | map(select(.lost | type == "number")) | select(length > 0)
    | {test: .[0].test, lost: (map(.lost) | add), launched: (map(.launched) | add)}]
  | map(select(.lost <= 0)) as $whole
  | map(select(.lost > 0 and .lost >= .launched)) as $deaf
  | map(select(.lost > 0 and .lost < .launched)) as $lossy
  | [ (if $whole == [] then empty else
        "\($whole | map(.test) | some_listed(6)) recorded every one of \($whole | if length == 1 then "its \(.[0].launched) executions" else "their executions" end)." end),
      (if $lossy == [] then empty else "\($lossy | sort_by(-.lost / .launched) | map("\(.test) lost \(.lost) of \(.launched) executions (\(100 * .lost / .launched | percent_text))") | some_listed(6))." end),
      ($deaf[] | "\(.test) recorded none of its \(.launched) executions."),
      ($uncounted | if . == [] then empty else "Of \(some_listed(6)) no executions were counted." end) ]
  | if . == [] then empty else join(" ") end;

def without_figures_told:
  [group_by(.test)[] | select(all(.[]; .cpu | type != "number")) | {test: .[0].test, status: ([.[].status] | unique | join(", "))}] | group_by(.status)
  | if . == [] then empty else "Without figures: \(map("\(map(.test) | some_listed(6)) (\(.[0].status))") | join("; ")). The reasons are below." end;

def sweep_answer($ranks; $differences; $rate; $attached):
  map(.test |= tostring) | map(select(.test != "none")) as $rows
  | if all($rows[]; .cpu | type != "number") then
      if $rows == [] then ["No monitor was measured, only the baseline."]
      else ["Nothing can be said about what watching costs: none of \($rows | map(.test) | unique | counted("monitor"; "monitors")) has figures.", ($rows | without_figures_told)] end
    else
      ($rows | costs_told($ranks | ranks($rate); $differences; $rate)) as $costs
      | (if $attached or all($rows[]; .total_us | type != "number") then $rows | cpu_told else $costs end) + [$rows | losses_told, without_figures_told]
    end;

# The highest rates without a loss. Searches have no 95 % intervals, so nothing is ranked: what is between the lowest and the highest search is said.
def searched($reps): if ($reps | type) == "number" and $reps > 1 then " (\(.lossless_lowest | shown(0)) to \(.lossless_highest | shown(0)))" else " (one search)" end;
def under: "\(.monitor)\(if .combination == "no limits" then "" else " with \(.combination)" end)";
def saturate_answer:
  map(select(.lossless_per_sec | type == "number")) as $found
  | ($found | map(select(.bound == "monitor")) | sort_by(.monitor, place_of_combination)) as $limited
  | ($found | map(select(.bound != "monitor")) | sort_by(.monitor, place_of_combination)) as $bounds
  | (map(select(.lossless_per_sec | type != "number")) | sort_by(.test | tostring)) as $others
  | if $found == [] then ["No rate without a loss was found for any monitor."] else
      def each_rate: map("\(under) \(.lossless_per_sec | shown(0))\(searched(.reps))") | some_listed(5);
      "Events per second without a loss (medians of searches, lowest to highest)" as $what
      | [ ($limited | if . == [] then empty else "\($what): \(each_rate)." end),
        ($bounds | if . == [] then empty else "\(if $limited == [] then "\($what), at" else "At" end) least, since the host, the load or --max-rate\(if any(.[]; .bound == "failed") then ", or a round that failed," else "" end) was the limit and not the monitor: \(each_rate)." end),
        "Searches are too few for 95 % intervals: nothing is ranked here, and rates whose ranges overlap are not told apart." ] end
    + [if $others == [] then empty else "Without a rate: \($others | map("\(.test) (\(if .status == "ok" or .status == null then "lost events at every rate" else .status end))") | some_listed(6))." end];

# What was lost in soaks, and whose memory grew.
def soak_answer($options):
  map(select(.status == "ok")) | sort_by((.monitor | tostring), place_of_combination, .rep)
  | (map(select((.lost | type) == "number" and .lost > 0))) as $lossy
  | (map(select((.growth_bytes_per_s_low | type) == "number" and .growth_bytes_per_s_low > 0))) as $growing
  | if . == [] then [] else
      ["In \(counted("soak"; "soaks")) of \($options.soak_s) s at \($options.soak_percent) % of such a rate, "
        + (if $lossy == [] then "nothing was lost" else "events were lost under \($lossy | map("\(under) (\(.lost | shown(0)) of \(.launched | shown(0)))") | some_listed(5))" end)
        + (if $growing == [] then ", and no memory was shown to grow." else ". Memory: \($growing | map("\(under) \(growth_text)") | some_listed(5))." end)]
    end;

# What a rule adds, in ns per execution, of a line.
def slope_told:
  "\(.monitor), \(.kind): \(.slope * 1000 | shown(0)) ns"
  + if (.slope_low | type == "number") then " (\(.slope_low * 1000 | shown(0)) to \(.slope_high * 1000 | shown(0)))" else " (no interval)" end;
def each_slope: sort_by(.monitor, .kind) | map(slope_told) | if length > 6 then .[:5] + ["\(length - 5) others"] else . end | join("; ");
def rules_answer:
  map(select(.figure == "counted_us" and (.slope | type == "number")))
  | . as $lines
  | ($lines | map(select((.slope_low | type == "number") and .slope_low > 0))) as $cost
  | ($lines - $cost | map(select((.slope_low | type == "number") and .slope_high >= 0))) as $flat
  | ($lines - $cost - $flat) as $others
  | if $lines == [] then ["No line could be laid through what was measured: nothing can be said about what a rule costs."] else
      [ (if $cost == [] then empty else "CPU time that each added rule costs an execution, by monitor and kind of rule (95 % intervals): \($cost | each_slope)." end),
        (if $flat == [] then empty else "Not distinguishable from nothing: \($flat | each_slope)." end),
        (if $others == [] then empty else "Not known to cost something, being below zero or without an interval: \($others | each_slope)." end) ] end;

def interrupted: if .manifest.state == "complete" or .manifest.state == null then [] else ["The run did not go to its end\(if .manifest.reason then " (\(.manifest.reason))" else "" end): this is what it had measured."] end;

def own_builds_told:
  [.manifest.own_builds // {} | select(. != {}) | "† Own builds: \(to_entries | map("\(.key)\(if .value != "" then " (\(.value))" else "" end)") | join("; "))."];

# Of the whole data (page.jq says what is in it): paragraphs.
def answer:
  interrupted
  + (if .kind == "saturate" then (.saturation | saturate_answer) + (.manifest.options as $options | .soak // [] | soak_answer($options))
    elif .kind == "engines" then engines_answer
    elif .kind == "set" then set_answer
    elif .kind == "rules" then .fits | rules_answer
    else .differences as $differences | .rate as $rate | (.manifest.options.attached == true) as $attached | (.ranks // []) as $ranks | .perf | sweep_answer($ranks; $differences; $rate; $attached) end)
  + own_builds_told;
