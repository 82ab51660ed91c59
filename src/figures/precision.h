/* How precisely a run is known: when all rows are, it ends. */
#ifndef FIGURES_PRECISION_H
#define FIGURES_PRECISION_H

#include <stdio.h>

#include "perf.h"

/* What one row, of a monitor below saturation, is known to. */
struct precision {
    const struct row *row;
    double counted_us;
    double half_width_us; /* of the 95 % interval of its share of execution_us, times that; of its own where
                           * it has no share; UNKNOWN if there is none */
    double allowed_us;    /* to be known, it may not be more */
    double widest;        /* of the monitor's rows: the largest half width in units of what is allowed */
    bool known;
};

/* Of the rows of perf, with the monitors whose intervals are widest first; their number is in *count. A row
 * without counted_us is none of them, since no further cell would give it one. percent: half an interval
 * may be so much of counted_us, or 5 us if that is more. The caller frees the list. */
struct precision *precision_make(const struct perf *perf, double percent, size_t *count);

/* precision.csv */
void precision_write(FILE *out, const struct perf *perf, double percent);

#endif
