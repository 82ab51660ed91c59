# What belongs under the table of changes.
include "compared";
include "shown";
([.[] | . as $series | .changes[] | select(.news != []) | "With \(.run), \($series.test) at \($series | rate_text): \(.news | join("; "))."] | unique[]),
([.[] | select(.points | length < 9) | "\(.test) at \(rate_text)"] | unique | if . == [] then empty else "Too few runs to find a change in, 9 are needed: \(join(", "))." end),
"Changed: the first run after it. p: how often chance makes a step as large somewhere in a series that does not change; those below 0.01 are shown. Before, after: means from the change before and up to the next one, the difference with its 95 % interval, which is somewhat too short, since the place was chosen by it."
