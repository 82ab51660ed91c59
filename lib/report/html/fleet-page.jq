# The page of several hosts beside each other: of what tables/fleet.jq gives.
# Takes: docs (where the pages are, null if nobody knows), columns ([{name: {unit, window, source, what}}]), files ([[{name, href, bytes, packed}]]), and what document (html.jq) does.
include "charts";
include "html";
include "layout";
include "words";
include "fleet-words";
include "shown";

def at_rate: .rate as $rate | [.costs[] | select(.exec_per_sec == $rate)];
def spreads_at: .rate as $rate | [.spreads[] | select(.exec_per_sec == $rate)];

# A block a monitor, of {right, left, blocks: [{name, rows: [{name, value, low, high, hollow, tip}]}]}; hosts that are many have no names beside their dots.
def host_blocks($narrow):
  . as $chart
  | (.blocks | map(.rows | length) | max) as $most
  | (if $narrow then 340 else 900 end) as $width
  | (if $most <= 12 then 20 elif $most <= 40 then 15 else 4 end) as $step
  | ($step >= 15 and ($narrow | not)) as $named
  | (if $named then ([.blocks[].rows[].name | cut(30) | long] | max) + 16 else 8 end) as $x0
  | ($width - 14) as $x1
  | def across: [[(. - $chart.left) / ($chart.right - $chart.left) * ($x1 - $x0) + $x0, $x0] | max, $x1] | min;
    (reduce .blocks[] as $block ({at: 0, blocks: []}; .blocks += [$block + {top: .at}] | .at += ($block.rows | length) * $step + 34)) as $placed
  | $placed.at as $bottom
  | {
      $width, height: ($bottom + 42),
      parts: (
        [ticks(.left; .right)[] | across as $x | stroke($x; 2; $x; $bottom; "grid"), write($x; $bottom + 15; "c f"; shown(3))]
        + [write(($x0 + $x1) / 2; $bottom + 36; "c f"; "% of what an execution costs there without a monitor"), stroke(0 | across; 2; 0 | across; $bottom; "base")]
        + [$placed.blocks[] | write(4; .top + 17; "n"; .name | cut(if $narrow then 36 else 60 end)),
            (.top as $top | .rows | to_entries[] | .value as $row | ($top + 30 + .key * $step) as $y
              | hover($row.tip;
                  ["<rect class=\"hit\" x=\"0\" y=\"\($y - $step / 2 | px)\" width=\"\($width)\" height=\"\($step)\"/>"]
                  + (if $named then [write($x0 - 8; $y + 4.5; "e"; $row.name | cut(30))] else [] end)
                  + (if $row.low | known then [stroke($row.low | across; $y; $row.high | across; $y; "w")] else [] end)
                  + ["<circle class=\"\(if $row.hollow then "dot hollow" else "dot" end)\" cx=\"\($row.value | across | px)\" cy=\"\($y | px)\" r=\"\(if $step < 10 then 1.5 else 4 end)\"/>"]))])
    };

def picture:
  ([.hosts[] | select(.compared).host]) as $hosts
  | [at_rate[] | select(.counted_overhead | known)]
  | if . == [] then "" else
      ([.[].counted_overhead] | max) as $most
      | ([[$most * 1.5, ([.[] | .counted_overhead, .counted_overhead_high | numbers] | max)] | min | if . > 0 then . else 1 end]) as [$right]
      | "<figure><figcaption>What an execution costs more on each host, in % of what it costs there without a monitor; whiskers: 95 % interval of that host's own run; hollow: the host was saturated.</figcaption>\n"
        + ({
            left: ([[([.[] | .counted_overhead, .counted_overhead_low | numbers] | min), 0] | min, -0.5 * $right] | max), right: ($right * 1.05),
            blocks: [group_by(.test)[] | {name: .[0].test, rows: [sort_by(.host as $host | $hosts | index($host))[] | {
              name: .host, value: .counted_overhead, low: .counted_overhead_low, high: .counted_overhead_high, hollow: (.saturated == "true"),
              tip: "\(.test) on \(.host): \(with_bounds("counted_overhead"; 1)) %\(if .saturated == "true" then "; host saturated" else "" end)"}]}]
          } | . as $chart | both("What an execution costs on each host, a dot a host; the same figures are in the table below"; $chart | host_blocks(false); $chart | host_blocks(true)))
        + "</figure>\n"
    end;

def asked:
  "What does it cost to have every program execution recorded, and does it cost the same on each of \(compared_hosts | length) hosts? Asked of \([.costs[].test] | unique | some_listed(8)) at \(.rates | map(tostring) | listed) executions per second.";

# Hosts that can't be told apart are not said to differ.
def spread_told($rate):
  "\(.test) costs from \(.lowest | shown(1)) % (\(.lowest_host)) to \(.highest | shown(1)) % (\(.highest_host)) of an execution"
  + (if (.deviation | type) != "number" then "; by how much of that the hosts differ is not known"
     elif .deviation_low > 0 then "; hosts differ by a standard deviation of \(.deviation | shown(1)) percentage points (95 % interval \(bounds("deviation"; 1))) beyond the errors of measuring"
     else ", which could all be errors of measuring" end) + ".";

def answer:
  .rate as $rate
  | [spreads_at[] | select(.why == null and .hosts > 1 and .lowest != null)] as $spreads
  | [.orders[] | select(by_chance | not)] as $orders
  | (if $spreads == [] then ["Nothing can be compared between these hosts\(if (compared_hosts | length) < 2 then ": fewer than two have a run that can be" else "" end)."]
     else ["At \($rate) executions per second, \($spreads[0] | spread_told($rate))"] + [$spreads[1:6][] | spread_told($rate)]
       + (if ($spreads | length) > 6 then ["The others are in the table of what hosts differ by."] else [] end) end)
  + (if $orders == [] then (if $spreads == [] then [] else ["No two monitors change places from one host to another by more than chance could make them."] end)
     else [$orders | sort_by(.chance)[:3][] | "At \(.exec_per_sec) executions per second, \(sides_text)"] + (if ($orders | length) > 3 then ["\(($orders | length) - 3) more pairs of monitors change places."] else [] end) end)
  + (if left_out == [] then [] else ["Not compared: \([left_out[] | "\(.host) (\(.why))"] | some_listed(4))."] end);

def hosts_table:
  [.hosts[] | [(.host | name_cell), (.os | text_cell), (.kernel | text_cell), (.machine | text_cell), (.cpu_model | text_cell), (.cpus | number_cell(0)), (.virtualisation | text_cell), (.exectax | text_cell), (.state | text_cell),
    ([(.why | strings), (if .skipped == {} then empty else "skipped: \(.skipped | keys | join(", "))" end)] | join("; ") | text_cell)]]
  | table("The hosts, and why the run of one is not compared"; ["host", "distribution", "kernel", "architecture", "CPU", "CPUs", "virtualisation", "exectax", "run", "notes"]);

def costs_table($columns):
  (at_rate | sort_by(.test, .host) | map([(.test | name_cell), (.host | text_cell), figure_cell("counted_overhead"; 1), figure_cell("counted_us"; 0), figure_cell("baseline_us"; 0), (.inprogram_method | text_cell), (.lost | number_cell(0)), (.reps | number_cell(0)),
    ([(if .saturated == "true" then "host saturated" else empty end), (if (.status // "ok") != "ok" then "\(.status): \(.reason)" else empty end)] | join("; ") | text_cell)])) as $rows
  | if $rows == [] then "" else
      ($rows | table("What an execution costs on each host: means, 95 % intervals beside them"; ["monitor", "host", "of an execution|%", "counted|µs", "baseline|µs", "method", "lost|executions", "cells", "notes"]))
      + "<p>µs are of that host's CPUs, and not to be compared between hosts.</p>\n"
      + sources($columns; ["counted_us", "baseline_us", "inprogram_method", "lost"])
    end;

def spreads_table:
  [.spreads | sort_by(.test, .exec_per_sec)[]
    | [(.test | name_cell), (.exec_per_sec | number_cell(0)), (.hosts | number_cell(0)), (.lowest | number_cell(1)), (.lowest_host | text_cell), (.highest | number_cell(1)), (.highest_host | text_cell), figure_cell("deviation"; 2),
       ([(if .why or .hosts < 2 or .deviation == null or .deviation_low <= 0 then spread_text else empty end), (if .saturated > 0 then "\(.saturated) hosts were saturated" else empty end)] | join("; ") | text_cell)]]
  | if . == [] then "" else
      table("What hosts differ by: lowest and highest cost, and the standard deviation between hosts with its 95 % interval";
        ["monitor", "rate|1/s", "hosts", "lowest|% of an execution", "on", "highest|% of an execution", "on", "between hosts|percentage points", "notes"])
      + "<p>The standard deviation is that of many hosts of which these are taken to be drawn, without the errors of measuring each. What two runs on one host differ by is in it. Source: counted_overhead of each host's own run, with its interval and degrees of freedom.</p>\n"
    end;

def orders_table:
  [.orders | sort_by(.chance)[] | . as $order | .on[]
    | [($order.test_a + " less " + $order.test_b | name_cell), ($order.exec_per_sec | number_cell(0)), (.host | text_cell),
       "<td data-v=\"\(.value)\">\(.value | shown(1)) <span class=\"i\">\(interval(.low; .high; 1))</span></td>",
       ("\($order.a_cheaper) / \($order.b_cheaper) of \($order.hosts)" | text_cell), ($order.goes_with | text_cell), (if $order | by_chance then "could be chance" else "" end | text_cell)]] as $rows
  | if $rows == [] then "No two monitors change places from one host to another beyond their 95 % intervals." | paragraph
    else
      ($rows[:500] | table("Pairs of which one is cheaper on some hosts and dearer on others\(if ($rows | length) > 500 then " (the first 500 of \($rows | length) rows)" else "" end): differences on those hosts where the 95 % interval leaves out zero";
        ["pair", "rate|1/s", "host", "difference|% of an execution", "hosts where less / more", "what tells the hosts apart (less / more)", "notes"]))
      + "<p>Even of two monitors that cost the same everywhere, one host in forty would say less and one in forty more: that so many hosts could disagree by chance is noted. What tells hosts apart need not be the reason.</p>\n"
    end;

def link($page; $title): if $docs then "<a href=\"\($docs + "/" + $page | text)\">\($title | text)</a>" else "\($title | text) (docs/\($page | text))" end;
def method:
  "<p>Each host was measured by a run of its own, against a baseline of its own. Hosts are never pooled: what is compared are shares of what an execution itself costs on the same host. Runs of another exectax, or with other windows or another environment of the launched program, are listed and not compared.</p>\n"
  + "<p>More: \([link("fleet.md"; "runs on many hosts"), link("figures.md"; "how intervals are made"), link("accounting.md"; "where each figure comes from"), link("report.md"; "how to read this page")] | join(", ")).</p>\n";

([["costs", "On each host", "What an execution costs on each host", costs_table($columns[0])],
  ["spreads", "Between hosts", "What hosts differ by", spreads_table],
  ["orders", "Order", "Where hosts disagree on the order of two monitors", orders_table],
  ["hosts", "Hosts", "The hosts", hosts_table],
  ["method", "Method", "Method", method],
  ["data", "Data", "Tables", "<p>The tables that this page is made of, to save:</p>\n" + ($files[0] | saved_files)
    + (if .redacted then "The hosts' names are left out of this page (--redact)." | paragraph else "" end)]]) as $sections
| {title: "exectax: \(.hosts | length) hosts\(if .name then ": " + .name else "" end)", heading: "What watching every execution costs, on \(.hosts | length) hosts",
   under: ["\([compared_hosts[].os | values] | unique | some_listed(4)); \(compared_hosts | length) of \(.hosts | length) hosts compared"],
   asked: asked, answer: answer, picture: picture, $sections, footer: "Made by exectax from the tables of the hosts' runs."}
| document($ARGS.named)
