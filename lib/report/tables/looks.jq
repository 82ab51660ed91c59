# How a monitor is drawn: the hue is its family's, and within that shade and shape tell it from others.
# The families are those of plots/families.csv, in whose order they are given their looks, so that a monitor looks the same in
# every picture. What is not in there belongs to the longest name that it begins with (falco-0.40 to falco), else to "other".
def families: ["audit", "eBPF", "other"];
# auditd-raw of one table and auditdraw of another are the same.
def plain: . as $name | ascii_downcase | gsub("[^[:alnum:]]"; "") | if . == "" then $name else . end;

# Takes the rows of families.csv; gives a name's family.
def family_of($known):
  plain as $name
  | ([$known[] | select((.test | plain) as $prefix | $name | startswith($prefix))] | max_by(.test | plain | length) // {family: "other"}).family
  | if IN(families[]) then . else "other" end;

# Of a list of names: {name: {family, hue, shade, point}}, numbers from 1.
def looks($known):
  ($known | map(.test | plain)) as $order
  | map({name: ., plain: plain, family: family_of($known)}) | group_by(.family)
  | map(
      .[0].family as $family
      | [$known[] | select(.family == $family) | .test | plain] as $members
      | (map(.plain) | unique - $order) as $strangers
      | ($members + $strangers) as $places
      | .[]
      | (.plain as $plain | $places | index($plain)) as $place
      # A second round of the shapes has other shades.
      | ($place + ($place / 6 | floor)) as $shifted
      | {key: .name, value: {
          family: .family,
          hue: (.family as $family | families | index($family) + 1),
          shade: ([2, 1, 3][$shifted % 3]),
          point: ($place % 6 + 1)
        }})
  | from_entries;
