# The picture of cost by number of rules: what plots/rules.gp takes, from the rows of rules.csv.
# Takes: families (rows of plots/families.csv), fits (rows of fits.csv). Gives {assignments: gnuplot's, caption, rows: line, "point" or
# "fit", rules, µs, low, high, saturated}; nothing if there is no line.
include "layout";
include "looks";

# From one label to the next, and the height that the graph has at least.
def apart: 25;
def least_height: 500;

. as $points
| [$fits[] | select(.figure == "counted_us" and (.slope | known)) | . as $fit
    | {
        title: "\(.monitor), \(.kind)", monitor, kind, fit: $fit,
        points: [$points[] | select(.monitor == $fit.monitor and (.kind == $fit.kind or .rules == 0) and (.counted_us | known)) | worth_drawing("counted_us")]
      }
    | select(.points | length > 0)
    | .most = ([.points[] | select(.saturated != "true") | .rules] | max // 0)
    | .end = .fit.fixed + .fit.slope * .most]
| select(length > 0)
| sort_by(-.end, .title)
| . as $lines
| (map(.kind) | unique) as $kinds
| (map(.monitor) | unique) as $monitors
# A whisker that would squeeze all lines is cut.
| ([.[].points[].counted_us, .[].end, 1] | max) as $dearest
| ([.[].points[] | .counted_us_high | numbers | [., $dearest * 1.2] | min] + [$dearest] | max) as $most
| ([.[].points[].counted_us, .[].end, .[].fit.fixed, 0] | min) as $bottom
| ([.[].fit.fixed, $most] | max | step(.) as $step | {$step, top: ((. / $step | ceil) * $step)}) as $axis
| ([least_height, length * apart] | max) as $height
| (map(($axis.top - .end) / ($axis.top - $bottom) * $height)) as $wanted
| ($wanted | spread(apart; $height)) as $places
| {
    caption: ("lines: fixed + slope × rules; points: means\(if any(.[].points[]; .counted_us_low | known) then ", whiskers: 95 % interval, of three cells or more" else "" end)"
      + (if any(.[].points[]; .saturated == "true") then "; hollow: host saturated, not in the line" else "" end)),
    rows: [to_entries[] | (.key + 1) as $line | .value
      | (.points[] | [$line, "point", .rules, .counted_us, .counted_us_low, .counted_us_high, if .saturated == "true" then 1 else 0 end]),
        [$line, "fit", 0, .fit.fixed], [$line, "fit", .most, .end]],
    assignments: {
      graph_height: $height,
      label_width: (map(.title | width) | max),
      y_bottom: $bottom, y_top: $axis.top, y_step: $axis.step,
      x_top: ([.[].points[].rules, 1] | max),
      labels: map(.title),
      label_places: [$places[] | 1 - . / $height],
      ends_x: map(.most),
      ends_y: map(.end),
      colours: map(.kind as $kind | $kinds | index($kind) % 9 + 1),
      points: map(.monitor as $monitor | $monitors | index($monitor) % 6 + 1),
      dashes: map(.monitor as $monitor | $monitors | index($monitor) % 5 + 1)
    }
  }
