/* By how much cells of a row are expected to scatter, while there are too few of them to tell: as those of
 * the baseline do, of which each pass has several. */
#ifndef FIGURES_EXPECTED_H
#define FIGURES_EXPECTED_H

#include "interval.h"
#include "perf.h"

/* A variance at a rate. */
struct rate_variance {
    double rate, variance, degrees;
};

/* The variance at that rate, which is one of them, by a line through all: its logarithm over that of the
 * rate. No degrees of freedom if there are none. */
struct moderation variance_at(const struct rate_variance *variances, size_t count, double rate);

/* Of one cell of the row, in the square of what an execution costs, which is execution_us; level is what the
 * figure is of that. A cell scatters as one of the baseline, and more as it costs more. No degrees of freedom
 * if the baseline does not tell. */
struct moderation expected_of(const struct row *row, const struct figure *figure, double level,
                              double execution_us);

#endif
