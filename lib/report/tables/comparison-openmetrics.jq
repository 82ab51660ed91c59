# A comparison as OpenMetrics text, in base units: what each side has, their difference, their ratio, and the verdict.
include "compared";
include "shown";

def base_units: {
  "µs per execution": {unit: "seconds", per: 1e6}, "µs": {unit: "seconds", per: 1e6}, "ms": {unit: "seconds", per: 1000}, "s": {unit: "seconds", per: 1},
  "bytes": {unit: "bytes", per: 1}, "bytes per execution": {unit: "bytes", per: 1},
  "% of one CPU": {unit: "ratio", per: 100}, "% of an execution": {unit: "ratio", per: 100}, "% of executions": {unit: "ratio", per: 100}, "% of cells": {unit: "ratio", per: 100}};

def escaped: gsub("\\\\"; "\\\\") | gsub("\""; "\\\"") | gsub("\n"; "\\n");
def labels: to_entries | map("\(.key)=\"\(.value | tostring | escaped)\"") | "{\(join(","))}";
def samples($labels; $per): to_entries[] | select(.key | IN("value", "low", "high")) | select(.value != null) | {labels: ($labels + {stat: .key}), value: (.value / $per * 1e12 | round / 1e12)};

[.comparisons[]
  | (base_units[.unit] // {unit: null, per: 1}) as $base
  | ("exectax_" + (.figure | sub("_(us|cpu|bytes|ms)$"; ""))) as $name
  | ({rate: .exec_per_sec}) as $rate
  | ($rate + {monitor_a: .a.test, monitor_b: .b.test}) as $both
  | def suffixed: . + if $base.unit then "_\($base.unit)" else "" end;
    {family: ($name | suffixed), unit: $base.unit, type: "gauge", help: "\(.figure), in \(.unit) elsewhere; stat low and high: its 95 % interval",
      samples: [(("a", "b") as $side | .[$side] | samples($rate + {side: $side, monitor: .test}; $base.per))]},
    {family: ($name + "_difference" | suffixed), unit: $base.unit, type: "gauge", help: "\(.figure) of B less that of A", samples: [.difference | samples($both; $base.per)]},
    {family: ($name + "_b_to_a"), unit: null, type: "gauge", help: "\(.figure) of B divided by that of A", samples: [.ratio | samples($both; 1)]},
    {family: ($name + "_verdict"), unit: null, type: "stateset", help: "whether B differs from A in \(.figure)",
      samples: [.verdict as $verdict | ("better", "worse", "no difference shown", "not comparable") as $state
        | {labels: ($both + {($name + "_verdict"): $state}), value: (if $verdict == $state then 1 else 0 end)}]}]
| group_by(.family)[]
| .[0] as $family | select(any(.[]; .samples | length > 0))
| "# TYPE \($family.family) \($family.type)",
  (if $family.unit then "# UNIT \($family.family) \($family.unit)" else empty end),
  "# HELP \($family.family) \($family.help | escaped)",
  (.[].samples[] | "\($family.family)\(.labels | labels) \(.value)")
