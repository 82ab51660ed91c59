# What belongs under the table of a comparison.
include "compared";
include "shown";
remarks
