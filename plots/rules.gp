# What an execution costs by the number of rules, one line a monitor and kind of rules, its name at its end.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV line, kind of row, rules, cost, low, high, saturated), rate,
# and what lib/report/tables/rules.jq assigns.
left = 110
graph_width = 640
gap = 46
width = left + graph_width + gap + label_width + 30
width = width < 1140 ? 1140 : width
top = 80 + 22 * words(head)
height = top + graph_height + 95
left_edge = 30
title = 'What an execution costs by number of rules, at '.rate.' a second'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
lines = words(labels)
# A colour a kind, the families' hues by turns; a dash and a shape a monitor.
array kind_shade[9] = [2, 5, 7, 1, 4, 8, 3, 6, 9]
colour(i) = shades[kind_shade[of(colours, i)]]

set label 40 'rules added to the monitor’s own' at screen across(left + graph_width / 2),down(height - 22) center
set label 41 'counted: CPU time per execution, µs' at screen across(25),down(top + graph_height / 2) center rotate by 90
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set xrange [-0.02 * x_top : 1.04 * x_top]
set yrange [y_bottom : y_top]
set ytics y_step
unset key

# In graph coordinates.
label_x = 1 + gap / (1.0 * graph_width)
do for [i = 1:lines] {
  y = of(label_places, i)
  set label 100 + i word(labels, i) at graph label_x + 14.0 / graph_width,y left
  set label 10000 + i '' at graph label_x,y point pt shape[of(points, i)] ps size(1.1) lc rgb colour(i)
  set arrow 100 + i from first of(ends_x, i),of(ends_y, i) to graph label_x,y nohead lw 0.8 lc rgb colour(i)
}

is_of(i, what) = column(1) == i && strcol(2) eq what
# What is not to be drawn lies outside: gnuplot warns of data in which nothing is valid.
outside = 100 * x_top
# Not error bars: gnuplot clears what is around their points, and so hides others.
plot for [i = 1:lines] data using (is_of(i, 'point') && valid(5) ? $3 : outside):(valid(5) ? $5 : 0):(0):(valid(5) ? $6 - $5 : 0) \
    with vectors nohead lw 1.3 lc rgb colour(i) notitle, \
  for [i = 1:lines] data using (is_of(i, 'fit') ? $3 : NaN):4 with lines lw 2.2 lc rgb colour(i) dt of(dashes, i) notitle, \
  for [i = 1:lines] for [white = 0:1] data using (is_of(i, 'point') && (!white || $7 == 1) ? $3 : outside):4 \
    with points pt shape[of(points, i)] ps (white ? hollow(1.4) : size(1.4)) lc rgb (white ? '#ffffff' : colour(i)) notitle
