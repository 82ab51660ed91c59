# What an execution costs at $rate, as Markdown, a row a monitor.
# Takes: rate, differences (rows of differences.csv).
include "markdown";
include "shown";
include "ranks";
def bound_sign: if .inprogram_method == "counted" then "≥ " else "" end;
def share_text:
  (bound_sign + mean_text("counted_overhead"; 1) + " %") as $share
  | if .counted_overhead | type != "number" then "–"
    elif .inprogram_method != "counted" and (.counted_overhead_low | type == "number") and .counted_overhead_low <= 0 then "not distinguishable from none (\($share))"
    else $share end;
costs_at($rate)
| (map(select(rankable).test) | ranks($differences; "counted_overhead"; $rate)) as $ranks
| any(.[]; .counted_overhead_low | type == "number") as $intervals
| any(.[]; .instructions_user | type == "number") as $instructions
| "| monitor | rank by share | daemon | helpers | eBPF | in-band (how it was got) | launcher | counted | share | itself | whole | rest | slowdown (p50, p99) | delivery delay (p50, p99) | memory | log |"
  + (if $instructions then " instructions (user, kernel) |" else "" end),
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" + (if $instructions then " ---: |" else "" end),
  (sort_by($ranks[.test].best // 1e9, $ranks[.test].worst // 1e9, .test)[]
    | "| \(.test | md)\(if .saturated == "true" then " (host saturated)" else "" end) | \(if $ranks[.test] and ($differences | length > 0) then $ranks[.test] | rank_text else "–" end)"
    + " | \(mean_text("daemon_us"; 0)) | \(mean_text("services_us"; 0)) | \(mean_text("bpf_us"; 0)) | \(mean_text("program_us"; 0))\(if .inprogram_method then " (\(.inprogram_method | md))" else "" end) | \(mean_text("parent_us"; 0))"
    + " | \(bound_sign)\(mean_text("counted_us"; 0))"
    + " | \(share_text)"
    + " | \(mean_text("execution_us"; 0))"
    + " | \(mean_text("total_us"; 0)) | \(mean_text("rest_us"; 0))"
    + " | " + (if .side_slowdown_p50_us | type == "number" then "\(.side_slowdown_p50_us | shown(0)), \(.side_slowdown_p99_us | shown(0)) µs"
      else "\(.slowdown_p50_us | shown(0)), \(.slowdown_p99_us | shown(0)) µs" end)
    + (if .delivery_p50_ms | type == "number" then " | \(.delivery_p50_ms | shown(1)), \(.delivery_p99_ms | shown(1)) ms" else " | –" end)
    + (if .memory_peak_bytes | type == "number" then " | \(.memory_peak_bytes / 1048576 | shown(1)) MiB" else " | –" end)
    + (if .log_bytes | type == "number" then " | \(.log_bytes | shown(0)) B" else " | –" end) + " |"
    + (if $instructions then " \(mean_text("instructions_user"; 0)), \(mean_text("instructions_kernel"; 0)) |" else "" end)),
  "",
  "µs of CPU per execution at \($rate)/s: means\(if $intervals then ", ± half of their 95 % intervals" else "" end); daemon + helpers + in-band + launcher = counted, and + rest = whole, the machine against none. eBPF run time is within these. Calibrated: in-band is that run time in the launched program, and what it takes to get to the programs. Counted: in-band is the run time of eBPF programs alone, a lower bound, and so is counted (≥), which has no rank. Share: counted, in % of what an execution itself costs in the same seconds (itself): the launched program and what launches it, without what the monitor adds. The machine is slower at times, at both alike, so the share is known better than the µs. Slowdown: got as in-band is, side by side or switched; otherwise against none."
  + (if $instructions then " Instructions: those that the launched program and its launcher execute more than against none." else "" end)
  + (if $intervals then "" else " No intervals: too little was measured to tell how far off these figures may be." end)
