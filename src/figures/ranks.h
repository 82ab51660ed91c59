/* How monitors are ranked: by what they add in all to an execution. */
#ifndef FIGURES_RANKS_H
#define FIGURES_RANKS_H

#include <jansson.h>
#include <stdio.h>

#include "perf.h"

/* Two-sided p-values of count tests, corrected for their number (Holm): with all of them, one that is below
 * 0.05 is so by chance in at most 5 % of families of tests. In place; none may be unknown. */
void holm_correct(double *p, size_t count);

/* differences.csv: of each two monitors at a rate. */
void differences_write(FILE *out, const struct perf *perf);

/* ranks.csv: of each monitor and rate, the best and the worst place it can have, or why it has none.
 * references: an array of the names of those that are no products to choose. */
void ranks_write(FILE *out, const struct perf *perf, const json_t *references);

#endif
