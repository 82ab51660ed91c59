# What belongs under the table of a comparison.
include "markdown";
include "compared";
include "shown";
all_plain | remarks
