# As multiples of auditd-raw beside the second table of 2021, and as shares of an execution.
include "texts";
include "tables-of-2021";
def multiple_of_2021($test; $rate): of_2021[$test][$rate][1] / of_2021["auditd-raw"][$rate][1] | fixed(1);
. as $rows
| def cpu($test; $rate): $rows | row($test; $rate).cpu | numbers;
  def ours($test; $rate): [cpu($test; $rate), (cpu("auditd-raw"; $rate) | select(. > 0))] | if length == 2 then .[0] / .[1] else null end | fixed(1);
  "| monitor | 100/s, auditd-raw = 1: 2021, second table | ours | 800/s: 2021 | ours | ours, 800/s, % of an execution (95 % interval) |",
  "| --- | ---: | ---: | ---: | ---: | ---: |",
  (of_2021 | keys_unsorted[] as $test
    | "| \($test) | \(multiple_of_2021($test; "100")) | \(ours($test; 100)) | \(multiple_of_2021($test; "800")) | \(ours($test; 800)) | \($rows | row($test; 800) | with_interval("counted_overhead"; 0)) |")
