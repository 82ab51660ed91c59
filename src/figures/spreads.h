/* One figure on several hosts, each of which was measured by itself: what the hosts differ by beyond the
 * errors of measuring, and whether they agree on which side of zero it is. */
#ifndef FIGURES_SPREADS_H
#define FIGURES_SPREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "interval.h"

/* What one host's run says. */
struct host_figure {
    struct interval mean; /* its bounds are unknown of a single repetition */
    double degrees;       /* of freedom that the bounds were made with; may be unknown */
};

struct spread {
    size_t count;
    double lowest, highest;
    /* Standard deviation between hosts, if these were drawn from many, without the errors of the means;
     * unknown unless all of those are known. Its upper bound is unknown where hosts scatter less than those
     * errors let expect. */
    struct interval deviation;
    /* Hosts whose whole interval is below zero, and above it. */
    size_t below, above;
    /* How often chance puts as many on the rarer side, where none belongs there. */
    double chance;
};

struct spread spread_of(const struct host_figure *hosts, size_t count);

/* Of a table with the columns series, value, low, high and degrees, the rows of a series next to each other;
 * what is not known is empty. A row a series. false at a problem, which was told. */
bool spreads_write(FILE *out, const char *path);

#endif
