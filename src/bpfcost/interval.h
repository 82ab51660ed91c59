/* A median with its 95 % interval. */
#ifndef BPFCOST_INTERVAL_H
#define BPFCOST_INTERVAL_H

#include <stddef.h>

struct interval {
    double value, low, high; /* NAN: unknown */
};

/* Of independent values, by their order alone: whatever is wrong with a few of them, as when the machine was
 * busy with something else, moves neither the median nor its bounds far. Fewer than six values have no
 * bounds. Sorts them. */
struct interval interval_of_median(double *values, size_t count);

/* How many values lie outside of the bounds, at either end; 0: there are no bounds. */
size_t interval_outside(size_t count);

#endif
