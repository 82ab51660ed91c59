# The rows of a comparison as text, for a table.
include "markdown";
include "compared";
include "shown";
all_plain
| [.comparisons[] | select(worth_showing)
  | {monitor: subject, rate: rate_text, figure: "\(.figure), \(.unit | unit_text)", A: (.unit as $unit | .lower_bound as $bound | .a | side_text($unit; $bound)),
     B: (.unit as $unit | .lower_bound as $bound | .b | side_text($unit; $bound)), difference: difference_text, "B to A": ratio_text, verdict: verdict_text}
    + (if .gate then {gate: (.gate | gate_text)} else {} end)]
