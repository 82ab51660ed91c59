# The table of a saturation run as Markdown: the highest lossless rate first.
include "markdown";
def shown($digits): if type == "number" then . * pow(10; $digits) | round / pow(10; $digits) | tostring else "–" end;
# Never rounded up: what lost one event did not record 100 %.
def shown_below: if type == "number" then . * 100 | floor / 100 | tostring else "–" end;
def bounded: {monitor: "", host: " (host saturated)", load: " (load at its limit)", "--max-rate": " (--max-rate)", failed: " (failed)"}[.];
all_md
| . as $rows
| ($rows | map(select(.reps | type == "number")) | sort_by(-(.lossless_per_sec | if type == "number" then . else 0 end), .test)) as $measured
| ($rows - $measured) as $others
| ($manifest[0].options.load_cpus | if . == null then "all CPUs" else "CPUs \(md)" end) as $load_cpus
| (if $manifest[0].options.attached == true then "Of what was running already, under limits of its own, with the load on \($load_cpus). What the load reaches without a monitor was not tried."
    else "Without a monitor: \($ceilings | map("\(.actions | join(", ") | md) \(.per_sec | round)/s") | join("; ")), on \($load_cpus)." end),
  "",
  "| monitor | limits, knobs | lossless events/s | from–to | written events/s (s behind) | loses at events/s (round) | recorded there | recorded events/s there | CPU % lossless, losing | memory | kernel events/s | throttled | notes |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
  ($measured[], $others[]
    | if .reps | type == "number" then
        "| \(.monitor) | \(.combination) | \(if .bound == "monitor" or (.lossless_per_sec | type) != "number" then "" else "≥ " end)\(.lossless_per_sec | shown(0))\(.bound | bounded) | \(.lossless_lowest | shown(0))–\(.lossless_highest | shown(0))"
        + " | \(.written_per_sec | shown(0)) (\(.behind_s | shown(1)))"
        + " | " + (if .dropped_at_per_sec | type == "number" then "\(.dropped_at_per_sec | shown(0)) (\(.dropped_round | shown(0)))" else "–" end) + " | \(.success_percent | shown_below)" + (if .success_percent | type == "number" then " %" else "" end)
        + " | \(.success_per_sec | shown(0)) | \(.cpu | shown(1)), \(.cpu_dropping | shown(1))"
        + " | " + (if .memory_peak_bytes | type == "number" then "\(.memory_peak_bytes / 1048576 | shown(1)) MiB" else "–" end)
        + " | \(.kernel_events_per_sec | shown(0)) | " + (if (.throttled_ms | type == "number") and .cpus != "" then "\(.throttled_ms | shown(0)) ms" + (if .throttled_periods | type == "number" then " in \(.throttled_periods | shown(0)) periods" else "" end) else "–" end)
        + " | " + ([ (if .dropped_host_saturated == "true" then "host saturated where it lost" else empty end),
            (if (.oom_kills | type == "number") and .oom_kills > 0 then "killed \(.oom_kills) times for lack of memory" else empty end),
            (if (.restarts | type == "number") and .restarts > 0 then "started again \(.restarts) times" else empty end),
            (if .status != "ok" then "\(.status): \(.reason)" else empty end) ] | join("; ")) + " |"
      else "| \(.monitor) | – | – | – | – | – | – | – | – | – | – | – | \(.status): \(.reason) |" end),
  "",
  (if $manifest[0].options.reps == 1 then "Of one search each." else "Medians of \($manifest[0].options.reps) searches." end) + " Lossless: the highest rate reached without losing one event, in loads of \($manifest[0].options.load_s) s. Written: the same round's events over the time until the last record was in the log, which came that many seconds after the last event; where that is more than a second or two, the monitor's buffers held the rate, and the written one is about what it keeps up for longer. CPU % is the monitor's own, of one CPU, in the lossless round and in the first lossy one; throttled: how long, and in how many periods of 100 ms, the limit kept it from running in the lossless round."
