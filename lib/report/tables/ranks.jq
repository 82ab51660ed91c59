# What a monitor's rank can be, from the rows of differences.csv: a monitor is before or behind another if the 95 % interval of
# their difference leaves out zero; the others are tied.

# ranks($differences; $figure; $rate): of the names in the input, {NAME: {best, worst}}.
def ranks($differences; $figure; $rate):
  . as $names
  | [$differences[] | select(.figure == $figure and .exec_per_sec == $rate
      and (.test_a | IN($names[])) and (.test_b | IN($names[])))] as $pairs
  | map(. as $name
    | ([$pairs[] | select((.test_a == $name and .difference_low > 0) or (.test_b == $name and .difference_high < 0))] | length) as $cheaper
    | ([$pairs[] | select((.test_a == $name and .difference_high < 0) or (.test_b == $name and .difference_low > 0))] | length) as $dearer
    | {key: $name, value: {best: (1 + $cheaper), worst: (($names | length) - $dearer)}})
  | from_entries;

def rank_text: if .best == .worst then "\(.best)" else "\(.best)–\(.worst)" end;

# What an execution costs at $rate is compared between these rows of perf.csv; those that it can be ranked among are no lower bounds, and not of a
# saturated host, where a monitor that gets no CPU looks cheap.
def costs_at($rate): map(select(.exec_per_sec == $rate and (.daemon_us | type == "number") and .test != "none") | .test |= tostring);
def rankable: .saturated != "true" and .inprogram_method != "counted";

# At rest nothing is launched.
def rate_head: if . == 0 then "at rest" else "\(.)/s" end;

# The highest rate at which the host was saturated under none. At rest there is nothing to rank by.
def unsaturated_rate:
  . as $rows
  | [map(.exec_per_sec | numbers | select(. > 0)) | unique[] | . as $rate | select($rows | any(.exec_per_sec == $rate and .saturated == "true") | not)] | last;
