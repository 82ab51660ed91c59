# What gnuplot is told of a picture: $given, {NAME: value}, what stands below its title (the lines of $subtitle, and of its caption), and its own
# assignments.
include "layout";
$given + {head: [$subtitle, .caption | wrapped(122)[]]} + .assignments | assigned
