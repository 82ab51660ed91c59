# The picture of the rates without loss: what plots/saturation.gp takes, from the rows of saturation.csv. A row a monitor and its
# limits, monitors by name: a lower bound has no rank.
# Gives {assignments: gnuplot's, caption, rows: row, kind (lossless or bound), rate, lowest, highest, number of the family}; nothing if no row was measured.
include "layout";
include "looks";
include "combinations";

def row_height: 30;
# Between two monitors.
def apart: 0.35;

def is_bound: .bound | IN("host", "load", "--max-rate", "failed");
def text:
  if (.lossless_per_sec | known) then
    if is_bound then "≥ \(.lossless_per_sec | round) (\({"host": "host saturated", "load": "load at its limit", "--max-rate": "--max-rate", "failed": "a round failed"}[.bound]))"
    else "\(.lossless_per_sec | round)" end
  elif (.dropped_at_per_sec | known) then "lost events at \(.dropped_at_per_sec | round) already"
  else (.status // "" | tostring) end;

map(select(.reps | known) | .monitor |= tostring | .combination |= tostring)
| select(any(.lossless_per_sec | known))
| sort_by(.monitor, place_of_combination)
| (map(.monitor) | unique) as $monitors
| ($monitors | looks($families)) as $looks
| [to_entries[] | .key as $row | .value
    | .hue = $looks[.monitor].hue
    | .place = $row + (.monitor as $monitor | $monitors | index($monitor)) * apart] as $rows
| ([$rows[] | .lossless_per_sec, .lossless_lowest, .lossless_highest | numbers]) as $rates
| (map(.combination) | unique | length == 1) as $alike
| {
    caption: ("whiskers: lowest to highest search" + (if $alike then "; \(.[0].combination)" else "" end)),
    rows: [$rows[] | select(.lossless_per_sec | known)
      | [.place, if is_bound then "bound" else "lossless" end, .lossless_per_sec, .lossless_lowest // .lossless_per_sec, .lossless_highest // .lossless_per_sec, .hue]],
    assignments: {
      row_height: row_height, bottom_row: ($rows | last.place),
      x_low: ($rates | min), x_high: ($rates | max),
      places: ($rows | map(.place)),
      # A monitor's name stands once, at its first row.
      names: [range($rows | length) as $i | if $i > 0 and $rows[$i - 1].monitor == $rows[$i].monitor then " " else $rows[$i].monitor end],
      limits: ($rows | map(if $alike then " " else .combination end)),
      name_width: ($rows | map(.monitor | width) | max),
      limit_width: (if $alike then 0 else $rows | map(.combination | width) | max + 20 end),
      texts: ($rows | map(text)), text_width: ($rows | map(text | width) | max),
      text_places: ($rows | map([.lossless_per_sec, .lossless_highest | numbers] | max // 0)),
      hues: ($rows | map(.hue)),
      family_names: families,
      any_bound: (if any($rows[]; (.lossless_per_sec | known) and is_bound) then 1 else 0 end)
    }
  }
