# What it costs to look at an event by the number of signatures, one line an engine, its name at its end.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV line, signatures, µs, low, high), and what
# lib/report/tables/engines.jq assigns.
left = 110
graph_width = 640
gap = 46
width = left + graph_width + gap + label_width + 30
width = width < 1140 ? 1140 : width
top = 80 + 22 * words(head)
height = top + graph_height + 95
left_edge = 30
title = 'What it costs to look at one event, by number of signatures'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
lines = words(labels)
# The families' hues by turns, a colour an engine.
array kind_shade[9] = [2, 5, 7, 1, 4, 8, 3, 6, 9]
colour(i) = shades[kind_shade[of(colours, i)]]

set label 40 'signatures' at screen across(left + graph_width / 2),down(height - 22) center
set label 41 'elapsed time per event, µs' at screen across(25),down(top + graph_height / 2) center rotate by 90
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set logscale xy
set xrange [x_bottom * 0.9 : x_top * 1.1]
set yrange [y_bottom : y_top]
set format y '%g'
unset key

# In graph coordinates.
label_x = 1 + gap / (1.0 * graph_width)
do for [i = 1:lines] {
  y = of(label_places, i)
  set label 100 + i word(labels, i) at graph label_x + 14.0 / graph_width,y left
  set label 10000 + i '' at graph label_x,y point pt shape[of(points, i)] ps size(1.1) lc rgb colour(i)
  set arrow 100 + i from first of(ends_x, i),of(ends_y, i) to graph label_x,y nohead lw 0.8 lc rgb colour(i)
}

# Not error bars: gnuplot clears what is around their points, and so hides others.
plot for [i = 1:lines] data using (column(1) == i ? $2 : NaN):4:(0):($5 - $4) with vectors nohead lw 1.3 lc rgb colour(i) notitle, \
  for [i = 1:lines] data using (column(1) == i ? $2 : NaN):3 with lines lw 2.2 lc rgb colour(i) dt of(dashes, i) notitle, \
  for [i = 1:lines] data using (column(1) == i ? $2 : NaN):3 with points pt shape[of(points, i)] ps size(1.4) lc rgb colour(i) notitle
