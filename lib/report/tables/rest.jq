# What the monitors and the machine take when nothing is launched, as Markdown, a row a monitor; nothing if that was not measured.
include "markdown";
include "shown";
map(select(.exec_per_sec == 0 and (.cpu | type == "number")) | .test |= tostring)
| select(. != [])
| "| monitor at rest | daemon | services | memory | machine |",
  "| --- | ---: | ---: | ---: | ---: |",
  (sort_by(.test != "none", .cpu, .test)[]
    | "| \(.test | md) | "
      + (if .test == "none" then "– | – | –" else
          "\(mean_text("daemon_cpu"; 2)) | \(mean_text("services_cpu"; 2)) | "
          + (if .memory_peak_bytes | type == "number" then "\(.memory_peak_bytes / 1048576 | shown(1)) MiB" else "–" end) end)
      + " | \(mean_text("host_busy"; 2)) |"),
  "",
  "CPU time in % of one CPU when nothing is launched: means, ± half of their 95 % intervals. Machine: all that it does, the monitor's part included; under none, what it does without one."
