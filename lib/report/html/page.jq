# The page of a run. Takes its data as one object:
#   kind (sweep, saturate, rules, set, engines), name (of the folder), rate, manifest, redacted, docs (where the pages are, null if nobody knows)
#   perf, differences, ranks, syscalls, cells, rounds, saturation, soak, experiment, rules, fits, sets, engines, engine_fits, engine_differences: rows of the tables, [] where a run has none; ceilings
#   families (rows of plots/families.csv), columns (build/figures --columns: {name: {unit, window, source, what}})
#   precision: what the report says of it, empty if nothing
#   starts: {monitor: [{start, digest, files: [{name, size, sha256, text}]}]}
#   graphs: {monitor: SVG}
# and as arguments files ([[{name, href, bytes, packed}]]), style, script, style_hash, script_hash.
# Each module before those that it includes: some versions of jq abort otherwise.
include "noise";
include "sweep-page";
include "saturate-page";
include "rules-page";
include "answer";
include "set-page";
include "engines-page";
include "median";
include "combinations";
include "growth";
include "answer-engines";
include "engine-order";
include "answer-set";
include "words";
include "charts";
include "html";
include "shown";
include "parts";
include "ranks";
include "looks";
include "engine-lines";
include "layout";


def asked: if .kind == "saturate" then saturate_asked elif .kind == "rules" then rules_asked elif .kind == "set" then set_asked elif .kind == "engines" then engines_asked else sweep_asked end;
def picture: if .kind == "saturate" then lossless_picture elif .kind == "rules" then rules_picture elif .kind == "set" then set_picture elif .kind == "engines" then engines_picture else parts_picture end;
def sections: if .kind == "saturate" then saturate_sections elif .kind == "rules" then rules_sections elif .kind == "set" then set_sections elif .kind == "engines" then engines_sections else sweep_sections end;

def configuration:
  if . == null or . == [] then "" else
    . as $starts
    | ($starts | group_by(.digest) | sort_by(-length)) as $alike
    | "<h4>Configuration, and what else it kept</h4>\n"
      + (if ($alike | length) == 1 then "\(if ($starts | length) == 1 then "Its start had this" else "All \($starts | length) starts had the same" end) configuration, SHA-256 \($starts[0].digest)."
         else "\($starts | length) starts had \($alike | length) different configurations: \($alike[:12] | map("\(.[0].digest[:12])… (\(map(.start) | if length > 6 then .[:6] + ["\(length - 6) more"] else . end | join(", ")))") | join("; ")). Shown is that of \($starts[0].start), SHA-256 \($starts[0].digest)." end | paragraph)
      + ($starts[0].files | map("<li><code>\(.name | text)</code>, SHA-256 <code class=\"sum\">\(.sha256)</code>"
          + (if .text then "<pre tabindex=\"0\">\(.text | text)</pre>" else "" end) + "</li>") | "<ul class=\"files\">\n\(join("\n"))\n</ul>\n")
  end;

def rates_table($rows):
  $rows | sort_by(.exec_per_sec // 0)
  | map([(.test | if tostring | contains("+") then tostring else null end) as $test | (if $test then $test else .exec_per_sec end | name_cell),
      (.status // "" | text_cell), figure_cell("cpu"; 2), figure_cell("total_us"; 0), figure_cell("counted_us"; 0), figure_cell("daemon_us"; 0), figure_cell("inprogram_us"; 0), (.reps | number_cell(0)), (.lost | number_cell(0)),
      ([(.reason | strings | select(. != "")), (if .saturated == "true" then "host saturated" else empty end)] | join("; ") | text_cell)])
  | table("At each rate: means, 95 % intervals beside them"; ["rate, 1/s", "status", "CPU|% of one CPU", "total|µs", "counted|µs", "daemon|µs", "in the program|µs", "cells", "lost|executions", "notes"]);

def monitor_section($index; $data):
  . as $monitor
  | [$data.perf[] | select(.test | base_name == $monitor)] as $rows
  | "<details class=\"monitor\" id=\"m\($index)\"><summary><h3>\(text)</h3></summary>\n"
    + ([(($data.manifest.versions // {})[$monitor] | select(. != null) | "Version \(.)."),
        (($data.manifest.binaries // {})[$monitor] // [] | .[] | "\(.path), SHA-256 \(.sha256).")] | join(" ") | if . == "" then "" else paragraph end)
    + (if $rows == [] then "" else rates_table($rows) end)
    + ($data.starts[$monitor] | configuration)
    + (if $data.graphs[$monitor] then "<h4>Flame graph</h4>\n<div class=\"scroll flame\" tabindex=\"0\" role=\"group\" aria-label=\"Flame graph of \(text)\">\($data.graphs[$monitor])</div>\n" else "" end)
    + "</details>\n";

def without_figures:
  ([.perf[], .saturation[], .soak[], .rules[] | select(.status != null and .status != "ok" and .status != "")
      | [(.test // .monitor | name_cell), (if (.exec_per_sec | type) == "number" then .exec_per_sec | number_cell(0) else none_cell end), (.status | text_cell), (.reason | text_cell)]]
    + (.perf as $perf | [.manifest.skipped // {} | to_entries[] | select(.key as $name | all($perf[]; .test | tostring != $name)) | [(.key | name_cell), none_cell, ("skipped" | text_cell), (.value | text_cell)]])
    | unique) as $rows
  | if .kind == "engines" then engines_without_figures
    elif $rows == [] then "Nothing was skipped, and nothing failed." | paragraph
    else $rows | table("What has no figures, or lacks some, and why"; ["monitor", "rate|1/s", "status", "reason"]) end;

def noise:
  (.cells | length) as $count
  | (if .kind == "engines" then engines_noise elif $count == 0 then "" elif .kind == "saturate" then
      ["\($count) rounds were measured: \(.cells | statuses_told).", (.cells | steal_told)] | join(" ") | paragraph
    else .cells | cells_told | paragraph end)
  + (.manifest.host.load_before | if type == "array" then "Load before the run: \(map(tostring) | join(", "))." | paragraph else "" end)
  + (.precision | if . == "" then "" else paragraph end)
  + ([.perf[] | select(.test == "none" and (.baseline_us | type == "number"))] | if . == [] then "" else
      map([(.exec_per_sec | name_cell), figure_cell("baseline_us"; 0), figure_cell("host_busy"; 1), figure_cell("host_steal"; 1), (.reps | number_cell(0))])
      | table("What an execution costs without a monitor, and how well that is known: means, 95 % intervals beside them"; ["rate|1/s", "baseline|µs", "host busy|% of one CPU", "steal|% of one CPU", "cells"]) end)
  + (.cells | marked_cells);

def host:
  (.kind as $kind | .name as $name | .manifest
    | (host_facts + [["exectax", .exectax], ["run", $name], ["started", .started], ["ended", .ended], ["state", .state]] | facts)
      + ([.versions // {} | to_entries[] | [(.key | name_cell), (.value | text_cell)]] | if . == [] then "" else table("Versions of what was measured"; [(if $kind == "engines" then "module" else "monitor" end), "version"]) end)
      + details("Options of the run"; .options | options_facts));

def link($page; $title): if .docs then "<a href=\"\(.docs + "/" + $page | text)\">\($title | text)</a>" else "\($title | text) (docs/\($page | text))" end;
def method:
  (if .kind == "engines" then engines_method else
    "Executions are launched at fixed instants, whatever the monitor does, each with a tag of its own. One monitor runs at a time, alone, in a cgroup of its own; all of them are measured in passes, in a new order each, with measurements without a monitor in between. CPU time is read from the kernel's counters at both ends of a window, and each launch is looked for in the monitor's log. Means have 95 % intervals from how measurements scatter; two monitors are told apart only if the interval of their difference leaves out zero."
    + (if .kind == "set" then set_method else "" end) end | paragraph)
  + "<p>More: " + ([(if .kind == "engines" then empty else link("accounting.md"; "where each figure comes from") end), link("figures.md"; "how intervals are made"),
      ({saturate: link("saturation.md"; "how rates are found"), rules: link("rules.md"; "cost by number of rules"), set: link("rules.md"; "sets of rules"), engines: link("engines.md"; "rule engines")}[.kind]
        // link("delivery.md"; "delivery delay")),
      link("report.md"; "how to read this page")] | join(", ")) + ".</p>\n";

def data_section:
  "<p>The tables that this page is made of, to save:</p>\n" + ($files[0] | saved_files)
  + (if .redacted then "Host names, paths, configurations, flame graphs and what programs wrote are left out of this page (--redact)." | paragraph else "" end);

def headings: {sweep: "What watching every execution costs", saturate: "How much each monitor takes before it loses events", rules: "What a rule costs", set: "What a set of rules adds",
  engines: "What rule engines cost an event"};

. as $data
| {
    title: "exectax \(.kind)\(if .name then ": " + .name else "" end)",
    heading: (headings[.kind] // .kind),
    under: [.host_line],
    asked: asked, answer: answer, picture: picture,
    sections: (sections
      + (if .kind == "engines" then [] else
          [["monitors", "Monitors", "Monitors", "<p>What each one ran with, and where its CPU time went.</p>\n" + (monitors | to_entries | map(.key as $index | .value | monitor_section($index; $data)) | add // "")]] end)
      + [["missing", "Without figures", "What has no figures", without_figures], ["noise", "Noise", "Noise of this run", noise], ["host", "Host", "Host and versions", host], ["method", "Method", "Method", method], ["data", "Data", "Raw data", data_section]]),
    footer: "Made by exectax \(.manifest.exectax // "") from the raw files of the run."
  }
| document($ARGS.named)
