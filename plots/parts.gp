# What an execution costs under each monitor, and who pays: a stacked bar a monitor, the dearest on top.
# Takes, besides what common.gp takes but its width and height: plots (this folder), data (CSV row, segment, from, to), subtitle, rate,
# spread (nine of ten cells of the baseline are within it of the estimate from the others, µs; '': not shown), and what
# lib/report/tables/bars.jq assigns.
left = 30 + label_width
graph_width = 820
# Of a bracket.
column_width = 12
width = left + graph_width + 30 + column_width * bracket_columns
width = width < 1080 ? 1080 : width
top = 170
height = top + graph_height + 85
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
rows = words(tests)
names = 'daemon helpers bpf inband unattributed rest'
titles = '"daemon" "helpers" "eBPF programs" "else in watched programs" "unattributed" "parts not distinguishable from 0"'
# Light and dark by turns, for print in grey; the patterns are for what nothing was counted for.
array segment_colour[6] = ['#0b3c6f', '#7fbbe8', '#b34700', '#f5b942', '#707070', '#b8b8b8']
array segment_pattern[6] = [3, 3, 3, 3, 6, 1]
array title_width[6] = [110, 110, 185, 275, 165, 350]
place(name) = sum [i = 1:6] (word(names, i) eq name ? i : 0)

set label 1 'What an execution costs, and who pays, at '.rate.' executions per second' at screen across(30),down(30) left font font(20)
set label 2 subtitle at screen across(30),down(62) left font font(11) textcolor rgb grey
set label 3 caption.(spread eq '' ? '' : '; nine of ten cells of the baseline lie within ±'.spread.' µs') \
  at screen across(30),down(84) left font font(11) textcolor rgb grey
set label 4 'CPU time per execution above that without a monitor, µs' at screen across(left + graph_width / 2),down(height - 20) center
set lmargin at screen across(left)
set rmargin at screen across(left + graph_width)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
# Room for the figure at the longest bar's end.
set xrange [x_left : x_right * 1.1]
set yrange [graph_height / row_height - 0.5 : -0.5]
set grid noytics
set grid xtics
set ytics ()
set border 1
set style fill solid 1 border rgb '#ffffff'
unset key
set arrow 1 from first 0,graph 0 to first 0,graph 1 nohead lc rgb '#444444'

key_x = 30
key_y = 112
do for [i = 1:words(segments)] {
  s = place(word(segments, i))
  if (key_x + title_width[s] > width - 20) {
    key_x = 30
    key_y = key_y + 27
  }
  set object 10 + i rectangle from screen across(key_x),down(key_y + 8) to screen across(key_x + 26),down(key_y - 8) \
    fs pattern segment_pattern[s] fc rgb segment_colour[s]
  set label 10 + i word(titles, s) at screen across(key_x + 34),down(key_y) left
  key_x = key_x + 34 + title_width[s]
}
if (strstrt(saturated, '1')) {
  set label 20 '' at screen across(key_x + 8),down(key_y) point pt 6 ps size(1.5) lw outline
  set label 21 'host saturated' at screen across(key_x + 22),down(key_y) left
}

do for [i = 1:rows] {
  row = i - 1
  none = of(nones, i)
  ink = none ? grey : '#000000'
  set label 100 + i word(tests, i) at graph 0,first row right offset screen across(-10),0 textcolor rgb ink
  set label 1000 + i word(texts, i) at first of(text_places, i),first row left offset screen across(10),0 textcolor rgb ink
}
half_bracket = 0.36
do for [i = 1:words(brackets_from)] {
  x = left + graph_width + 12 + column_width * of(brackets_column, i)
  set arrow 100 + i from screen across(x),first of(brackets_from, i) - half_bracket to screen across(x),first of(brackets_to, i) + half_bracket \
    nohead lw 2 lc rgb grey
}

half = 0.33
# Of a whisker that is cut, what is within the graph.
within(x) = x < x_left ? x_left : (x > x_right * 1.1 ? x_right * 1.1 : x)
plot for [s = 1:words(segments)] data using (strcol(2) eq word(segments, s) ? ($3 + $4) / 2 : NaN):1:3:4:($1 - half):($1 + half) \
       with boxxyerror fs pattern segment_pattern[place(word(segments, s))] fc rgb segment_colour[place(word(segments, s))] notitle, \
     for [i = 1:rows] '+' every ::::0 using (of(whiskered, i) ? of(lows, i) : NaN):(i - 1):(of(highs, i) - of(lows, i)):(0) \
       with vectors nohead lw 3.5 lc rgb '#ffffff' notitle
