# Rule engines among each other, from the rows of engines.csv and engine-differences.csv.

# ranks_by_intervals($differences): of the names in the input, {NAME: {best, worst}}: one is before or behind another if the 95 % interval of their
# difference leaves out zero.
def ranks_by_intervals($differences):
  . as $names
  | map(. as $name
    | ([$differences[] | select((.test_a == $name and .difference_low > 0) or (.test_b == $name and .difference_high < 0))] | length) as $cheaper
    | ([$differences[] | select((.test_a == $name and .difference_high < 0) or (.test_b == $name and .difference_low > 0))] | length) as $dearer
    | {key: $name, value: {best: (1 + $cheaper), worst: (($names | length) - $dearer)}})
  | from_entries;
def rank_text: if .best == .worst then "\(.best)" else "\(.best)–\(.worst)" end;

# Signatures that ask for no events: what such an engine costs is no engine's cost of looking at one.
def looks_at_events: .engine != "noop";

# What is compared: of each module, the rows of a signature's largest number, each with `test`, its engine; a list of such lists.
def compared_engines:
  map(select(.reps > 0 and (.ns | type == "number") and looks_at_events) | . + {test: (.engine | tostring)})
  | [group_by([.module, .signature])[] | (map(.signatures) | max) as $most | map(select(.signatures == $most))];

# The differences of engines of that module and signature, as ranks.jq and the answer take those of monitors.
def differences_of($row): [.[] | select(.module == $row.module and .signature == $row.signature)
  | {test_a: (.engine_a | tostring), test_b: (.engine_b | tostring), exec_per_sec: .signatures, figure, difference, difference_low, difference_high}];

# {ENGINE: {best, worst}} of one of these lists.
def ranks_of_engines($differences):
  .[0] as $first
  | map(.test) as $names
  | [$differences | differences_of($first)[] | select(.figure == "ns" and .exec_per_sec == $first.signatures and (.test_a | IN($names[])) and (.test_b | IN($names[])))] as $pairs
  | $names | ranks_by_intervals($pairs);
