# In-band by window S at each rate, of the monitors of which launches can be left alone, in the order of what they cost at the highest rate.
include "texts";
. as $rows
| rates as $rates
| "| in-band by window S, µs (95 % interval) | " + ($rates | map("\(.)/s | ") | join("") | sub(" $"; "")),
  "| --- |" + ($rates | map(" ---: |") | join("")),
  (map(select(.inband_way == "side-by-side").test) | unique
    | sort_by(. as $test | $rows | row($test; $rates[-1]).accounted_us)[] as $test
    | "| \($test) |" + ([$rates[] as $rate | $rows | row($test; $rate) | " \(with_interval("inband_us"; 0)) |"] | join("")))
