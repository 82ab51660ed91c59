# The picture of what an event costs by number of signatures: what plots/engines.gp takes, from the rows of engines.csv. Gives {assignments:
# gnuplot's, caption, rows: line, signatures, µs, low, high}; nothing if there is nothing to draw.
include "engine-lines";
include "layout";

# From one label to the next, and the height that the graph has at least.
def apart: 25;
def least_height: 500;

engine_lines
| select(length > 0)
| . as $lines
| (map(.engine | sub("-.*"; "")) | unique) as $engines
| (map(.module) | unique) as $modules
| ([.[].points[] | .us, .low | select(known)] | min | log10 | floor) as $bottom
| ([.[].points[] | .us, .high | select(known)] | max | log10 | ceil) as $top
| ([least_height, length * apart] | max) as $height
| (map(($top - (.end | log10)) / ($top - $bottom) * $height)) as $wanted
| ($wanted | spread(apart; $height)) as $places
| {
    caption: "a signature of code injection, so many times; points: means\(if any(.[].points[]; .low | known) then ", whiskers: 95 % interval" else "" end); both axes are logarithmic",
    rows: [to_entries[] | (.key + 1) as $line | .value.points[]
      | [$line, .signatures, .us, .low // .us, .high // .us]],
    assignments: {
      graph_height: $height,
      label_width: (map(.title | width) | max),
      y_bottom: pow(10; $bottom), y_top: pow(10; $top),
      x_bottom: ([.[].points[].signatures] | min), x_top: ([.[].points[].signatures] | max),
      labels: map(.title),
      label_places: [$places[] | 1 - . / $height],
      ends_x: map(.points[-1].signatures),
      ends_y: map(.end),
      colours: map((.engine | sub("-.*"; "")) as $engine | $engines | index($engine) % 9 + 1),
      points: map(if .engine | test("-") then 2 else 1 end),
      dashes: map(.module as $of | $modules | index($of) % 5 + 1)
    }
  }
