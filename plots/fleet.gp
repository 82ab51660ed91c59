# What monitors cost on several hosts, a block a monitor, a row a host.
# Takes, besides what common.gp takes and is not set here: plots (this folder), data (CSV row, kind, share, low, high, number of the family), and what
# lib/report/tables/fleet-picture.jq assigns.
left = 30 + test_width + 20 + host_width + 20
width = left + 620 + 40
width = width < 1140 ? 1140 : width
top = 60 + 22 * words(head)
graph_height = row_height * (bottom_row + 1 < 3 ? 3 : bottom_row + 1)
height = top + graph_height + 90
left_edge = 30
title = 'What an execution costs more on each host'
load plots.'/common.gp'

of(list, i) = word(list, i) + 0
set label 40 '% of what an execution costs there without a monitor' at screen across((left + width - 40) / 2),down(height - 22) center
set lmargin at screen across(left)
set rmargin at screen across(width - 40)
set tmargin at screen down(top)
set bmargin at screen down(top + graph_height)
set xrange [x_left : x_right]
set yrange [graph_height / (1.0 * row_height) - 0.5 : -0.5]
set grid noytics
unset ytics
set border 1
unset key
set arrow 1 from 0,graph 0 to 0,graph 1 nohead lc rgb grey

do for [i = 1:words(tests)] {
  place = of(test_places, i)
  set label 100 + i word(tests, i) at screen across(30),first place left textcolor rgb shade(of(hues, i), 1)
  do for [j = 1:words(hosts)] {
    set label 1000 + i * words(hosts) + j word(hosts, j) at graph 0,first place + j - 1 right offset screen across(-14),0 font font(row_height < 20 ? 9 : 11)
  }
}
point = row_height < 10 ? 0.6 : 1.4

plot for [f = 1:3] data using ($6 == f ? $4 : NaN):1:($5 - $4):(0) with vectors nohead lw (row_height < 10 ? 1 : 2) lc rgb shade(f, 2) notitle, \
     for [f = 1:3] data using ($6 == f ? $3 : NaN):1 with points pt 7 ps size(point) lc rgb shade(f, 2) notitle, \
     for [f = 1:3] data using ($6 == f && strcol(2) ne 'known' ? $3 : NaN):1 with points pt 7 ps hollow(point) lc rgb '#ffffff' notitle
