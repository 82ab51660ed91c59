# What the pictures share. Takes: format (png|svg), picture (file), width, height (pixels of the SVG; the PNG has half as
# many again each way, for it is often shown smaller than it is), left_edge (where the head begins), title, head (the lines below it).

# The terminals do not agree on what a font's size is: points of 4/3 pixels, and pixels.
font(points) = sprintf(',%g', format eq 'png' ? points : points * 4 / 3.0)
typeface(points) = 'DejaVu Sans'.font(points)
if (format eq 'png') {
  set terminal pngcairo size width * 1.5,height * 1.5 font typeface(15) fontscale 1.5 linewidth 1.5 pointscale 1.5 noenhanced
} else {
  set terminal svg size width,height font typeface(15) noenhanced background '#ffffff'
}
set output picture
set datafile separator comma
set datafile missing ''

# Pixels from the left and from the top, as a place on the screen.
across(pixels) = pixels / (1.0 * width)
down(pixels) = 1 - pixels / (1.0 * height)

# A hue a family (blue, orange, grey: told apart whatever one's colour vision), three shades of each. The darkest is that of text.
array shades[9] = ['#0b3c6f', '#0072b2', '#56a5dc', '#7a2e00', '#d55e00', '#f0913f', '#000000', '#555555', '#909090']
shade(family, number) = shades[(family - 1) * 3 + number]
# The SVG terminal's points are larger, and its outlines thin: a hollow point is a smaller white one on a filled one.
size(points) = format eq 'png' ? points : points * 0.55
hollow(points) = 0.6 * size(points)
array shape[6] = [7, 5, 9, 13, 11, 15]
set dashtype 1 solid
set dashtype 2 (9, 4)
set dashtype 3 (2, 4)
set dashtype 4 (12, 4, 2, 4)
set dashtype 5 (5, 3)
grey = '#555555'

set border 3 lc rgb '#444444'
set tics nomirror out scale 0.7
# The SVG terminal sets the figures too far from the axis.
set xtics offset 0,(format eq 'png' ? 0 : 0.4)
set grid lt 1 lc rgb '#dddddd' lw 1

set label 1 title at screen across(left_edge),down(30) left font font(20)
do for [i = 1:words(head)] {
  set label 1 + i word(head, i) at screen across(left_edge),down(40 + 22 * i) left font font(11) textcolor rgb grey
}
