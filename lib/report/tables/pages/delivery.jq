# Delivery delays, a row a monitor, in the order of what is shown at 800/s.
include "texts";
# Of long delays, the digits after the point are nobody's concern.
def ms: if type == "number" and . >= 9.95 then fixed(0) else fixed(1) end;
def delays: "\(.delivery_p50_ms | ms), \(.delivery_p99_ms | ms)";
. as $rows
| rates as $rates
| "| monitor | " + ($rates | map("\(.)/s | ") | join("")) + "longest at 800/s |",
  "| --- |" + ($rates | map(" ---: |") | join("")) + " ---: |",
  (map(select(.delivery_p50_ms | type == "number").test) | unique
    | map(. as $test | {$test, median: ($rows | row($test; 800).delivery_p50_ms // infinite | . * 10 | round)})
    | sort_by([.median, .test])[].test as $test
    | "| \($test) | " + ([$rates[] as $rate | $rows | row($test; $rate) | delays + " | "] | join("")) + "\($rows | row($test; 800).delivery_max_ms | ms) |")
