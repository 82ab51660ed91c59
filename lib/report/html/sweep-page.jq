# A sweep's sections. Of the whole data (page.jq says what is in it).
include "shown";
include "layout";
include "html";
include "charts";
include "ranks";
include "parts";
include "looks";
include "words";
include "answer";

def monitor_rows: .perf | map(.test |= tostring) | map(select(.test != "none"));
def method_text: if .inprogram_method | . == null or . == "" then "" else .inprogram_method | tostring end;

def part_titles: {daemon: "daemon", services: "services", inprogram: "in the program and its parent", elsewhere: "kernel elsewhere", slowed: "slowed down", rest: "parts not distinguishable from 0"};
def part_tip: "\(part_titles[.name]): \(.to - .from | shown(1)) µs";
def bar_tip($kind):
  "\(.test): \(.total | shown(1)) µs an execution"
  + (if .low | known then " (\($kind) \(.low | shown(1)) to \(.high | shown(1)))" else " (no interval)" end)
  + (if .none then ", not distinguishable from none" else "" end)
  + (if .saturated == "true" then "; host saturated" else "" end);

def rank_cell: if is_ranked then "<td data-v=\"\(.best)\">\(rank_text)</td>" else none_cell end;

def parts_picture:
  .rate as $rate | .differences as $differences
  | first((.perf | parts($rate; $differences)), null)
  | if . == null then "" else
      . as $parts
      | ([.rows[].parts[].name] | unique) as $there
      | "<figure><figcaption>CPU time that the whole machine takes more for an execution, and who pays, at \($rate) executions per second"
        + (if .whiskers then "; whiskers: \(.whiskers.kind)" else "" end)
        + (if .brackets == [] then "" elif .intervals then "; lines at the right join what does not differ significantly" else "; lines at the right join overlapping ranges" end) + ".</figcaption>\n"
        + "<p class=\"key\">" + ([("daemon", "services", "inprogram", "elsewhere", "slowed", "rest") | select(IN($there[])) | "<span><i class=\"s-\(.)\"></i>\(part_titles[.])</span>"] | join(" "))
        + " <span><b class=\"dot\"></b>total</span>" + (if any(.rows[]; (.none | not) and .saturated == "true") then " <span><b class=\"dot hollow\"></b>host saturated</span>" else "" end) + "</p>\n"
        + ({
            axis: "µs of CPU per execution", left, right: (.right * 1.1), brackets,
            rows: [.rows[] | {
              name: .test, muted: .none, total, low, high, hollow: (.saturated == "true"), tip: bar_tip($parts.whiskers.kind),
              segments: [.parts[] | . + {tip: part_tip}],
              text: (if .none then "not distinguishable from none" + (if $parts.intervals and (.high // 0) > 0 then " (at most \(.high | shown(0)))" else "" end)
                else "\(.total | shown(0))" end),
              short: (if .none then "could be 0" + (if $parts.intervals and (.high // 0) > 0 then " (at most \(.high | shown(0)))" else "" end)
                else "\(.total | shown(0))" end),
              at: (if .none then (.high // 0) | if . > 0.45 * $parts.right or . < 0 then 0 else . end else [.total, .end, ([.high // 0, $parts.right * 1.1] | min)] | max end)
            }]
          } | bar_chart("What an execution costs and who pays, a bar a monitor; the same figures are in the table below"))
        + "</figure>\n"
    end;

def costs_table:
  monitors as $monitors | .rate as $rate | (.ranks // [] | ranks($rate)) as $ranks | .columns as $columns
  | (.perf | costs_at($rate)) as $rows
  | if $rate == 0 then "" else
    any($rows[]; .instructions_user | type == "number") as $instructions
  | ($rows | by_rank($ranks)
    | map([(.test | monitor_cell($monitors)), ($ranks[.test] | rank_cell),
        figure_cell("total_us"; 0), figure_cell("total_overhead"; 1), figure_cell("daemon_us"; 0), figure_cell("services_us"; 0), figure_cell("elsewhere_us"; 0),
        figure_cell("inprogram_us"; 0), (method_text | text_cell), figure_cell("slowed_us"; 0), figure_cell("counted_us"; 0), figure_cell("marginal_us"; 0), figure_cell("bpf_us"; 0),
        ([($ranks[.test].apart // "" | select(. != "")), (if could_be_nothing then "not distinguishable from none" else empty end)] | join("; ") | text_cell)]
        + (if $instructions then [figure_cell("instructions_user"; 0), figure_cell("instructions_kernel"; 0)] else [] end))
    | table("What a monitor adds to an execution, and who pays, at \($rate)/s: means, 95 % intervals beside them";
        ["monitor", "rank", "total|µs", "overhead|% of an execution", "daemon|µs", "services|µs", "kernel elsewhere|µs", "in the program|µs", "method", "slowed down|µs", "counted|µs", "above rest|µs", "eBPF|µs", "notes"]
        + (if $instructions then ["user mode|instructions", "kernel mode|instructions"] else [] end)))
  + "<p>Total: what the whole machine takes more than without a monitor. Daemon, services, kernel elsewhere, in the program (and its parent) and slowed down add up to it; slowed down is what is left, and can be below zero. Rank goes by the total: monitors without a significant difference share ranks, whatever the number of pairs (Holm). References, what lost more than 0.1 % of the executions, and what saturated the host have no rank. Counted: daemon, services and in the program, known better than the total, for small differences. Above rest: what an execution adds to what the monitor takes at rest. eBPF run time is within daemon and in the program. Per execution, at the rate shown; another one: <code>exectax report --rate N</code>.</p>\n"
  + sources($columns; ["total_us", "total_overhead", "daemon_us", "services_us", "elsewhere_us", "inprogram_us", "inprogram_method", "slowed_us", "counted_us", "marginal_us", "bpf_us"]
      + (if $instructions then ["instructions_user", "instructions_kernel"] else [] end))
    end;

def cpu_words: if . == "cpu" then "CPU of the monitor, its services and its eBPF programs" else "CPU that the whole machine takes more than without a monitor" end;

def cpu_picture:
  .families as $families | (.perf | cpu_figure) as $figure
  | [monitor_rows[] | select((.[$figure] | known) and (.achieved_per_sec | known) and .achieved_per_sec > 0)]
  | if . == [] then "" else
      whiskers_of($figure; "\($figure)_lowest"; "\($figure)_highest") as $whiskers
      | (map(.test) | unique | looks($families)) as $looks
      | "<figure><figcaption>\($figure | cpu_words) by rate\(if $whiskers then "; whiskers: \($whiskers.kind)" else "" end)\(if any(.[]; .saturated == "true") then "; hollow: host saturated" else "" end).</figcaption>\n"
        + ({
            x_axis: "executions per second (reached; log scale)", y_axis: "% of one CPU", log: true, ticks: (map(.exec_per_sec) | unique | map(select(. > 0))),
            lines: [group_by(.test)[] | {
              title: .[0].test, look: $looks[.[0].test],
              points: [sort_by(.exec_per_sec)[] | {
                x: .achieved_per_sec, y: .[$figure], low: (if $whiskers then .[$whiskers.low] else null end), high: (if $whiskers then .[$whiskers.high] else null end),
                hollow: (.saturated == "true"),
                tip: "\(.test): \(told($figure; 2; "% of one CPU"; true)) at \(.achieved_per_sec | shown(0))/s\(if .saturated == "true" then "; host saturated" else "" end)"
              }]
            }]
          } | line_chart("CPU by executions per second, a line a monitor; the same figures are in the table below"))
        + "</figure>\n"
    end;

def cpu_table:
  monitors as $monitors | .rate as $rate | (.ranks // [] | ranks($rate)) as $ranks | .columns as $columns | (.perf | cpu_figure) as $figure
  | (.perf | map(.test |= tostring)) as $rows
  | ($rows | map(.exec_per_sec | numbers) | unique) as $rates
  | [$rows | group_by(.test)[] | select(any(.[]; (.[$figure] | type == "number") or (.cpu | type == "number"))) | {test: .[0].test, at: (map({key: "\(.exec_per_sec)", value: .}) | from_entries),
      saturated: map(select(.saturated == "true") | .exec_per_sec)}] as $tests
  | ($tests | map(select(.test != "none")) | by_rank($ranks)
    | map(. as $test | [(.test | monitor_cell($monitors)), ($ranks[.test] | rank_cell)]
        + [$rates[] | $test.at["\(.)"] // {} | figure_cell($figure; 2)]
        + [if .saturated != [] then "host saturated at \(.saturated | map("\(.)/s") | join(", "))" else "" end | text_cell])
    | table("\($figure | cpu_words), by executions per second: means, 95 % intervals beside them"; ["monitor", "rank\(if $rate and $rate > 0 then " at \($rate)/s" else "" end)"] + ($rates | map("\(rate_head)|% of one CPU")) + ["notes"]))
  + sources($columns; ["total_cpu", "CPU by rate", "cpu", "daemon_cpu", "services_cpu", "bpf_cpu", "saturated"]);

def rest_table:
  monitors as $monitors | .columns as $columns
  | [.perf[] | select(.exec_per_sec == 0 and (.cpu | type == "number")) | .test |= tostring]
  | if . == [] then "" else
      (sort_by(.test != "none", .cpu, .test)
        | map([(.test | monitor_cell($monitors))]
            + (if .test == "none" then [none_cell, none_cell, none_cell] else [figure_cell("daemon_cpu"; 2), figure_cell("services_cpu"; 2), figure_cell("memory_peak_bytes"; 1; 1 / 1048576)] end)
            + [figure_cell("host_busy"; 2)])
        | table("At rest, when nothing is launched: means, 95 % intervals beside them"; ["monitor", "daemon|% of one CPU", "services|% of one CPU", "peak memory|MiB", "machine|% of one CPU"]))
      + "<p>Machine: all that it does, the monitor's part included; under none, what it does without one.</p>\n"
      + sources($columns; ["daemon_cpu", "services_cpu", "memory_peak_bytes", "host_busy"])
    end;

def syscalls_table:
  monitors as $monitors | .syscalls | map(select(.test != null)) as $rows
  | if $rows == [] then "" else
      ([$rows[] | select((.reps | type == "number") and .reps > 0).call] | reduce .[] as $call ([]; if index([$call]) then . else . + [$call] end)) as $calls
      | ([$rows | group_by(.test | tostring)[]
          | (map({key: (.call | tostring), value: .}) | from_entries) as $of
          | [(.[0].test | monitor_cell($monitors))]
            + [$calls[] | $of[.] // {} | figure_cell("added_ns"; 0)]
            + [(.[0].way | text_cell), (map(.reason | strings | select(. != "")) | unique | join("; ") | text_cell)]]
        | table("What a system call costs more under each monitor, in a program that executes nothing: means, 95 % intervals beside them"; ["monitor"] + ($calls | map("\(.)|ns")) + ["got by", "notes"]))
      + "<p>CPU time of a call in a loop on every CPU (window T; source: syscost, which reads each thread's CPU clock). An interval that includes 0 means that the call is not distinguishable from one without the monitor; by name, nothing is ranked. open-close are two calls."
      + (if any($rows[]; .reps == 1) then " What is from a single start says nothing of how starts differ." else "" end) + "</p>\n"
    end;

def losses_table:
  monitors as $monitors | .columns as $columns
  | [monitor_rows | group_by(.test)[] | map(select(.launched | type == "number")) | select(length > 0)]
  | if . == [] then "" else
      . as $tests | (add | map(.exec_per_sec | numbers) | unique) as $rates
      | ($tests | map(. as $rows | [(.[0].test | monitor_cell($monitors)),
          (map(.lost | numbers) | add | if . == null then none_cell else "<td data-v=\"\(.)\">\(.)</td>" end), (map(.launched | numbers) | add | number_cell(0))]
          + [$rates[] as $rate | [$rows[] | select(.exec_per_sec == $rate)][0] // {} | if (.lost | type) == "number" and .launched > 0
              then "<td data-v=\"\(.lost / .launched)\">\(if .lost == 0 then "0" else "\(.lost) (\(100 * .lost / .launched | percent_text))" end)</td>" else none_cell end]
          + [map(.loss_counters | strings | select(. != "")) | unique | join("; ") | text_cell])
        | table("Executions that were launched and are not in the monitor's log (counted, warm-up included)"; ["monitor", "lost|executions", "launched|executions"] + ($rates | map("lost at \(.)/s")) + ["loss counters"]))
      + "<p>A count has no interval. –: the monitor has no log in which executions could be counted.</p>\n"
      + sources($columns; ["launched", "recorded", "lost", "loss_counters"])
    end;

def delivery_table:
  monitors as $monitors | .columns as $columns | .rate as $rate
  | [monitor_rows[] | select((.delivery_p50_ms | type == "number") or (.side_slowdown_p50_us | type == "number") or (.slowdown_p50_us | type == "number"))]
  | def rows_table($caption):
      sort_by(.test, .exec_per_sec)
      | map([(.test | monitor_cell($monitors)), (.exec_per_sec | number_cell(0)), figure_cell("delivery_p50_ms"; 1), figure_cell("delivery_p99_ms"; 1), (.delivery_max_ms | number_cell(1))]
          + (if (.side_slowdown_p50_us | type) == "number" then [figure_cell("side_slowdown_p50_us"; 0), figure_cell("side_slowdown_p99_us"; 0), ("at the same time" | text_cell)]
            else [figure_cell("slowdown_p50_us"; 0), figure_cell("slowdown_p99_us"; 0), ("against none" | text_cell)] end)
          + [figure_cell("memory_peak_bytes"; 1; 1 / 1048576), figure_cell("log_bytes"; 0)])
      | table($caption + ": means, 95 % intervals beside them";
          ["monitor", "rate|1/s", "delivery, median|ms", "99th percentile|ms", "longest|ms", "slowdown, median|µs", "99th percentile|µs", "got by", "peak memory|MiB", "log per execution|bytes"]);
    if . == [] then "" else
      (map(select(.exec_per_sec == $rate)) | rows_table("How long until a record can be read, how much longer an execution takes, memory and log, at \($rate)/s"))
      + (rows_table("The same at all rates") | details("All rates"; .))
      + sources($columns; ["delivery_p50_ms", "delivery_p99_ms", "delivery_max_ms", "side_slowdown_p50_us", "slowdown_p50_us", "memory_peak_bytes", "log_bytes"])
    end;

# The sections: [id, name in the list of sections, title, body].
def sweep_sections:
  [["costs", "Who pays", "What an execution costs, and who pays", costs_table],
   ["cpu", "CPU by rate", "CPU by rate", cpu_picture + cpu_table + rest_table],
   ["syscalls", "System calls", "What a system call costs more", syscalls_table],
   ["losses", "Losses", "Losses", losses_table],
   ["delivery", "Delivery", "Delivery, slowdown, memory and log", delivery_table]];

def sweep_asked:
  .manifest.options as $options
  | (monitor_rows | map(.test) | unique) as $tests
  | ([.perf[].exec_per_sec | numbers | select(. > 0)] | unique) as $rates
  | "What does it cost to have every program execution recorded, and is every one recorded? Asked of \($tests | some_listed(8)) \(if $options.attached == true then ", running already," else "" end)\(if $rates == [] then "at rest" else "at \($rates | map(tostring) | listed) executions per second" end)\(if .manifest.outcome then ": \(.manifest.outcome)" elif $options.precision_percent then ", \($options.reps) times or more" elif $options.reps == 1 then ", once" else ", \($options.reps // "several") times" end).";
