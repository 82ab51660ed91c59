# How well the same is known by window S and by cells apart, a row a rate: halves of intervals, the median of the monitors that have both.
include "texts";
include "median";
def columns: [["in the program, window S", "program_us"], ["in the program, other cells", "program_apart_us"], ["daemon", "daemon_us"], ["counted", "counted_us"], ["total", "total_us"]];
. as $rows
| "| rate | " + (columns | map("\(.[0]) | ") | join("")),
  "| --- | " + (columns | map("---: | ") | join("")),
  (rates[] as $rate
    | [$rows[] | select(.exec_per_sec == $rate and (.inprogram_method == "side-by-side" or .inprogram_method == "switched"))] as $both
    | "| \($rate)/s | " + (columns | map(.[1] as $column | "\([$both[] | half_width($column)] | median | fixed(0)) | ") | join("")))
| sub(" $"; "")
