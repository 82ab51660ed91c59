# The picture of a saturation run's rounds: what plots/saturation-rounds.gp takes, from the rows of rounds.csv.
# Takes: combinations (rows of saturation.csv). Gives {assignments: gnuplot's, caption, rows: panel, line, kind (round or lossless),
# rate, percent}; nothing if no round has figures.
include "layout";
include "looks";
include "combinations";

map(select(.status == "ok" and (.achieved_per_sec | known) and .achieved_per_sec > 0 and (.recorded_percent | known)) | .monitor |= tostring)
| select(length > 0)
| (map(.monitor) | unique) as $monitors | ($monitors | looks($families)) as $looks
| (unique_by(.combination) | sort_by(place_of_combination) | map(.combination)) as $panels
| def place($list): . as $one | $list | index($one) + 1;
  {
    caption: "a point a round; ringed: the highest rate without loss, median of the searches",
    rows: [# A line is drawn through rows that follow each other.
      (sort_by(.combination, .monitor, -.achieved_per_sec)[] | [(.combination | place($panels)), (.monitor | place($monitors)), "round", .achieved_per_sec, .recorded_percent]),
      ($combinations[] | select((.lossless_per_sec | known) and (.combination | IN($panels[])))
        | [(.combination | place($panels)), (.monitor | tostring | place($monitors)), "lossless", .lossless_per_sec, 100])],
    assignments: {
      panels: $panels, monitors: $monitors,
      hues: [$monitors[] | $looks[.].hue], line_shades: [$monitors[] | $looks[.].shade],
      points: [$monitors[] | $looks[.].point]
    }
  }
