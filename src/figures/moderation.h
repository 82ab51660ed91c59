/* What the scatter of many rows tells of that of each: of a few cells alone, it is hardly known. */
#ifndef FIGURES_MODERATION_H
#define FIGURES_MODERATION_H

#include <stddef.h>

#include "interval.h"

/* Of one row: the variance of its cells, in the square of any unit, known with so many degrees of freedom. */
struct scatter {
    double level; /* of what scatters, above 0: larger ones may scatter more */
    double variance, degrees;
};

/* moderations gets one for each scatter, in the same unit. A scatter without a degree of freedom, or whose
 * variance is zero or unknown, tells nothing. The first gets what is expected of it, if it has a level; the
 * other stays as it is, and so do all where fewer than eight tell something. */
void moderations_find(const struct scatter *scatters, size_t count, struct moderation *moderations);

/* What becomes of one scatter of which that is expected. */
struct moderation moderation_to(const struct scatter *scatter, struct moderation expected);

#endif
