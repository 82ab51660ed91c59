# What an execution costs at $rate, as Markdown, a row a monitor.
# Takes: rate, ranks (rows of ranks.csv).
include "markdown";
include "shown";
include "ranks";
def overhead_text:
  (mean_text("total_overhead"; 1) + " %") as $overhead
  | if .total_overhead | type != "number" then "–"
    elif (.total_overhead_low | type == "number") and .total_overhead_low <= 0 then "not distinguishable from none (\($overhead))"
    else $overhead end;
def slowdown_text: if .side_slowdown_p50_us | type == "number" then mean_text("side_slowdown_p50_us"; 0), mean_text("side_slowdown_p99_us"; 0) else mean_text("slowdown_p50_us"; 0), mean_text("slowdown_p99_us"; 0) end;
costs_at($rate)
| ($ranks | ranks($rate)) as $ranks
| any(.[]; .counted_overhead_low | type == "number") as $intervals
| any(.[]; .instructions_user | type == "number") as $instructions
| "| monitor | rank | total | overhead | daemon | services | kernel elsewhere | in the program (method) | slowed down | counted | above rest | eBPF | slowdown (p50, p99) | event latency (p50, p99) | memory | log |"
  + (if $instructions then " instructions (user, kernel) |" else "" end),
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |" + (if $instructions then " ---: |" else "" end),
  (by_rank($ranks)[]
    | "| \(.test | md)\(if .saturated == "true" then " (host saturated)" else "" end) | \($ranks[.test] | rank_text)"
    + " | \(mean_text("total_us"; 0)) | \(overhead_text)"
    + " | \(mean_text("daemon_us"; 0)) | \(mean_text("services_us"; 0)) | \(mean_text("elsewhere_us"; 0))"
    + " | \(mean_text("inprogram_us"; 0))\(if .inprogram_method then " (\(.inprogram_method | md))" else "" end) | \(mean_text("slowed_us"; 0))"
    + " | \(mean_text("counted_us"; 0)) | \(mean_text("marginal_us"; 0)) | \(mean_text("bpf_us"; 0))"
    + " | \([slowdown_text] | join(", ")) µs"
    + (if .delivery_p50_ms | type == "number" then " | \(.delivery_p50_ms | shown(1)), \(.delivery_p99_ms | shown(1)) ms" else " | –" end)
    + (if .memory_peak_bytes | type == "number" then " | \(.memory_peak_bytes / 1048576 | shown(1)) MiB" else " | –" end)
    + (if .log_bytes | type == "number" then " | \(.log_bytes | shown(0)) B" else " | –" end) + " |"
    + (if $instructions then " \(mean_text("instructions_user"; 0)), \(mean_text("instructions_kernel"; 0)) |" else "" end)),
  "",
  "µs of CPU per execution at \($rate)/s: means\(if $intervals then ", ± half of their 95 % intervals" else "" end). Total: what the whole machine takes more than without a monitor, in µs and in % of what an execution costs without one. Daemon, services, kernel elsewhere, in the program (and its parent) and slowed down add up to it; slowed down is what is left, and can be below zero. Counted: daemon, services and in the program, known better than the total, for small differences. Above rest: what an execution adds to what the monitor takes at rest. eBPF run time is within daemon and in the program. Methods: side-by-side, watched and unwatched executions at the same time; switched, the monitor off and on several times a second; run-time, that of its eBPF programs as the kernel counts it; apart, against none, slowed down included. Slowdown: by how much longer an execution takes, by the same method; otherwise against none."
  + (if $instructions then " Instructions: those that the launched program and its parent execute more than without a monitor." else "" end)
  + (if $intervals then "" else " No intervals: too little was measured to tell how far off these figures may be." end)
