# CPU against executions per second, one line a monitor.
# Takes: data (perf.csv), picture (file), format (png|svg), tests (names, highest line first), titles (their legend
# entries, quoted words in the same order), subtitle.
if (format eq 'png') {
  set terminal pngcairo size 1200,750 font 'DejaVu Sans,13' noenhanced
} else {
  set terminal svg size 1200,750 font 'DejaVu Sans,14' noenhanced background '#ffffff'
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
style(i) = (i - 1) % 16 + 1

set label 1 'CPU cost of watching every program execution' at graph 0, graph 1.1 left font ',17'
set label 2 subtitle at graph 0, graph 1.045 left font ',11' textcolor rgb '#555555'
set xlabel 'executions per second (reached; log scale)'
set ylabel 'CPU of the monitor, its helpers and its eBPF programs, % of one CPU'
set logscale x 2
set xtics (25, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
# Never an empty range, whatever was measured.
stats data using (column('achieved_per_sec')) name 'rate' nooutput
set xrange [rate_min * 0.93 : (rate_max > 2 * rate_min ? rate_max : 2 * rate_min) * 1.07]
stats data using (column('cpu_highest')) name 'cpu' nooutput
set yrange [0:*]
if (cpu_max <= 0) { set yrange [0:1] }
set grid ytics xtics lt 1 lc rgb '#dddddd' lw 1
set border 3 lc rgb '#444444'
set tics nomirror out
set tmargin 5
set key outside right top Left reverse spacing 1.5 samplen 4
set pointsize 1.3

x(name) = strcol('test') eq name ? column('achieved_per_sec') : NaN
saturated_x = 'strcol("saturated") eq "true" ? column("achieved_per_sec") : NaN'
plot for [i = 1:words(tests)] data using (x(word(tests, i))):(column('cpu')):(column('cpu_lowest')):(column('cpu_highest')) \
       with yerrorbars lt 1 lw 1.5 lc rgb colour[(i - 1) % 8 + 1] pt point[style(i)] ps 0.01 notitle, \
     for [i = 1:words(tests)] data using (x(word(tests, i))):(column('cpu')) \
       with linespoints lw 2.2 lc rgb colour[(i - 1) % 8 + 1] pt point[style(i)] dt dash[style(i)] title word(titles, i), \
     data using (@saturated_x):(column('cpu')) with points pt 6 ps 2.6 lw 1.5 lc rgb '#444444' title 'host saturated'
