# The picture of CPU by rate: what plots/perf.gp takes, from the rows of a run's perf.csv, or of several tables (plot.jq), which say
# what they are from (`table`, `source`) and what their line is called (`title`).
# Takes: families (rows of plots/families.csv). Gives {assignments: gnuplot's, caption, rows: line, rate, cpu, low, high, saturated};
# nothing if there is no line.
include "layout";
include "looks";

# From one label to the next, and the height that the graph has at least.
def apart: 25;
def least_height: 500;

def lost: if .lost != null and .lost > 0 then
    " (lost \(if .lost / .launched < 0.001 then "< 0.1" else .lost / .launched * 1000 | round / 10 end) %)"
  else "" end;

# At rest there is no place on its axis of rates.
map(select((.cpu | known) and (.achieved_per_sec | known) and .achieved_per_sec > 0) | .test |= tostring)
| select(length > 0)
| (group_by(.table // 0) | map({table: (.[0].table // 0), source: .[0].source, whiskers: whiskers_of("cpu"; "cpu_lowest"; "cpu_highest")})) as $tables
| (map(.test) | unique | looks($families)) as $looks
| (map(.table // 0) | max == 0) as $alone
| (map(.cpu) | max) as $most | ([map(.cpu)[], 0] | min) as $bottom
# A whisker that would squeeze all lines is cut.
| [group_by([.table // 0, .test])[]
    | sort_by(.exec_per_sec)
    | (.[0].table // 0) as $table | ($tables[] | select(.table == $table).whiskers) as $whiskers
    | (if $whiskers then map(select((.[$whiskers.low] | known) and (.[$whiskers.high] | known))
        |= . + {low: .[$whiskers.low], high: .[$whiskers.high]}) else . end) as $rows
    | {
        title: (.[0].title // .[0].test),
        look: ($looks[.[0].test] | .dash = if $alone then .hue else ($table - 1) % 5 + 1 end),
        launched: (map(.launched | select(known)) | add),
        lost: (map(.lost | select(known)) | add),
        last: last,
        points: [$rows[] | {achieved_per_sec, cpu, low, high, saturated: (.saturated == true or .saturated == "true")}]
      }]
| sort_by(-.last.cpu, .title)
| . as $lines
| ([$lines[].points[] | .cpu, ([.high // .cpu, $most * 1.2] | min)] | max) as $reach
| (if $reach > 0 then $reach else 1 end | step(.) as $step | {$step, top: ((. / $step | ceil) * $step)}) as $axis
| ([least_height, length * apart] | max) as $height
| ($axis.top - $bottom) as $range
| (map(($axis.top - .last.cpu) / $range * $height)) as $wanted
| ($wanted | spread(apart; $height)) as $places
| ([$lines[].points[].achieved_per_sec] | max) as $fastest
| (map(.title + lost)) as $labels
| {
    caption: ($tables | map(select(.whiskers)) | group_by(.whiskers.kind)
      | if length == 0 then "" elif length == 1 and (.[0] | length) == ($tables | length) then "whiskers: \(.[0][0].whiskers.kind)"
        else "whiskers: \(map("\(.[0].whiskers.kind) (\(map(.source) | join(", ")))") | join("; "))" end),
    rows: [to_entries[] | (.key + 1) as $line | .value.points[] | [$line, .achieved_per_sec, .cpu, .low, .high, if .saturated then 1 else 0 end]],
    assignments: {
      graph_height: $height,
      label_width: ($labels | map(width) | max),
      y_bottom: $bottom, y_top: $axis.top, y_step: $axis.step,
      labels: $labels,
      label_places: [$places[] | 1 - . / $height],
      # A label at its line's end needs nothing that leads to it.
      leaders: [range(length) as $i | $lines[$i].last | if .achieved_per_sec < $fastest * 0.9 or ($places[$i] - $wanted[$i] | fabs) > 2 then 1 else 0 end],
      ends_x: map(.last.achieved_per_sec),
      ends_y: map(.last.cpu),
      hues: map(.look.hue),
      line_shades: map(.look.shade),
      points: map(.look.point),
      dashes: map(.look.dash),
      one_table: (if $alone then 1 else 0 end),
      family_names: families,
      any_saturated: ([$lines[].points[].saturated] | any | if . then 1 else 0 end),
      whiskered: [to_entries[] | select(.value.points | any(.low | known)) | .key + 1]
    }
  }
