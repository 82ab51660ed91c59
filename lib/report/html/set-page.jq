# The sections of a run of a set of rules.
include "shown";
include "layout";
include "html";
include "charts";
include "words";
include "answer-set";

def payer: {counted_us: "all that is counted", daemon_us: "daemon", services_us: "services", program_us: "in the program", parent_us: "its parent"}[.figure];
def set_points($saturated): map(select((payer != null) and (.added | known) and (.monitor | IN($saturated[]) | not)));

# What the set adds and who pays, of few monitors; of many, what it adds.
def set_picture:
  ([.rules[] | select(.saturated == "true") | .monitor] | unique) as $saturated
  | (.sets | set_points($saturated))
  | (if (map(.monitor) | unique | length) > 3 then map(select(.figure == "counted_us")) else . end)
  | if . == [] then "" else
      "<figure><figcaption>CPU time that the set adds to an execution, and who pays it; whiskers: 95 % intervals of the difference; hollow: not distinguishable from nothing.</figcaption>\n"
      + ({axis: "µs of CPU time per execution, more than without the set",
          rows: [sort_by(.monitor)[] | {
            name: "\(.monitor), \(payer)", value: .added, low: .added_low, high: .added_high,
            class: (if costs_more then "more" elif costs_less then "less" else null end),
            text: interval_told(.added; .added_low; .added_high; 1; "µs"; false), short: "\(.added | shown(1)) µs",
            tip: "\(.monitor), \(payer): \(interval_told(.added; .added_low; .added_high; 1; "µs"; true)) more with the set; without it \(interval_told(.without; .without_low; .without_high; 1; "µs"; false)), with it \(interval_told(.with; .with_low; .with_high; 1; "µs"; false))"}]}
        | difference_chart("What the set adds to an execution, a bar a monitor and who pays; the same figures are in the table below"))
      + "</figure>\n"
    end;

def set_digits: if (.unit | tostring | startswith("ns")) or (.figure | IN("memory_peak_bytes", "start_ms", "log_bytes")) then 0 elif .figure == "lost" then 3 else 1 end;
def set_table:
  .columns as $columns
  | ([.rules[] | select(.saturated == "true") | .monitor] | unique) as $saturated
  | [.sets[] | set_digits as $digits
      | [(.monitor | name_cell), (.figure | text_cell), (.unit | text_cell), figure_cell("without"; $digits), figure_cell("with"; $digits), figure_cell("added"; $digits),
         ("\(.reps_without), \(.reps)" | text_cell),
         ([(if .monitor | IN($saturated[]) then "host saturated" else empty end),
           (if has_no_interval then "no interval" elif (costs_more or costs_less) then empty else "not distinguishable from 0" end)] | join("; ") | text_cell)]]
  | table("Without the set, with it, and the difference: means, 95 % intervals beside them"; ["monitor", "figure", "unit", "without it", "with it", "added", "cells without, with", "notes"])
  + "<p>Figures in µs are per execution; in ns a call, what a system call takes more than without a monitor. Losses are means of the cells' shares.</p>\n"
  + sources($columns; ["counted_us", "daemon_us", "services_us", "program_us", "parent_us", "side_slowdown_p50_us", "log_bytes", "memory_peak_bytes", "start_ms"]);

def left_out_table:
  if . == null or . == [] then "Nothing of its files was left out." | paragraph
  else map([(.place | name_cell), (.line | text_cell), (.reason | text_cell)]) | table("What was left out of the set, and why"; ["place", "line", "reason"]) end;
def set_section:
  (.manifest.options // {}) as $options
  | if .manifest.set == null then "The run ended before its set of rules was loaded." | paragraph else
      (.manifest.set
        | ([["name", .name], ["rules in its files", .rules], ["in force", .loaded], ["format", .format],
            ["besides executing, the load does", ($options.mix | if type == "array" and length > 0 then join(", ") else "nothing" end)],
            ["login uid of the load", ($options.login_uid | if . == null or . == "" then "none" else . end)]] | facts)
          + ([.files // [] | .[] | [(.path | name_cell), "<td class=\"t\"><code class=\"sum\">\(.sha256 | text)</code></td>"]] | if . == [] then "" else table("Its files"; ["file", "SHA-256"]) end)
          + (.left_out | left_out_table))
    end;

def set_sections: [["added", "Added", "What the set adds", if .sets == [] then "" else set_table end], ["set", "The set", "The set of rules", set_section]];

def set_asked:
  "What does the set of rules \(.manifest.set.name // .manifest.options.set // "") add to what a monitor costs? \(.manifest.set | if . == null then "" else "\(.rules) rules, \(.loaded) of them in force. " end)Asked of \(.rules | map(.monitor | tostring) | unique - ["none"] | if . == [] then "no monitor" else some_listed(8) end) at \(.manifest.options.rate_per_sec // (.rules | map(.exec_per_sec | numbers) | first) // "one rate") executions per second, without the set and with it.";

def set_method:
  " What the set adds is the difference between cells with it and cells without it, of the same monitor. Rules of the set come before the monitor's own, which still records every execution; what the kernel refused, and what is no rule, is left out for all monitors.";
