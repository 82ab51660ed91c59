# What share of the events each monitor records, by events per second: a panel a combination of limits and knobs, a line a
# monitor, its highest rate without loss ringed.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV panel, line, kind, rate, percent),
# and what lib/report/tables/rounds.jq assigns.
# The last panel is the key.
cells = words(panels) + 1
columns = cells < 3 ? cells : 2
lines = (cells + columns - 1) / columns
panel_width = 520
key_height = 22 * words(monitors) + 60
panel_height = key_height > 300 ? key_height : 300
width = 110 + columns * panel_width + (columns - 1) * 90 + 30
top = 101 + 22 * words(head)
height = top + lines * panel_height + (lines - 1) * 120 + 90
left_edge = 30
title = 'How many of the events each monitor records'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
colour(i) = shade(of(hues, i), of(line_shades, i))
set logscale x 2
stats data using 4 name 'rate' nooutput
set xrange [rate_min / 1.2 : (rate_max > 2 * rate_min ? rate_max : 2 * rate_min) * 1.2]
set xtics (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 102400)
set yrange [0:106]
set ytics 0,20,100
unset key
set multiplot
do for [p = 1:cells] {
  x = 110 + ((p - 1) % columns) * (panel_width + 90)
  y = top + ((p - 1) / columns) * (panel_height + 120)
  set lmargin at screen across(x)
  set rmargin at screen across(x + panel_width)
  set tmargin at screen down(y)
  set bmargin at screen down(y + panel_height)
  if (p <= words(panels)) {
    set label 40 word(panels, p) at screen across(x + panel_width / 2),down(y - 20) center
    set label 41 'events per second (reached; log scale)' at screen across(x + panel_width / 2),down(y + panel_height + 62) center
    set label 42 'recorded, %' at screen across(x - 75),down(y + panel_height / 2) center rotate by 90
    plot for [i = 1:words(monitors)] data using ($1 == p && $2 == i && strcol(3) eq 'round' ? $4 : NaN):5 \
           with linespoints pt shape[of(points, i)] ps size(0.9) lw 1.5 dt of(hues, i) lc rgb colour(i) notitle, \
         for [i = 1:words(monitors)] data using ($1 == p && $2 == i && strcol(3) eq 'lossless' ? $4 : NaN):5 \
           with points pt 6 ps size(2.4) lw 2 lc rgb colour(i) notitle
    unset label
  } else {
    unset border
    unset tics
    unset grid
    set key at graph 0.02,graph 1 left top Left reverse samplen 3 spacing 1.1
    plot for [i = 1:words(monitors)] NaN with linespoints pt shape[of(points, i)] ps size(0.9) lw 1.5 dt of(hues, i) lc rgb colour(i) title word(monitors, i)
  }
}
unset multiplot
