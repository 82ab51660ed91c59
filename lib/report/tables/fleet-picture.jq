# The picture of several hosts, at the rate shown: a block a monitor, in it a row a host, in the same order in each. What plots/fleet.gp takes.
# Gives {assignments: gnuplot's, caption, rows: place, kind (known, saturated), share, low, high, number of the family}; nothing if nothing is known.
include "layout";
include "looks";

# Hosts that are many have no names beside their dots, and thin rows.
def row_height($hosts): if $hosts <= 12 then 24 elif $hosts <= 40 then 14 else 4 end;
def apart: 1.2;

.rate as $rate
| [.hosts[] | select(.compared).host] as $hosts
| [.costs[] | select(.exec_per_sec == $rate and .counted_overhead != null)] as $rows
| select($rows != [])
| ($rows | map(.test) | unique) as $tests
| ($tests | looks($families)) as $looks
| (($hosts | length) + apart) as $block
| [$rows[] | . as $row | ($tests | index($row.test)) as $test | ($hosts | index($row.host)) as $host | . + {place: ($test * $block + $host)}] as $placed
| row_height($hosts | length) as $height
| ([$placed[].counted_overhead] | max) as $most
# A whisker that would squeeze all dots is cut.
| ([$most * 1.5, ([$placed[] | .counted_overhead, .counted_overhead_high | numbers] | max)] | min | if . > 0 then . else 1 end) as $right
| ([$placed[] | .counted_overhead, .counted_overhead_low | numbers] | min | [[., 0] | min, -0.5 * $right] | max) as $left
| {
    caption: "whiskers: 95 % interval of each host's own run; hollow: the host was saturated",
    rows: [$placed[] | [.place, (if .saturated == "true" then "saturated" else "known" end),
      .counted_overhead, ([.counted_overhead_low // .counted_overhead, $left] | max), ([.counted_overhead_high // .counted_overhead, $right] | min), $looks[.test].hue]],
    assignments: {
      row_height: $height, bottom_row: (($tests | length) * $block - apart),
      x_left: $left, x_right: ($right * 1.05),
      tests: $tests, test_places: ($tests | to_entries | map(.key * $block)),
      hues: ($tests | map($looks[.].hue)),
      hosts: (if $height >= 14 then $hosts else [] end), block: $block,
      test_width: ($tests | map(width) | max), host_width: (if $height >= 14 then $hosts | map(width) | max else 0 end)
    }
  }
