# Delivery delays, a row a monitor by name: with no order by delay, nothing is ranked that may be tied.
include "texts";
include "markdown";
# Of long delays, the digits after the point are nobody's concern.
def ms: if type == "number" and . >= 9.95 then fixed(0) else fixed(1) end;
def delays: "\(.delivery_p50_ms | ms), \(.delivery_p99_ms | ms)";
. as $rows
| rates as $rates
| "| monitor | " + ($rates | map("\(.)/s | ") | join("")) + "longest at 800/s |",
  "| --- |" + ($rates | map(" ---: |") | join("")) + " ---: |",
  (map(select(.delivery_p50_ms | type == "number").test) | unique[] as $test
    | "| \($test | md) | " + ([$rates[] as $rate | $rows | row($test; $rate) | delays + " | "] | join("")) + "\($rows | row($test; 800).delivery_max_ms | ms) |")
