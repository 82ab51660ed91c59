/* Change points: where the mean of a series of runs has moved. */
#ifndef FIGURES_CHANGES_H
#define FIGURES_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct change {
    size_t first; /* the first value after it */
    double p; /* how often chance alone makes a step as large somewhere in the stretch that was looked at */
};

/* Every value must be known. changes has room for count of them; how many were found, in their order. */
size_t changes_find(const double *values, size_t count, struct change *changes);

/* Of the series in a table with the columns series and value, those of a series next to each other: a row for
 * each change. false at a problem, which was told. */
bool changes_write(FILE *out, const char *path);

#endif
