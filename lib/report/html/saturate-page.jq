# The sections of a saturation run.
include "shown";
include "layout";
include "html";
include "charts";
include "combinations";
include "words";
include "answer";
include "growth";

def is_bound: .bound | IN("host", "load", "--max-rate", "failed");
def bound_text: {monitor: "", host: "host saturated", load: "load at its limit", "--max-rate": "--max-rate", failed: "failed"}[.bound // ""] // "";
def measured: map(select(.reps | type == "number") | .monitor |= tostring | .combination |= tostring) | sort_by(.monitor, place_of_combination);

def lossless_picture:
  [.saturation | measured[] | select(.lossless_per_sec | known)]
  | if . == [] then "" else
      ([.[] | .lossless_per_sec, .lossless_highest | numbers] | max) as $right
      | "<figure><figcaption>The highest rate without loss (medians of searches); whiskers: lowest to highest search; hollow: a lower bound, since the monitor was not the limit.</figcaption>\n"
        + ({
            axis: "events per second", left: 0, right: ($right * 1.05), brackets: [],
            rows: [.[] | (if is_bound then "≥ " else "" end) as $sign | {
              name: under, muted: false, total: .lossless_per_sec, low: .lossless_lowest, high: .lossless_highest, hollow: is_bound,
              segments: [{name: "lossless", from: 0, to: .lossless_per_sec, tip: "\(under): \($sign)\(.lossless_per_sec | shown(0)) events per second"}],
              tip: "\(under): \($sign)\(.lossless_per_sec | shown(0)) events per second\(if .reps > 1 then ", median of \(.reps) searches" else "" end)\(searched(.reps))\(bound_text | if . == "" then "" else "; " + . end)",
              text: "\($sign)\(.lossless_per_sec | shown(0))", short: "\($sign)\(.lossless_per_sec | shown(0))",
              at: ([.lossless_per_sec, .lossless_highest // 0] | max)
            }]
          } | bar_chart("The highest rate without loss, a bar a monitor and its limits; the same figures are in the table below"))
        + "</figure>\n"
    end;

def range_cell($digits; $low; $high):
  if type == "number" then "<td data-v=\"\(.)\">\(shown($digits))\(if ($low | type == "number") and ($high | type == "number") then " <span class=\"i\">\(interval($low; $high; $digits))</span>" else "" end)</td>" else none_cell end;

def lossless_table:
  .saturation | measured
  | map([(.monitor | name_cell), (.combination | text_cell), (.lossless_lowest as $low | .lossless_highest as $high | .lossless_per_sec | range_cell(0; $low; $high)), (bound_text | text_cell),
      (.written_per_sec | number_cell(0)), (.behind_s | number_cell(1)), (.dropped_at_per_sec | number_cell(0)),
      # Never rounded up: what lost one event did not record 100 %.
      (.success_percent | if type == "number" then "<td data-v=\"\(.)\">\(. * 100 | floor / 100)</td>" else none_cell end),
      (.cpu | number_cell(1)), (.cpu_dropping | number_cell(1)), (if (.memory_peak_bytes | type) == "number" then .memory_peak_bytes / 1048576 else null end | number_cell(1)),
      ([(if .dropped_host_saturated == "true" then "host saturated where it lost" else empty end),
        (if (.oom_kills | type == "number") and .oom_kills > 0 then "killed \(.oom_kills) times for lack of memory" else empty end),
        (if (.restarts | type == "number") and .restarts > 0 then "started again \(.restarts) times" else empty end),
        (if .status != "ok" then "\(.status): \(.reason)" else empty end)] | join("; ") | text_cell)])
  | table("The highest rate without loss: medians of searches, lowest and highest search beside them";
      ["monitor", "limits, knobs", "lossless|events/s", "lower bound", "written|events/s", "behind|s", "loses at|events/s", "recorded there|%", "CPU lossless|% of one CPU", "CPU losing|% of one CPU", "peak memory|MiB", "notes"])
  + "<p>Lossless: the highest rate reached without losing one event. Written: the same round's events over the time until the last record was in the log, which came so many seconds after the last event. Searches are too few for 95 % intervals.</p>\n";

def load_cpus: .manifest.options.load_cpus | if . == null then "all CPUs" else "CPUs \(.)" end;
def ceilings_text: load_cpus as $load_cpus | .ceilings | if . == [] then "" else "Without a monitor, on \($load_cpus): \(map("\(.actions | join(", ")) \(.per_sec | shown(0))/s") | join("; "))." | paragraph end;

def rounds_table:
  [.rounds[] | [(.monitor | name_cell), (.combination | text_cell), (.rep | number_cell(0)), (.round | number_cell(0)), (.asked_per_sec | number_cell(0)), (.achieved_per_sec | number_cell(0)),
    (.lost | number_cell(0)), (.recorded_percent | if type == "number" then "<td data-v=\"\(.)\">\(. * 100 | floor / 100)</td>" else none_cell end), (.cpu | number_cell(1)), (throttled_text | text_cell), (.oom_kills | number_cell(0)), (.verdict | text_cell)]]
  | table("The rounds of the searches"; ["monitor", "limits, knobs", "search", "round", "asked|1/s", "reached|1/s", "lost|events", "recorded|%", "CPU|% of one CPU", "throttled", "killed for lack of memory", "verdict"])
  | details("All rounds"; .);

def soak_table:
  .manifest.options as $options
  | if .soak == [] then "" else
      .soak | map(.monitor |= tostring | .combination |= tostring) | sort_by(.monitor, place_of_combination, .rep)
      | map([(.monitor | name_cell), (.combination | text_cell), (.rep | number_cell(0)), (.achieved_per_sec | number_cell(0)), (.launched | number_cell(0)), (.lost | number_cell(0)), (.behind_s | number_cell(1)),
          (.cpu | number_cell(1)), (.memory_first_bytes | mebibytes | number_cell(1)), (.memory_last_bytes | mebibytes | number_cell(1)), (growth_text | text_cell), (throttled_text | text_cell), (soak_notes | text_cell)])
      | table("\($options.soak_s) s at \($options.soak_percent) % of the highest rate of a search without loss";
          ["monitor", "limits, knobs", "search", "reached|events/s", "launched|events", "lost|events", "behind|s", "CPU|% of one CPU", "memory at the begin|MiB", "memory at the end|MiB", "memory over time, 95 % interval", "throttled", "notes"])
        + "<p>Lost: launched less what is in the log once the monitor has ended. The slope of the memory of the monitor's processes is the mean of six stretches of the window, its interval Student's of these six, and never closer than 256 KiB over the window, which the kernel may keep back from the count.</p>\n"
    end;

def bounded_cell($column):
  if (.[$column] | type) == "number" and .whose == "ours" and .with_drops < .searches then "<td data-v=\"\(.[$column])\">≥ \(.[$column] | shown(0))</td>" else figure_cell($column; 0) end;

def experiment_table:
  .manifest.options as $options
  | if .experiment == [] then "" else
      .experiment
      | map([(if .whose == "ours" then "ours, \(.monitor)" else .whose end | name_cell), (.cpus | number_cell(1)), (.memory | text_cell), (.driver | text_cell), (.buffered | text_cell), (.round | number_cell(0)),
          figure_cell("eps_with_drops"; 1), figure_cell("success_percent"; 2), figure_cell("success_eps"; 1), bounded_cell("lossless_eps"), bounded_cell("syscalls_per_sec"),
          ((if .whose == "ours" then "\(.with_drops) of \(.searches) searches lost events" else .source end) | text_cell)])
      | table("Beside what was published (profile \($options.profile)): ours are means over the searches, 95 % intervals beside them";
          ["whose", "CPUs", "memory", "driver", "buffered", "round", "with drops|events/s", "success|%", "average success|events/s", "before drops|events/s", "system calls|1/s", "notes"])
        + "<p>With drops, success and average success (their product) are of the first round that loses events; before drops and system calls of the round before it, the latter being events of any kind that the monitor says it has seen; ≥: not all searches lost events. The published values have no intervals.</p>\n"
    end;

def saturate_sections: [["lossless", "Rates", "The highest rates without loss", ceilings_text + lossless_table + rounds_table],
  ["soak", "Soak", "Lost over a longer time, and memory", soak_table], ["published", "Published", "Beside what was published", experiment_table]];

def saturate_asked:
  .manifest.options as $options
  | "How many events per second does each monitor take before it loses one? Asked of \(.saturation | map(.monitor | tostring) | unique | some_listed(8)) with \($options.actions // ["exec"] | listed), \(if $options.reps == 1 then "in one search each" else "in \($options.reps // "several") searches each" end)\(if $options.attached == true then ", running already and under limits of its own" else "" end).";
