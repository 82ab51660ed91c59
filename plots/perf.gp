# CPU against executions per second, one line a monitor.
# Takes: data (perf.csv), picture (file), format (png|svg), subtitle, saturated (1 if a row is), whiskers (the numbers of the
# lines that have any), and of each line, the highest first: tests (its name in data), titles (its legend entry, a quoted
# word), hues (the number of its colour and points), tables (which of several tables it is from, which decides its dash; 0 if
# there is but one). May take: rates, counted (what the axes show).
if (!exists('rates')) { rates = 'reached; log scale' }
if (!exists('counted')) { counted = 'CPU of the monitor, its helpers and its eBPF programs' }
# The names of several tables make a wider legend.
width = word(tables, 1) + 0 > 0 ? 1400 : 1200
height = words(tests) > 18 ? 175 + 31 * (words(tests) + 1) : 750
if (format eq 'png') {
  set terminal pngcairo size width,height font 'DejaVu Sans,13' noenhanced
} else {
  set terminal svg size width,height font 'DejaVu Sans,14' noenhanced background '#ffffff'
}
set output picture
set datafile separator comma
set datafile missing ''
set datafile columnheaders

# Okabe and Ito's colours, which colour-blind readers can tell apart; point and dash differ too, for print in grey.
array colour[8] = ['#D55E00', '#0072B2', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000', '#8C7A00']
# From the ninth line on the colours come again, with other points and dashes.
array point[16] = [7, 5, 9, 13, 11, 15, 2, 1, 4, 8, 12, 10, 14, 3, 1, 2]
array dash[16] = [1, 1, 2, 2, 4, 4, 5, 5, 3, 3, 1, 1, 2, 2, 4, 4]
hue(i) = word(hues, i) + 0
table(i) = word(tables, i) + 0
colour_of(i) = colour[(hue(i) - 1) % 8 + 1]
point_of(i) = point[(hue(i) - 1) % 16 + 1]
dash_of(i) = table(i) == 0 ? dash[(hue(i) - 1) % 16 + 1] : (table(i) - 1) % 5 + 1

set label 1 'CPU cost of watching every program execution' at graph 0, graph 1 offset 0,2.4 left font ',17'
set label 2 subtitle at graph 0, graph 1 offset 0,1.1 left font ',11' textcolor rgb '#555555'
set xlabel 'executions per second ('.rates.')'
set ylabel counted.', % of one CPU'
set logscale x 2
set xtics (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
# Never an empty range, whatever was measured.
stats data using (column('achieved_per_sec')) name 'rate' nooutput
set xrange [rate_min * 0.93 : (rate_max > 2 * rate_min ? rate_max : 2 * rate_min) * 1.07]
stats data using (strcol('cpu_highest') eq '' ? column('cpu') : column('cpu_highest')) name 'cpu' nooutput
set yrange [0:*]
if (cpu_max <= 0) { set yrange [0:1] }
set grid ytics xtics lt 1 lc rgb '#dddddd' lw 1
set border 3 lc rgb '#444444'
set tics nomirror out
set tmargin 5
set key outside right top Left reverse spacing 1.5 samplen 4
set pointsize 1.3

x(name) = strcol('test') eq name ? column('achieved_per_sec') : NaN
whiskered(i) = word(whiskers, i) + 0
# Macros, for gnuplot takes the first turn even of a loop that has none.
whisker_bars = words(whiskers) == 0 ? '' : "for [w = 1:words(whiskers)] data using \
  (x(word(tests, whiskered(w)))):(column('cpu')):(column('cpu_lowest')):(column('cpu_highest')) \
  with yerrorbars lt 1 lw 1.5 lc rgb colour_of(whiskered(w)) pt point_of(whiskered(w)) ps 0.01 notitle,"
rings = saturated == 0 ? '' : ", data using (strcol('saturated') eq 'true' ? column('achieved_per_sec') : NaN):(column('cpu')) with points pt 6 ps 2.6 lw 1.5 lc rgb '#444444' title 'host saturated'"
plot @whisker_bars for [i = 1:words(tests)] data using (x(word(tests, i))):(column('cpu')) \
  with linespoints lw 2.2 lc rgb colour_of(i) pt point_of(i) dt dash_of(i) title word(titles, i) @rings
