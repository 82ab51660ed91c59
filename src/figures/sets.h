/* sets.csv of a run of exectax rules with a set of rules: what the set adds to each monitor. */
#ifndef FIGURES_SETS_H
#define FIGURES_SETS_H

#include <stdio.h>

#include "perf.h"

/* A row a monitor and figure: without the set, with it, and the difference. cells are those of the rows. */
void sets_write(FILE *out, const struct perf *perf, const struct cell *cells, size_t count);

#endif
