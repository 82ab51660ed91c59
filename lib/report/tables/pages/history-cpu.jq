# CPU beside the tables of 2021, in the order of these.
include "texts";
include "tables-of-2021";
. as $rows
| "| monitor | 100/s: 2021, first and second table | ours (95 % interval) | 800/s: 2021, first and second table | ours (95 % interval) |",
  "| --- | ---: | ---: | ---: | ---: |",
  (of_2021 | keys_unsorted[] as $test
    | "| \($test) |" + ([100, 800] | map(. as $rate | " \(of_2021[$test]["\($rate)"] | map(tostring) | join(", ")) | \($rows | row($test; $rate) | with_interval("cpu"; 1)) |") | join("")))
