# Pictures as SVG, each drawn for wide and for narrow screens, of which style.css shows one. Colours are style.css's, values are in <title>s.
include "shown";
include "layout";
include "html";

def px: . * 10 | round / 10 | . + 0;
# Of a text in the pictures' letters, at most about.
def long: length * 7.4 | ceil;
def cut($most): if length > $most then .[:$most - 1] + "…" else . end;

def both($said; f; g):
  def svg($class; $size): "<svg class=\"\($class)\" viewBox=\"0 0 \($size.width) \($size.height | ceil)\" width=\"\($size.width)\" height=\"\($size.height | ceil)\" role=\"img\" aria-label=\"\($said | text)\">\n"
    + ($size.parts | join("\n")) + "\n</svg>\n";
  svg("wide"; f) + svg("narrow"; g);

def write($x; $y; $class; $words): "<text x=\"\($x | px)\" y=\"\($y | px)\" class=\"\($class)\">\($words | text)</text>";
def stroke($x; $y; $x2; $y2; $class): "<path class=\"\($class)\" d=\"M\($x | px) \($y | px)L\($x2 | px) \($y2 | px)\"/>";
def hover($tip; $parts): "<g class=\"v\"><title>\($tip | text)</title>" + ($parts | add // "") + "</g>";

def ticks($left; $right): step([$right, -$left] | max) as $step | [range($left / $step | ceil; ($right / $step | floor) + 1) | . * $step * 1e6 | round / 1e6 | . + 0];

# A row a bar, of {axis, left, right, brackets, rows: [{name, text, short, tip, muted, hollow, total, low, high, at, segments: [{name, from, to, tip}]}]}: `at` is where the text is.
def bars($narrow):
  . as $chart
  | (if $narrow then 340 else 900 end) as $width | (if $narrow then 46 else 30 end) as $step
  | (if $narrow then 4 else (.rows | map(.name | long) | max) + 12 end) as $x0
  | ((.brackets | map(.[2] + 1) | max // 0) * 9) as $side
  | ($width - $side - 6 - (if $narrow then 0 else (.rows | map(select(.muted | not) | .text | long) | max // 20) + 14 end)) as $x1
  | def across: [[(. - $chart.left) / ($chart.right - $chart.left) * ($x1 - $x0) + $x0, $x0] | max, $x1] | min;
    ((.rows | length) * $step + 6) as $bottom
  | def whisker($y):
      select(.low | known)
      | (if .muted then "w m" else "w" end) as $class
      | [stroke(.low | across; $y; .high | across; $y; "halo"), stroke(.low | across; $y; .high | across; $y; $class)]
        + [(.low, .high) | select(. >= $chart.left and . <= $chart.right) | across as $x | stroke($x; $y - 4; $x; $y + 4; $class)]
        + (if .high > $chart.right then [stroke($x1 - 5; $y - 4; $x1; $y; $class), stroke($x1 - 5; $y + 4; $x1; $y; $class)] else [] end)
        + (if .low < $chart.left then [stroke($x0 + 5; $y - 4; $x0; $y; $class), stroke($x0 + 5; $y + 4; $x0; $y; $class)] else [] end);
    {
      $width, height: ($bottom + 42),
      parts: (
        [ticks(.left; .right)[] | across as $x | stroke($x; 2; $x; $bottom; "grid"), write($x; $bottom + 15; "c f"; shown(3))]
        + [write(($x0 + $x1) / 2; $bottom + 36; "c f"; .axis)]
        + [stroke(0 | across; 2; 0 | across; $bottom; "base")]
        + [.rows | to_entries[] | .key as $row | .value
            | ($row * $step + (if $narrow then 33 else $step / 2 + 3 end)) as $y
            | (if .muted then " m" else "" end) as $muted
            | hover(.tip;
                ["<rect class=\"hit\" x=\"0\" y=\"\($row * $step + 2)\" width=\"\($width)\" height=\"\($step)\"/>"]
                + [.segments[] | hover(.tip; ["<rect class=\"s-\(.name)\" x=\"\(.from | across | px)\" y=\"\($y - 9 | px)\" width=\"\((.to | across) - (.from | across) | px)\" height=\"18\"/>"])]
                + ([whisker($y)] | add // [])
                + (if .muted then [] else ["<circle class=\"\(if .hollow then "dot hollow" else "dot" end)\" cx=\"\(.total | across | px)\" cy=\"\($y | px)\" r=\"4\"/>"] end)
                + (if $narrow then [write($x0; $y - 15; "n" + $muted; .name | cut(24)), write($x1; $y - 15; "e" + $muted; .short)]
                  else [write($x0 - 8; $y + 4.5; "e" + $muted; .name), "<rect class=\"back\" x=\"\((.at | across) + 7 | px)\" y=\"\($y - 8 | px)\" width=\"\(.text | long)\" height=\"16\"/>", write((.at | across) + 9; $y + 4.5; "h" + $muted; .text)] end))]
        + [.brackets[] | ($width - $side + 5 + .[2] * 9) as $x | stroke($x; .[0] * $step + 7; $x; (.[1] + 1) * $step - 3; "bracket")])
    };

def bar_chart($said): . as $chart | both($said; $chart | bars(false); $chart | bars(true));

# Differences beside zero, of {axis, rows: [{name, value, low, high, class, text, short, tip}]}: a bar of the class where there is one, which leaves out zero. Whiskers that would
# squeeze all others are cut.
def difference_chart($said):
  ([.rows[].value | fabs] | max) as $longest
  | ([.rows[] | .low, .high | select(known) | fabs] | max // 0) as $widest
  | ([[$widest, 3 * $longest] | min, $longest] | max | if . > 0 then . * 1.1 else 1 end) as $reach
  | ([.rows[] | .value, .low | select(known)] | min) as $least
  | {
      axis, brackets: [], right: $reach, left: ([[$least * 1.1, -$reach] | max, -0.12 * $reach] | min),
      rows: [.rows[] | {
        name: (.name | cut(48)), muted: false, total: .value, low, high, hollow: (.class == null), text, short, tip,
        segments: (if .class then [{name: .class, from: ([0, .value] | min), to: ([0, .value] | max), tip}] else [] end),
        at: ([.value, ([.high // 0, $reach] | min), 0] | max)
      }]
    }
  | bar_chart($said);

# A point's shape, of which hollow ones are those of a saturated host.
def mark($x; $y; $shape; $hollow):
  [["c", 4], ["r", 3.6], ["p", "M0 -5L4.8 3.6L-4.8 3.6Z"], ["p", "M0 -5L5 0L0 5L-5 0Z"], ["p", "M0 5L4.8 -3.6L-4.8 -3.6Z"], ["p", "M0 -5L4.8 -1.5L2.9 4L-2.9 4L-4.8 -1.5Z"]][$shape - 1] as [$kind, $what]
  | (if $hollow then "dot k hollow" else "dot k" end) as $class
  | if $kind == "c" then "<circle class=\"\($class)\" cx=\"\($x | px)\" cy=\"\($y | px)\" r=\"\($what)\"/>"
    elif $kind == "r" then "<rect class=\"\($class)\" x=\"\($x - $what | px)\" y=\"\($y - $what | px)\" width=\"\(2 * $what)\" height=\"\(2 * $what)\"/>"
    else "<path class=\"\($class)\" transform=\"translate(\($x | px) \($y | px))\" d=\"\($what)\"/>" end;

# The ends of the axis from below, of lines, and where its ticks are.
def heights:
  [.[].points[].y, (.[].fit // [] | .[].y), 0] as $all
  | ($all | min) as $bottom | ($all | max) as $most
  | ([$most, -$bottom, 1e-3] | max) as $farthest
  # A whisker that would squeeze all lines is cut.
  | ([$most, (.[].points[] | .high | select(known) | [., $farthest * 1.2] | min)] | max) as $reach
  | step([$reach, $farthest] | max) as $step | (([$reach / $step, 1] | max | ceil) * $step) as $top
  | {$bottom, $top, ticks: ticks($bottom; $top)};
# The same where the axis is logarithmic: powers of ten.
def decades:
  [.[].points[] | .y, .low, .high | select(known) | log10]
  | {bottom: (min | floor), top: (max | ceil)} | .top = ([.top, .bottom + 1] | max) | .ticks = [range(.bottom; .top + 1) | pow(10; .)];

# A line a monitor, of {x_axis, y_axis, log, y_log, ticks, lines: [{title, look: {hue, shade, point}, points: [{x, y, low, high, hollow, tip}], fit: [{x, y}]}]}: through
# its points, or through the ends of its fit.
def lines($narrow):
  . as $chart
  | (if $narrow then 340 else 900 end) as $width
  | (.lines | map(.title |= if $narrow then cut(16) else cut(40) end)) as $lines
  | (if $narrow then 44 else 62 end) as $x0
  | ($width - 24 - ($lines | map(.title | long) | max)) as $x1
  | ([($lines | length) * 17 + 20, if $narrow then 280 else 360 end] | max) as $height
  | def scaled: if $chart.log then log2 else . end;
    ([.lines[].points[].x, (.lines[].fit // [] | .[].x)] | min) as $least
  | ([.lines[].points[].x, (.lines[].fit // [] | .[].x)] | max) as $most
  | (if $most > $least then {from: ($least | scaled), to: ($most | scaled)} else {from: (($least | scaled) - 1), to: (($most | scaled) + 1)} end) as $x
  | (if .y_log then .lines | decades else .lines | heights end) as $y
  | def across: ((scaled - $x.from) / ($x.to - $x.from) * ($x1 - $x0 - 16)) + $x0 + 6;
    def raised: if $chart.y_log then log10 else . end;
    def down: 26 + ($y.top - ([[raised, $y.top] | min, $y.bottom] | max)) / ($y.top - $y.bottom) * $height;
    ($lines | map(. + {end: (.fit // .points | last)}) | sort_by(-.end.y, .title)) as $lines
  | ($lines | map(.end.y | down) | spread(17; $height + 36)) as $places
  | {
      $width, height: ($height + 78),
      parts: (
        [$y.ticks[] | down as $at | stroke($x0; $at; $x1; $at; "grid"), write($x0 - 6; $at + 4; "e f"; shown(3))]
        + [.ticks[] | . as $tick | across as $at | stroke($at; 26; $at; $height + 26; "grid"), write($at; $height + 44; "c f"; $tick | shown(0))]
        + [write(if $narrow then $width / 2 else ($x0 + $x1) / 2 end; $height + 66; "c f"; .x_axis), write(2; 12; "f"; .y_axis), stroke($x0; 0 | down; $x1; 0 | down; "base")]
        + [$lines | to_entries[] | .key as $line | .value
            | "<g class=\"k\(.look.hue)\(.look.shade) d\(.look.hue)\">"
              + ([(if .fit then .fit else .points end) as $ends | select($ends | length > 1)
                  | "<path class=\"line\" d=\"M" + ($ends | map("\(.x | across | px) \(.y | down | px)") | join("L")) + "\"/>"] | add // "")
              + (.look as $look | [.points[] | . as $point | hover(.tip;
                  (if (.low | known) and (.high | known) then [stroke(.x | across; .low | down; $point.x | across; .high | down; "w k")] else [] end)
                  + [mark(.x | across; .y | down; $look.point; .hollow)])] | add // "")
              + stroke(.end.x | across | . + 6; .end.y | down; $x1 + 4; $places[$line]; "leader")
              + mark($x1 + 9; $places[$line]; .look.point; false)
              + write($x1 + 18; $places[$line] + 4.5; "h"; .title) + "</g>"])
    };

def line_chart($said): . as $chart | both("\($said)"; $chart | lines(false); $chart | lines(true));
