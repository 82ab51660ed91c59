# What belongs under the table of a comparison.
include "compared";
remarks
