# What an execution costs under each monitor, and who pays: a stacked bar a monitor, the dearest on top.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV row, segment, from, to), rate, and what
# lib/report/tables/bars.jq assigns.
left = 30 + label_width
graph_width = 820
# Of a bracket.
column_width = 12
width = left + graph_width + 30 + column_width * bracket_columns
width = width < 1140 ? 1140 : width

of(list, i) = word(list, i) + 0
rows = words(tests)
names = 'daemon services inprogram elsewhere slowed rest'
titles = '"daemon" "services" "in the program and its parent" "kernel elsewhere" "slowed down" "parts not distinguishable from 0"'
array title_width[6] = [115, 120, 320, 200, 160, 360]
# Light and dark by turns, for print in grey. What can't be told is no plain colour.
array segment_colour[5] = ['#0b3c6f', '#b3d9f5', '#a03c00', '#e8962e', '#6b6b00']
place(name) = sum [i = 1:6] (word(names, i) eq name ? i : 0)

# The key takes as many lines as it needs.
array key_xs[8]
array key_ys[8]
key_x = 30
key_y = 72 + 22 * words(head)
do for [i = 1:words(segments) + any_saturated] {
  if (key_x > 30 && key_x + (i > words(segments) ? 190 : 34 + title_width[place(word(segments, i))]) > width - 10) {
    key_x = 30
    key_y = key_y + 27
  }
  key_xs[i] = key_x
  key_ys[i] = key_y
  if (i <= words(segments)) { key_x = key_x + 34 + title_width[place(word(segments, i))] }
}
top = key_y + 28
height = top + graph_height + 95
left_edge = 30
title = 'What a monitor adds to an execution, and who pays, at '.rate.' executions per second'
load plots.'/common.gp'

set label 40 'CPU time that the machine takes more for an execution, in µs' at screen across(left + graph_width / 2),down(height - 20) center
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set xrange [x_left : x_right]
set yrange [graph_height / row_height - 0.5 : -0.5]
set grid noytics
unset ytics
set border 1
unset key
set arrow 1 from first 0,graph 0 to first 0,graph 1 nohead lc rgb '#444444'

do for [i = 1:words(segments)] {
  s = place(word(segments, i))
  if (s <= 5) {
    set object 10 + i rectangle from screen across(key_xs[i]),down(key_ys[i] + 8) to screen across(key_xs[i] + 26),down(key_ys[i] - 8) \
      fs solid noborder fc rgb segment_colour[s]
  } else {
    set object 10 + i rectangle from screen across(key_xs[i]),down(key_ys[i] + 8) to screen across(key_xs[i] + 26),down(key_ys[i] - 8) \
      fs empty border rgb grey fc rgb grey
  }
  set label 50 + i word(titles, s) at screen across(key_xs[i] + 34),down(key_ys[i]) left
}
if (any_saturated) {
  i = words(segments) + 1
  set label 60 '' at screen across(key_xs[i] + 8),down(key_ys[i]) point pt 7 ps size(1.5) lc rgb grey
  set label 62 '' at screen across(key_xs[i] + 8),down(key_ys[i]) point pt 7 ps hollow(1.5) lc rgb '#ffffff' front
  set label 61 'host saturated' at screen across(key_xs[i] + 22),down(key_ys[i]) left
}

do for [i = 1:rows] {
  row = i - 1
  none = of(nones, i)
  ink = none ? grey : '#000000'
  set label 100 + i word(tests, i) at graph 0,first row right offset screen across(-10),0 textcolor rgb ink
  # On a whisker that goes on and on, too.
  set label 1000 + i word(texts, i) at first (word(text_places, i) + 0.0),first row left offset screen across(10),0 front boxed textcolor rgb ink
}
set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.2,0.1
half_bracket = 0.36
do for [i = 1:words(brackets_from)] {
  x = left + graph_width + 12 + column_width * of(brackets_column, i)
  set arrow 100 + i from screen across(x),first of(brackets_from, i) - half_bracket to screen across(x),first of(brackets_to, i) + half_bracket \
    nohead lw 2 lc rgb grey
}

half = 0.33
box(name) = strcol(2) eq name ? ($3 + $4) / 2 : NaN
mark(name) = strcol(2) eq name ? $3 : NaN
# White behind the whiskers, which are seen on dark bars so.
plot for [s = 1:5] data using (box(word(names, s))):1:3:4:($1 - half):($1 + half) \
       with boxxyerror fs solid border rgb '#ffffff' fc rgb segment_colour[s] notitle, \
     data using (box('rest')):1:3:4:($1 - half):($1 + half) with boxxyerror fs empty border rgb grey lc rgb grey notitle, \
     data using (mark('whisker')):1:($4 - $3):(0) with vectors nohead lw 4 lc rgb '#ffffff' notitle, \
     for [kind in '"" none-'] data using (mark(kind.'whisker')):1:($4 - $3):(0) with vectors nohead lw 1.8 lc rgb (kind eq '' ? '#000000' : grey) notitle, \
     for [kind in '"" none-'] data using (mark(kind.'end')):($1 - 0.15):(0):(0.3) with vectors nohead lw 1.8 lc rgb (kind eq '' ? '#000000' : grey) notitle, \
     for [kind in '"" none-'] data using (mark(kind.'on')):1:($4 - $3):(0) with vectors filled lw 1.8 lc rgb (kind eq '' ? '#000000' : grey) notitle, \
     data using (mark('total')):1 with points pt 7 ps size(1.2) lc rgb '#000000' notitle, \
     data using (mark('hollow')):1 with points pt 7 ps size(1.5) lc rgb '#000000' notitle, \
     data using (mark('hollow')):1 with points pt 7 ps hollow(1.5) lc rgb '#ffffff' notitle
