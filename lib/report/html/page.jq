# The page of a run. Takes its data as one object:
#   kind, name (of the folder), rate, manifest, redacted, docs (where the pages are, null if nobody knows)
#   perf, differences, syscalls, cells, rounds, saturation, rules, fits: rows of the tables, [] where a run has none; ceilings
#   families (rows of plots/families.csv), columns (build/figures --columns: {name: {unit, window, source, what}})
#   precision: what the report says of it, empty if nothing
#   starts: {monitor: [{start, digest, files: [{name, size, sha256, text}]}]}
#   graphs: {monitor: SVG}
# and as arguments files ([[{name, href, bytes, packed}]]), style, script, style_hash, script_hash.
include "shown";
include "median";
include "html";
include "answer";
include "sweep-page";
include "saturate-page";
include "rules-page";


def asked: if .kind == "saturate" then saturate_asked elif .kind == "rules" then rules_asked else sweep_asked end;
def picture: if .kind == "saturate" then lossless_picture elif .kind == "rules" then rules_picture else parts_picture end;
def sections: if .kind == "saturate" then saturate_sections elif .kind == "rules" then rules_sections else sweep_sections end;

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
      (.status // "" | text_cell), figure_cell("cpu"; 2), figure_cell("accounted_us"; 0), figure_cell("daemon_us"; 0), figure_cell("inband_us"; 0), (.reps | number_cell(0)), (.lost | number_cell(0)),
      ([(.reason | strings | select(. != "")), (if .saturated == "true" then "host saturated" else empty end)] | join("; ") | text_cell)])
  | table("At each rate: means, 95 % intervals beside them"; ["rate, 1/s", "status", "CPU|% of one CPU", "accounted|µs", "daemon|µs", "in-band|µs", "cells", "lost|executions", "notes"]);

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
  ([.perf[], .saturation[], .rules[] | select(.status != null and .status != "ok" and .status != "")
      | [(.test // .monitor | name_cell), (if (.exec_per_sec | type) == "number" then .exec_per_sec | number_cell(0) else none_cell end), (.status | text_cell), (.reason | text_cell)]]
    + (.perf as $perf | [.manifest.skipped // {} | to_entries[] | select(.key as $name | all($perf[]; .test | tostring != $name)) | [(.key | name_cell), none_cell, ("skipped" | text_cell), (.value | text_cell)]])
    | unique) as $rows
  | if $rows == [] then "Nothing was skipped, and nothing failed." | paragraph
    else $rows | table("What has no figures, or lacks some, and why"; ["monitor", "rate|1/s", "status", "reason"]) end;

def steal_told:
  [.cells[] | .host_steal | numbers]
  | if . == [] then empty else "The hypervisor took \(median | shown(1)) % of one CPU in the median cell, \(max | shown(1)) % at most." end;
def noise:
  (.cells | length) as $count
  | (if $count == 0 then "" elif .kind == "saturate" then
      (["\($count) rounds were measured: \(.cells | group_by(.status) | map("\(length) \(.[0].status)") | join(", ")).", steal_told] | join(" ") | paragraph)
    else
      ([.cells[] | select(.marks | tostring | contains("steal"))] | length) as $disturbed
      | (["\($count) cells were planned: \(.cells | group_by(.status) | map("\(length) \(.[0].status)") | join(", ")).",
        "\(if $disturbed == 0 then "None was" elif $disturbed == 1 then "1 of them was" else "\($disturbed) of them were" end) disturbed by the hypervisor (more than 5 % of a CPU), which excludes a cell from means that have others.", steal_told] | join(" ") | paragraph)
    end)
  + (.manifest.host.load_before | if type == "array" then "Load before the run: \(map(tostring) | join(", "))." | paragraph else "" end)
  + (.precision | if . == "" then "" else paragraph end)
  + ([.perf[] | select(.test == "none" and (.baseline_us | type == "number"))] | if . == [] then "" else
      map([(.exec_per_sec | name_cell), figure_cell("baseline_us"; 0), figure_cell("host_busy"; 1), figure_cell("host_steal"; 1), (.reps | number_cell(0))])
      | table("What an execution costs without a monitor, and how well that is known: means, 95 % intervals beside them"; ["rate|1/s", "baseline|µs", "host busy|% of one CPU", "steal|% of one CPU", "cells"]) end)
  + ([.cells[] | select(.status != "ok" or (.marks // "" | tostring) != "")] | if . == [] then "" else
      (length) as $marked | sort_by(.cell) | .[:200]
      | map([(.cell | name_cell), (.test | text_cell), (.exec_per_sec | number_cell(0)), (.rep | number_cell(0)), (.status | text_cell), (.marks | text_cell), (.host_steal | number_cell(1)), (.reason | text_cell)])
      | table("Cells that are marked or did not go well\(if $marked > 200 then " (the first 200 of \($marked))" else "" end)"; ["cell", "monitor", "rate|1/s", "repetition", "status", "marks", "steal|% of one CPU", "reason"])
      | details("The \($marked) cells that are marked or did not go well"; .) end);

def facts: map("<dt>\(.[0] | text)</dt><dd>\(.[1] | text)</dd>") | "<dl class=\"facts\">\n\(join("\n"))\n</dl>\n";
def host:
  .manifest as $run | ($run.host // {}) as $host
  | ([["operating system", $host.os], ["kernel", $host.kernel], ["CPUs", (if $host.cpus then "\($host.cpus) × \($host.cpu_model // "unknown")" else null end)],
      ["architecture", $host.machine], ["memory", ($host.memory_kib | if type == "number" then "\(. / 1048576 | shown(1)) GiB" else null end)],
      ["virtualisation", $host.virtualisation], ["init, cgroups", (if $host.init then "\($host.init), \($host.cgroup)" else null end)], ["CPU governor", $host.cpu_governor],
      ["host name", $host.hostname], ["exectax", $run.exectax], ["run", .name], ["started", $run.started], ["ended", $run.ended], ["state", $run.state]]
      | map(select(.[1] != null)) | facts)
  + ([$run.versions // {} | to_entries[] | [(.key | name_cell), (.value | text_cell)]] | if . == [] then "" else table("Versions of what was measured"; ["monitor", "version"]) end)
  + details("Options of the run"; [$run.options // {} | to_entries[] | [.key, (.value | if type == "array" then map(tostring) | join(" ") else tostring end)]] | facts);

def link($page; $title): if .docs then "<a href=\"\(.docs + "/" + $page | text)\">\($title | text)</a>" else "\($title | text) (docs/\($page | text))" end;
def method:
  "<p>Executions are launched at fixed instants, whatever the monitor does, each with a tag of its own. One monitor runs at a time, alone, in a cgroup of its own; everything is repeated in shuffled order with measurements without a monitor in between. CPU time is read from the kernel's counters at both ends of a window, and each launch is looked for in the monitor's log. Every mean has a 95 % interval from how its repetitions scatter; two monitors are told apart only if the interval of their difference leaves out zero.</p>\n"
  + "<p>More: " + ([link("accounting.md"; "where each figure comes from"), link("figures.md"; "how intervals are made"),
      (if .kind == "saturate" then link("saturation.md"; "how rates are found") elif .kind == "rules" then link("rules.md"; "cost by number of rules") else link("delivery.md"; "delivery delay") end),
      link("report.md"; "how to read this page")] | join(", ")) + ".</p>\n";

. as $data
| (sections + [
    ["monitors", "Monitors", "Monitors", "<p>What each one ran with, and where its CPU time went.</p>\n" + (monitors | to_entries | map(.key as $index | .value | monitor_section($index; $data)) | add // "")],
    ["missing", "Without figures", "What has no figures", without_figures], ["noise", "Noise", "Noise of this run", noise], ["host", "Host", "Host and versions", host], ["method", "Method", "Method", method], ["data", "Data", "Raw data", data_section($files[0]; if .redacted then "Host names, paths, configurations, flame graphs and what programs wrote are left out of this page (--redact)." else null end)]]
  | map(select(.[3] != ""))) as $sections
| {title: "exectax \(.kind)\(if .name then ": " + .name else "" end)",
   head: ({sweep: "What watching every execution costs", saturate: "How much each monitor takes before it loses events", rules: "What a rule costs"}[.kind] // .kind),
   line: .host_line, asked: asked, answer: answer, picture: picture, sections: $sections, made_by: "Made by exectax \(.manifest.exectax // "") from the raw files of the run.",
   $style, $script, $style_hash, $script_hash}
| document
