# What share of the events each monitor records, by events per second: a panel a combination of limits and knobs, a line a
# monitor, its highest lossless rate marked.
# Takes: rounds (CSV monitor, combination, achieved_per_sec, recorded_percent), lossless (CSV monitor, combination,
# lossless_per_sec), picture (file), format (png|svg), panels, monitors (lists of names), subtitle.
columns = words(panels) < 2 ? 1 : 2
lines = (words(panels) + columns - 1) / columns
width = columns == 1 ? 1000 : 1300
height = 150 + 340 * lines
if (format eq 'png') {
  set terminal pngcairo size width,height font 'DejaVu Sans,12' noenhanced
} else {
  set terminal svg size width,height font 'DejaVu Sans,13' noenhanced background '#ffffff'
}
set output picture
set datafile separator comma
set datafile missing ''
set logscale x 2
stats rounds using 3 name 'rate' nooutput
set xrange [rate_min / 1.2 : rate_max * 1.2]
set grid lt 1 lc rgb '#dddddd' lw 1
set border 3 lc rgb '#444444'
set tics nomirror out
set xlabel 'events per second that the load reached; ringed: the highest without loss'
set ylabel 'recorded, %'
set yrange [0:104]
set key bottom left reverse Left samplen 2 font ',11'
# Okabe and Ito's colours; the point types tell them apart in print.
array colour[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000', '#999999']
array shape[8] = [7, 5, 9, 11, 13, 6, 4, 8]
of(i) = (i - 1) % 8 + 1
set label 1 'How many events a second each monitor takes before it loses some' at screen 0.02, screen 1 offset 0,-1.2 left font ',16'
set label 2 subtitle at screen 0.02, screen 1 offset 0,-2.7 left font ',10' textcolor rgb '#555555'
set multiplot layout lines,columns margins (95.0 / width),0.98,(70.0 / height),(1 - 110.0 / height) spacing 0.08,(110.0 / height)
do for [p = 1:words(panels)] {
  panel = word(panels, p)
  set title panel font ',13'
  plot for [i = 1:words(monitors)] rounds using (strcol(1) eq word(monitors, i) && strcol(2) eq panel ? $3 : NaN):4 \
         with linespoints pt shape[of(i)] ps 0.8 lw 1.5 lc rgb colour[of(i)] title word(monitors, i), \
       for [i = 1:words(monitors)] lossless using (strcol(1) eq word(monitors, i) && strcol(2) eq panel ? $3 : NaN):(100) \
         with points pt 6 ps 2.2 lw 2 lc rgb colour[of(i)] notitle
  unset label 1
  unset label 2
}
unset multiplot
