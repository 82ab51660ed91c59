# What gnuplot is told of a picture: $told, {NAME: value}, what stands below its title (the lines of $subtitle, and of its caption), and its own
# assignments.
include "layout";
$told + {head: [$subtitle, .caption | wrapped(122)[]]} + .assignments | assigned
