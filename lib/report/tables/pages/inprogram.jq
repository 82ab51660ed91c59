# What is in the program by window S at each rate, of the monitors of which launches can be left alone, by name.
include "texts";
include "markdown";
. as $rows
| rates as $rates
| "| in the program by window S, µs (95 % interval) | " + ($rates | map("\(.)/s | ") | join("") | sub(" $"; "")),
  "| --- |" + ($rates | map(" ---: |") | join("")),
  (map(select(.inprogram_method == "side-by-side").test) | unique[] as $test
    | "| \($test | md) |" + ([$rates[] as $rate | $rows | row($test; $rate) | " \(with_interval("program_us"; 0)) |"] | join("")))
