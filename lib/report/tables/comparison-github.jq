# What B has, as github-action-benchmark's customSmallerIsBetter, which keeps it over time. Names have no build in them, so that they stay the same.
include "compared";
include "shown";
[.comparisons[] | select(.b.value != null and .figure != "cells_failed")
  | {name: "\(.b.test | monitor_of) at \(rate_text): \(.figure)", unit, value: .b.value}
    + (if .b.low == null then {} else {range: "± \((.b.high - .b.low) / 2 | number_text)"} end)
    + {extra: "\(verdict_text); A \(.unit as $unit | .a | side_text($unit)), B to A \(ratio_text)"}]
