# Several hosts beside each other: what fleet-series.jq gives, with what build/figures --spreads says of its series.
# Takes: name (of the folder), wanted (the rate to be shown, or the nearest), told (a list of the rows of build/figures).
($told[0] | map({key: .series, value: .}) | from_entries) as $of
| (.hosts | map({key: .host, value: .}) | from_entries) as $by_name
| def number: if type == "number" then . else null end;
  # What all hosts of one side have that none of the other side has.
  def goes_with($values):
    ([$values[] | select(.high < 0) | $by_name[.host]]) as $a | ([$values[] | select(.low > 0) | $by_name[.host]]) as $b
    | [{os: "distribution", kernel: "kernel", cpu_model: "CPU", cpus: "number of CPUs", machine: "architecture", virtualisation: "virtualisation"} | to_entries[]
        | .key as $key | ($a | map(.[$key]) | unique) as $here | ($b | map(.[$key]) | unique) as $there
        | select(($here - $there == $here) and (($here + $there) | index([null]) | not))
        | "\(.value): \($here | map(tostring) | join(", ")) / \($there | map(tostring) | join(", "))"] | join("; ");
  {
    name: $name,
    rates: ([.costs[].exec_per_sec | numbers] | unique),
    hosts, costs,
    spreads: [.spreads[] | ($of[.series] // {}) as $spread | . as $series
      | {test, exec_per_sec, hosts: (.values | length), saturated, why,
         lowest: ($spread.lowest | number), lowest_host: ($series.values | min_by(.value).host), highest: ($spread.highest | number), highest_host: ($series.values | max_by(.value).host),
         deviation: ($spread.deviation | number), deviation_low: ($spread.deviation_low | number), deviation_high: ($spread.deviation_high | number)}],
    orders: [.orders[] | $of[.series] as $spread | . as $series
      | {test_a, test_b, exec_per_sec, hosts: (.values | length), a_cheaper: $spread.below, b_cheaper: $spread.above, chance: $spread.chance,
         goes_with: goes_with($series.values), on: [.values[] | select((.low != null and .low > 0) or (.high != null and .high < 0))]}]
  }
| .rate = (.rates | if . == [] then null else min_by(. - $wanted | fabs) end)
