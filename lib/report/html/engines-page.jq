# The sections of a run of rule engines.
include "shown";
include "layout";
include "median";
include "html";
include "charts";
include "words";
include "ranks";
include "engine-order";
include "engine-lines";
include "answer-engines";

# The ends of the axis, and the powers of ten that have room between them.
def count_ticks: min as $least | max as $most | [$least] + [range(0; 6) | pow(10; .) | select(. >= 2 * $least and . <= $most / 2)] + [$most] | unique;

def engine_tip: "\(.module), \(.engine), \(.signatures) × \(.signature): \(time_told(.ns; .ns_low; .ns_high; true)) an event";
def engines_picture:
  .engines as $rows
  | ($rows | engine_lines)
  | if . == [] then "" else
      "<figure><figcaption>Time for an event by number of signatures of code injection: points are means\(if any(.[].points[]; .low | known) then ", whiskers 95 % intervals" else "" end); both axes are logarithmic.</figcaption>\n"
      + ({x_axis: "signatures (log scale)", y_axis: "µs for an event (log scale)", log: true, y_log: true, ticks: ([.[].points[].signatures] | count_ticks),
          lines: [to_entries[] | .key as $key | .value | {title, look: {hue: ($key % 3 + 1), shade: (($key / 3 | floor) % 3 + 1), point: ($key % 6 + 1)},
            points: [.points[] | . as $point | {x: .signatures, y: .us, low, high, hollow: false,
              tip: ([$rows[] | select(.module == $point.module and .engine == $point.engine and .signature == "code-injection" and .signatures == $point.signatures)][0] | engine_tip)}]}]}
        | line_chart("Time for an event by number of signatures, a line an engine; the same figures are in the tables below"))
      + "</figure>\n"
    end;

# A mean times $factor, in three digits that count.
def engine_cell($column; $factor): .[$column] as $value | figure_cell($column; (if ($value | type) == "number" then $value * $factor | three_digits else 0 end); $factor);
def slope_of($figure; $factor): (.[$figure].slope // 0) as $value | slope_cell($figure; $factor; $value * $factor | three_digits);

def engines_table:
  .engine_differences as $differences | .engine_fits as $fits
  | (.engines | [compared_engines[] | .[0] as $first | ($differences | differences_of($first)) as $own
      | select(length > 1 and all_compared($own; "ns"; $first.signatures)) | ranks_of_engines($differences) as $ranks
      | {key: ([$first.module, $first.signature] | tojson), value: {at: $first.signatures, $ranks}}] | from_entries) as $orders
  | [.engines | group_by([.module, .signature, .engine])[] | map(select(.reps > 0)) | select(length > 0) | sort_by(.signatures)
      | .[0] as $first | .[-1] as $last | ([$fits[] | select(.module == $first.module and .engine == $first.engine and .signature == $first.signature) | {key: .figure, value: .}] | from_entries) as $of
      | ($orders[[$first.module, $first.signature] | tojson] | select(. != null and .at == $last.signatures) | .ranks[$last.engine | tostring]) // null
      | . as $rank
      | [($first.module | name_cell), ($first.signature | text_cell), ($first.engine | text_cell),
         (if $rank then "<td data-v=\"\($rank.best)\">\($rank | rank_text)</td>" else none_cell end),
         ($first.signatures | number_cell(0)), ($first | engine_cell("ns"; 1)),
         (if $last.signatures > $first.signatures then ($last.signatures | number_cell(0)), ($last | engine_cell("ns"; 1)) else none_cell, none_cell end),
         ($of | slope_of("ns"; 1)), ($of | slope_of("cpu_ns"; 1)), ($last | engine_cell("bytes"; 1)), ($last | engine_cell("allocs"; 1)),
         ($of | slope_of("compile_ns"; 0.001)), ($of | slope_of("resident_bytes"; 1 / 1024)),
         ([(if any($first, $last; .reps == 1) then "measured once" else empty end), (if $of.ns != null and ($of.ns | bent) then "no line" else empty end)] | join("; ") | text_cell)]]
  | table("What an event costs: means and slopes, 95 % intervals beside them";
      ["module", "signature", "engine", "rank with the most", "fewest|signatures", "an event then|ns", "most|signatures", "an event then|ns", "one more signature|ns per event", "its CPU time|ns per event",
       "allocated with the most|bytes per event", "allocations with the most|per event", "compiling one more|µs", "memory|KiB per signature", "notes"])
  + "<p>Times are elapsed, for one event and all signatures together; CPU time is that of all threads, which collect garbage beside it. Rank: the places that an engine can have among those of its module with the most of that signature, since engines whose difference could be zero are tied; noop, whose signatures ask for no events, has none. One more: the slope of the line through all repetitions. No line: a quadratic term leaves out zero at 95 %.</p>\n";

def engine_points:
  [.engines[] | select(.reps > 0) | [(.module | name_cell), (.signature | text_cell), (.engine | text_cell), (.signatures | number_cell(0)), (.reps | number_cell(0)),
    engine_cell("ns"; 1), engine_cell("cpu_ns"; 1), engine_cell("bytes"; 1), engine_cell("allocs"; 1), engine_cell("compile_ns"; 0.001), engine_cell("resident_bytes"; 1 / 1024)]]
  | table("The points: means over repetitions, 95 % intervals beside them"; ["module", "signature", "engine", "signatures", "repetitions", "time|ns per event", "CPU time|ns per event", "allocated|bytes per event", "allocations|per event", "compiling|µs", "memory|KiB"])
  | details("All points"; .);

def engines_sections: [["engines", "Engines", "What an event costs", if any(.engines[]; .reps > 0) then engines_table + engine_points else "" end]];

def engines_asked:
  ([.engines[] | .engine | tostring] | unique) as $engines
  | "What does it cost a rule engine to look at one event, by its number of signatures? Asked of \(if $engines == [] then "no engine" else $engines | some_listed(8) end) with up to \([.engines[].signatures | numbers] | max // 0) signatures, \(if .manifest.options.reps == 1 then "once" else "\(.manifest.options.reps // "several") times" end) each; no monitor runs, and the events come from memory.";

def engines_without_figures:
  ([.engines[] | select(.reps == 0) | [("\(.module), \(.engine)" | name_cell), ("\(.signatures) × \(.signature)" | text_cell), ("not measured" | text_cell), ("" | text_cell)]]
    + [.manifest.skipped // {} | to_entries[] | [(.key | name_cell), ("" | text_cell), ("skipped" | text_cell), (.value | text_cell)]]) as $rows
  | if $rows == [] then "Nothing was skipped, and nothing failed." | paragraph
    else $rows | table("What has no figures, and why"; ["engine", "signatures", "status", "reason"]) end;

def engines_noise:
  [.engines[] | select((.ns_low | type) == "number" and .ns > 0) | (.ns_high - .ns_low) / 2 / .ns * 100] as $halves
  | "\(.engines | map(.reps | numbers) | add // 0) measurements have a result."
    + (if $halves == [] then "" else " Half of the 95 % interval of a time is \($halves | median | shown(1)) % of it in the median point, \($halves | max | shown(1)) % at most." end)
  | paragraph;

def engines_method:
  "No monitor runs, and nothing is traced: a group of events in memory is looked at again and again. Each measurement is a process of its own, in which Go's testing.B finds out how often it has to run for the measurement to take long enough; each repetition has a new random order of all measurements. Every mean has a 95 % interval from how its repetitions scatter; two engines of a module are told apart only if the interval of the difference of their elapsed times leaves out zero. Before anything is measured, each engine must find what plain Go finds.";
