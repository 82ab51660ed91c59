# What an execution costs at $rate, as Markdown, a row a monitor.
# Takes: rate, differences (rows of differences.csv).
include "shown";
include "ranks";
map(select(.exec_per_sec == $rate and (.daemon_us | type == "number") and .test != "none"))
| (map(.test) | ranks($differences; "total_us"; $rate)) as $ranks
| any(.[]; .total_us_low | type == "number") as $intervals
| "| monitor | rank by total | daemon | helpers | eBPF | in-band | launcher | total | unattributed (other tasks, no task) | slowdown (p50, p99) | delivery delay (p50, p99) | memory | log |",
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  (sort_by($ranks[.test].best, $ranks[.test].worst, .test)[]
    | "| \(.test) | \(if $differences | length > 0 then $ranks[.test] | rank_text else "–" end)"
    + " | \(mean_text("daemon_us"; 0)) | \(mean_text("helpers_us"; 0)) | \(mean_text("bpf_us"; 0)) | \(mean_text("inband_us"; 0)) | \(mean_text("launcher_us"; 0))"
    + " | \(cost_text("total_us"; 0)) | \(.unattributed_us | shown(0))"
    + (if .no_task_us | type == "number" then " (\(.other_us | shown(0)), \(.no_task_us | shown(0)))" else "" end)
    + " | \(.slowdown_p50_us | shown(0)), \(.slowdown_p99_us | shown(0)) µs"
    + (if .delivery_p50_ms | type == "number" then " | \(.delivery_p50_ms | shown(1)), \(.delivery_p99_ms | shown(1)) ms" else " | –" end)
    + (if .memory_peak_bytes | type == "number" then " | \(.memory_peak_bytes / 1048576 | shown(1)) MiB" else " | –" end)
    + (if .log_bytes | type == "number" then " | \(.log_bytes | shown(0)) B" else " | –" end) + " |"),
  "",
  "µs of CPU per execution at \($rate)/s: means\(if $intervals then ", ± half of their 95 % intervals" else "" end); daemon + helpers + in-band + launcher + unattributed = total. eBPF run time is within these."
  + (if $intervals then "" else " One repetition has no intervals: how much a difference from the baseline says is not known." end)
