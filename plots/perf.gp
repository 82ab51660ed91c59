# CPU against executions per second, one line a monitor, its name at its end.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV line, rate, cpu, low, high,
# saturated), and what lib/report/tables/lines.jq assigns. May take: rates, counted (what the axes show).
if (!exists('rates')) { rates = 'reached; log scale' }
if (!exists('counted')) { counted = 'CPU of monitor, services and eBPF' }
left = 110
graph_width = 640
# From the graph to the labels: whiskers and leaders end in it.
gap = 46 + (words(labels) > 17 ? 4 * (words(labels) - 17) : 0)
width = left + graph_width + gap + label_width + 30
width = width < 1200 ? 1200 : width
top = 106 + 22 * words(head)
height = top + graph_height + 95
left_edge = left
title = 'CPU cost of watching every program execution'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
lines = words(labels)
colour(i) = shade(of(hues, i), of(line_shades, i))

set label 40 'executions per second ('.rates.')' at screen across(left + graph_width / 2),down(height - 22) center
set label 41 counted.', % of one CPU' at screen across(25),down(top + graph_height / 2) center rotate by 90
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set logscale x 2
set xtics (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
stats data using 2 name 'rate' nooutput
x_from = rate_min * 0.93
x_to = (rate_max > 2 * rate_min ? rate_max : 2 * rate_min) * 1.04
set xrange [x_from : x_to]
set yrange [y_bottom : y_top]
set ytics y_step
unset key

# In graph coordinates.
label_x = 1 + gap / (1.0 * graph_width)
do for [i = 1:lines] {
  y = of(label_places, i)
  set label 100 + i word(labels, i) at graph label_x + 14.0 / graph_width,y left textcolor rgb shade(of(hues, i), 1)
  set label 10000 + i '' at graph label_x,y point pt shape[of(points, i)] ps size(1.1) lc rgb colour(i)
  if (of(leaders, i)) {
    set arrow 100 + i from first of(ends_x, i),of(ends_y, i) to graph label_x,y nohead lw 0.8 lc rgb colour(i)
  }
}

is_of(i) = column(1) == i
# Families by hue and dash; of several tables each has a dash of its own, by which the lines can be told apart.
present(family) = sum [i = 1:lines] (of(hues, i) == family)
key_x = left
key_y = down(top - 30)
do for [f = 1:words(family_names)] {
  if (present(f)) {
    key_dash = one_table ? f : 1
    set arrow 10 + f from screen across(key_x),key_y to screen across(key_x + 36),key_y nohead lw 3.5 lc rgb shade(f, 2) dt key_dash
    set label 50 + f word(family_names, f) at screen across(key_x + 44),key_y left
    key_x = key_x + 120
  }
}
if (any_saturated) {
  set label 60 '' at screen across(key_x + 10),key_y point pt 7 ps size(1.5) lc rgb grey
  set label 62 '' at screen across(key_x + 10),key_y point pt 7 ps hollow(1.5) lc rgb '#ffffff' front
  set label 61 'host saturated' at screen across(key_x + 24),key_y left
}

# Not error bars: gnuplot clears what is around their points, and so hides others. An end is ten pixels wide.
end_width = (x_to / x_from) ** (5.0 / graph_width)
whisker(w, x) = is_of(of(whiskered, w)) ? x : NaN
# Macros, for gnuplot takes the first turn even of a loop that has none.
whiskers = words(whiskered) == 0 ? '' : "\
  for [w = 1:words(whiskered)] data using (whisker(w, $2)):4:(0):($5 - $4) with vectors nohead lw 1.3 lc rgb colour(of(whiskered, w)) notitle, \
  for [w = 1:words(whiskered)] for [end = 4:5] data using (whisker(w, $2 / end_width)):(column(end)):($2 * end_width - $2 / end_width):(0) \
    with vectors nohead lw 1.3 lc rgb colour(of(whiskered, w)) notitle,"
plot @whiskers \
  for [i = 1:lines] data using (is_of(i) ? $2 : NaN):3 with lines lw 2.2 lc rgb colour(i) dt of(dashes, i) notitle, \
  for [i = 1:lines] for [white = 0:1] data using (is_of(i) && (!white || $6 == 1) ? $2 : NaN):3 \
    with points pt shape[of(points, i)] ps (white ? hollow(1.4) : size(1.4)) lc rgb (white ? '#ffffff' : colour(i)) notitle
