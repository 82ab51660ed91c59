#include "interval.h"

#include <math.h>
#include <stdlib.h>

/* That exactly so many of the values are below the true median, which each is with probability 1/2. */
static double probability(size_t count, size_t below)
{
    const double n = (double)count, k = (double)below;

    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) - n * M_LN2);
}

size_t interval_outside(size_t count)
{
    double below = 0;
    size_t outside = 0;

    while (outside < count) {
        below += probability(count, outside);
        if (below > 0.025)
            break;
        outside++;
    }
    return outside;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct interval interval_of_median(double *values, size_t count)
{
    const size_t outside = interval_outside(count);
    struct interval interval = {NAN, NAN, NAN};

    if (count == 0)
        return interval;
    qsort(values, count, sizeof(*values), compare);
    interval.value = (values[(count - 1) / 2] + values[count / 2]) / 2;
    if (outside > 0) {
        interval.low = values[outside - 1];
        interval.high = values[count - outside];
    }
    return interval;
}
