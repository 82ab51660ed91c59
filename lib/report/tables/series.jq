# Series of a figure, from runs: one of each monitor and rate, in the order of time.
# Takes: figure (a column of perf.csv, or a name that is shorter), monitors (separated by commas or blanks), rate (empty: all).
include "differs";

def column: {counted: "counted_us", memory: "memory_peak_bytes", slowdown_p50: "side_slowdown_p50_us", slowdown_p99: "side_slowdown_p99_us"}[.] // .;

# What of the monitor and of its surroundings is not as it was in the run before.
def news($before; $after; $test):
  [differs($before; $after)[] | "\(.what): \(.a // "none") to \(.b // "none")"]
  + [ {what: "version", a: $before.versions[$test], b: $after.versions[$test]},
      {what: "program", a: ($before.binaries[$test] | map(.sha256[0:12])? // [] | join(" ")), b: ($after.binaries[$test] | map(.sha256[0:12])? // [] | join(" "))}
      | select(.a != .b) | "\(.what): \(.a // "none") to \(.b // "none")"];

($figure | column) as $column
| sort_by(.at, .run)
| [.[] | . as $run | .rows[]
    | select((.test != "none" or $monitors != "") and .exec_per_sec > 0 and (.[$column] | type == "number") and .saturated != "true")
    | select(($monitors == "" or (.test | IN($monitors | splits("[, ]+")))) and ($rate == "" or "\(.exec_per_sec)" == $rate))
    | {test, exec_per_sec, way: .inprogram_method,
       point: {run: $run.run, at: $run.at, value: .[$column], low: .["\($column)_low"], high: .["\($column)_high"], manifest: $run.manifest}}]
| group_by([.test, .exec_per_sec])
| map(.[0] as $first | {
    test: $first.test, exec_per_sec: $first.exec_per_sec, figure: $figure, column: $column,
    points: (map(.point) | [., [null] + .[:-1]] | transpose
      | map(.[0] as $point | .[1] as $before
        | $point + {news: (if $before then news($before.manifest; $point.manifest; $first.test) else [] end)}
        | (.low, .high) |= if type == "number" then . else null end
        | del(.manifest)))
  })
