/* Rows as CSV. */
#ifndef FIGURES_PERF_WRITE_H
#define FIGURES_PERF_WRITE_H

#include <jansson.h>
#include <stdio.h>

#include "perf.h"

/* A figure of a row, without its interval, as a field of perf.csv. */
void row_write(FILE *out, const struct row *row, const struct figure *figure);

/* skipped: an object of monitors and why each could not be measured; they have rows of their own. */
void perf_write(FILE *out, const struct perf *perf, json_t *skipped);

#endif
