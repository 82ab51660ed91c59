# The boxes of the picture of parts at $rate: `row,test,segment,from,to` a line, rows from the cheapest up, and a line
# `row,test,total,lowest,highest,total` a row. What is below zero is stacked to the left. eBPF run time is spent in the
# watched programs for the most part, so it is taken out of what those pay.
def known: type == "number";
def stacked: reduce .[] as $s ({up: 0, down: 0, boxes: []};
    if $s.value >= 0 then .boxes += [[$s.name, .up, .up + $s.value]] | .up += $s.value
    else .boxes += [[$s.name, .down + $s.value, .down]] | .down += $s.value end) | .boxes;
map(select(.exec_per_sec == $rate and (.total_us | known) and (.unattributed_us | known) and .test != "none"))
| sort_by(.total_us, .test) | to_entries[]
| .key as $row | .value as $v | (if $v.bpf_us | known then $v.bpf_us else 0 end) as $bpf
| ([{name: "daemon", value: $v.daemon_us}, {name: "helpers", value: $v.helpers_us}, {name: "bpf", value: $bpf},
    {name: "inband", value: ($v.inband_us + $v.launcher_us - $bpf)}, {name: "unattributed", value: $v.unattributed_us}]
  | stacked[] | [$row, $v.test, .[0], .[1], .[2], ""]),
  [$row, $v.test + (if $v.saturated == "true" then " (host saturated)" else "" end), "total", $v.total_us_lowest, $v.total_us_highest, $v.total_us]
| @csv
