# What an execution costs under each monitor, and who pays: a stacked bar a monitor, the dearest on top.
# Takes: data (CSV of lib/report/tables/bars.jq), picture (file), format (png|svg), rows (how many bars), rate,
# spread (nine of ten cells of the baseline are within it of what the others tell, µs; '': not known), subtitle.
height = 260 + 42 * (rows < 3 ? 3 : rows)
if (format eq 'png') {
  set terminal pngcairo size 1200,height font 'DejaVu Sans,13' noenhanced
} else {
  set terminal svg size 1200,height font 'DejaVu Sans,14' noenhanced background '#ffffff'
}
set output picture
set datafile separator comma
set datafile missing ''

segments = 'daemon helpers bpf inband unattributed'
titles = '"daemon" "helpers" "eBPF programs" "else in the watched programs" "unattributed"'
# Okabe and Ito's colours; the patterns tell them apart in print.
array colour[5] = ['#0072B2', '#56B4E9', '#D55E00', '#E69F00', '#999999']
array pattern[5] = [3, 3, 3, 3, 1]

set label 1 sprintf('Where the cost of an execution arises, at %d executions per second', rate) at screen 0.02, screen 1 offset 0,-1.3 left font ',17'
set label 2 subtitle at screen 0.02, screen 1 offset 0,-2.9 left font ',11' textcolor rgb '#555555'
set xlabel "CPU time per execution above that without a monitor, µs\nwhiskers: lowest and highest total" \
  .(spread eq '' ? '' : sprintf('; nine of ten cells of the baseline lie within ±%s µs', spread))
set yrange [-0.6 : (rows < 3 ? 3 : rows) - 0.4]
set style fill solid 1 border rgb '#ffffff'
set grid xtics lt 1 lc rgb '#dddddd' lw 1
set border 3 lc rgb '#444444'
set tics nomirror out
set ytics ()
set tmargin 5
set lmargin 30
set bmargin 9
set key at screen 0.5, screen 0 bottom center horizontal Left reverse samplen 2 width 1 maxrows 2 font ',12'
set arrow 1 from first 0, graph 0 to first 0, graph 1 nohead lc rgb '#444444'

half = 0.32
is(name) = strcol(3) eq name
plot for [i = 1:words(segments)] data using (is(word(segments, i)) ? ($4 + $5) / 2 : NaN):1:4:5:($1 - half):($1 + half) \
       with boxxyerror fs pattern pattern[i] fc rgb colour[i] title word(titles, i), \
     data using (is('total') ? $6 : NaN):1:4:5 with xerrorbars pt 7 ps 0.7 lw 1.5 lc rgb '#000000' title 'total (measured)', \
     data using (is('total') ? ($5 > $6 ? $5 : $6) : NaN):1:(sprintf('  %.0f', $6)) with labels left font ',11' notitle, \
     data using (is('total') ? 0 : NaN):1:ytic(strcol(2)) with points ps 0 notitle
