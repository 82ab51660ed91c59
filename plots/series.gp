# A figure over runs, one panel a series, with a line at each change.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV panel, kind of row, time, value, low, high), and what
# lib/report/tables/series-picture.jq assigns.
left = 90
panel_height = 190
panel_gap = 80
width = 1140
top = 80 + 22 * words(head)
height = top + panels * (panel_height + panel_gap) + 20
left_edge = 30
title = 'What changed over time'
load plots.'/common.gp'

set lmargin at screen across(left)
set rmargin at screen across(width - 40)
set timefmt '%s'
set xdata time
set format x '%Y-%m-%d'
# One run alone has no range.
margin = x_to > x_from ? 0.02 * (x_to - x_from) : 43200
set xrange [x_from - margin : x_to + margin]
tics_font = typeface(11)
set xtics font tics_font
set ytics font tics_font
set offsets 0, 0, graph 0.1, graph 0.1
unset key

is_of(i, what) = column(1) == i && strcol(2) eq what
set multiplot
do for [i = 1:panels] {
  place = top + (i - 1) * (panel_height + panel_gap) + 20
  set tmargin at screen down(place)
  set bmargin at screen down(place + panel_height)
  set label 60 word(names, i) at screen across(left),down(place - 14) left
  unset arrow
  do for [t in word(changes, i)] { set arrow from t,graph 0 to t,graph 1 nohead lc rgb grey dt 5 }
  plot data using (is_of(i, 'point') ? $3 : NaN):5:(0):($6 - $5) with vectors nohead lw 1.3 lc rgb shades[2] notitle, \
    for [j = 0:stretches - 1] data using (is_of(i, 'mean'.j) ? $3 : NaN):4 with lines lw 2.2 lc rgb shades[5] notitle, \
    data using (is_of(i, 'point') ? $3 : NaN):4 with points pt shape[1] ps size(1.2) lc rgb shades[2] notitle
  # The head is drawn once.
  do for [j = 1:1 + words(head)] { unset label j }
}
unset multiplot
