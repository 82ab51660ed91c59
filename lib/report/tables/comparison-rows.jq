# The rows of a comparison as text, for a table.
include "markdown";
include "compared";
include "shown";
all_plain
| [.comparisons[] | select(worth_showing)
  | {monitor: subject, rate: rate_text, figure: "\(.figure), \(.unit | unit_text)", A: (.unit as $unit | .a | side_text($unit)),
     B: (.unit as $unit | .b | side_text($unit)), difference: difference_text, "B to A": ratio_text, verdict: verdict_text}
    + (if .gate then {gate: (.gate | gate_text)} else {} end)]
