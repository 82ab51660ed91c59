# The soaks of a saturation run as Markdown, from the rows of soak.csv.
include "markdown";
include "growth";
include "shown";
include "combinations";
all_md
| $manifest[0].options as $options
| "Soak: \($options.soak_s) s at \($options.soak_percent) % of the highest rate of a search without loss, under the same start of the monitor.",
  "",
  "| monitor | limits, knobs | search | events/s | launched | lost | seconds behind | CPU % | memory, MiB | memory over time (95 % interval) | throttled | notes |",
  "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |",
  (sort_by((.monitor | tostring), place_of_combination, .rep)[]
    | "| \(.monitor) | \(.combination) | \(.rep | shown(0)) | \(.achieved_per_sec | shown(0)) | \(.launched | shown(0)) | \(.lost | shown(0)) | \(.behind_s | shown(1)) | \(.cpu | shown(1))"
      + " | \(memory_text) | \(growth_text) | \(throttled_text) | \(soak_notes) |"),
  "",
  "Lost: launched less what is in the log once the monitor has ended. Memory: resident memory of the monitor's processes, at the window's begin and end. Its slope is the mean of six stretches of the window, the interval is Student's of these six, and never closer than 256 KiB over the window, which the kernel may keep back from the count."
