# What an execution costs at $rate, as Markdown: a row a monitor, the cheapest first.
def shown($digits): if type == "number" then . * pow(10; $digits) | round / pow(10; $digits) | . + 0 | tostring else "–" end;
map(select(.exec_per_sec == $rate and (.daemon_us | type == "number") and .test != "none"))
| sort_by((.total_us | if type == "number" then . else 1e9 end), .test)
| "| monitor | daemon | helpers | eBPF | in-band | launcher | total | unattributed (other tasks, no task) | slower by (p50, p99) | in the log after (p50, p99) | memory | log |",
  "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
  (.[] | "| \(.test) | \(.daemon_us | shown(0)) | \(.helpers_us | shown(0)) | \(.bpf_us | shown(0)) | \(.inband_us | shown(0)) | \(.launcher_us | shown(0))"
    + " | \(.total_us | shown(0)) | \(.unattributed_us | shown(0))"
    + (if .no_task_us | type == "number" then " (\(.other_us | shown(0)), \(.no_task_us | shown(0)))" else "" end)
    + " | \(.slowdown_p50_us | shown(0)), \(.slowdown_p99_us | shown(0)) µs"
    + (if .delivery_p50_ms | type == "number" then " | \(.delivery_p50_ms | shown(1)), \(.delivery_p99_ms | shown(1)) ms" else " | –" end)
    + (if .memory_peak_bytes | type == "number" then " | \(.memory_peak_bytes / 1048576 | shown(1)) MiB" else " | –" end)
    + (if .log_bytes | type == "number" then " | \(.log_bytes | shown(0)) B" else " | –" end) + " |"),
  "",
  "µs of CPU per execution at \($rate)/s, medians; daemon + helpers + in-band + launcher + unattributed = total. eBPF run time is within these."
