# The highest rate without loss, a row a monitor and its limits.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV row, kind, rate, lowest, highest,
# number of the family), and what lib/report/tables/dots.jq assigns.
left = 30 + name_width + 20 + limit_width
graph_width = 560
width = left + graph_width + text_width + 50
width = width < 1140 ? 1140 : width
top = 106 + 22 * words(head)
graph_height = row_height * (bottom_row + 1 < 3 ? 3 : bottom_row + 1)
height = top + graph_height + 95
left_edge = 30
title = 'How many events a second each monitor takes without losing any'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
rows = words(places)

set label 40 'events per second (reached; log scale)' at screen across(left + graph_width / 2),down(height - 22) center
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set logscale x 2
# Whole steps of the axis, and no fewer than two.
x_from = 25
while (x_from * 2 <= x_low * 0.97) { x_from = x_from * 2 }
x_to = x_from * 4
while (x_to < x_high) { x_to = x_to * 2 }
set xrange [(x_low < x_from ? x_low * 0.9 : x_from * 0.97) : x_to * 1.03]
set xtics x_from,2,x_to
set yrange [graph_height / (1.0 * row_height) - 0.5 : -0.5]
set grid noytics
unset ytics
set border 1
unset key

key_x = 30
key_y = down(72 + 22 * words(head))
do for [f = 1:words(family_names)] {
  if (sum [i = 1:rows] (of(hues, i) == f)) {
    set label 50 + f '' at screen across(key_x + 8),key_y point pt 7 ps size(1.6) lc rgb shade(f, 2)
    set label 60 + f word(family_names, f) at screen across(key_x + 24),key_y left
    key_x = key_x + 105
  }
}
if (any_bound) {
  set label 70 '' at screen across(key_x + 8),key_y point pt 7 ps size(1.6) lc rgb grey
  set label 72 '' at screen across(key_x + 8),key_y point pt 7 ps hollow(1.6) lc rgb '#ffffff' front
  set label 71 'hollow: at least this many; the monitor was not the limit' at screen across(key_x + 24),key_y left
}

do for [i = 1:rows] {
  place = word(places, i) + 0.0
  set label 100 + i word(names, i) at screen across(30),first place left textcolor rgb shade(of(hues, i), 1)
  set label 1000 + i word(limits, i) at graph 0,first place right offset screen across(-14),0
  x = word(text_places, i) + 0.0
  if (x > 0) {
    set label 10000 + i word(texts, i) at first x,first place left offset screen across(14),0
  } else {
    set label 10000 + i word(texts, i) at graph 0,first place left offset screen across(14),0 textcolor rgb grey
  }
}

plot for [f = 1:3] data using ($6 == f ? $4 : NaN):1:($5 - $4):(0) with vectors nohead lw 2 lc rgb shade(f, 2) notitle, \
     for [f = 1:3] for [end = 4:5] data using ($6 == f ? column(end) : NaN):($1 - 0.18):(0):(0.36) with vectors nohead lw 2 lc rgb shade(f, 2) notitle, \
     for [f = 1:3] data using ($6 == f ? $3 : NaN):1 with points pt 7 ps size(1.6) lc rgb shade(f, 2) notitle, \
     for [f = 1:3] data using ($6 == f && strcol(2) eq 'bound' ? $3 : NaN):1 with points pt 7 ps hollow(1.6) lc rgb '#ffffff' notitle
