/* Draws of one of two groups, in short blocks that have as many of each: at random, and yet as many of one as
 * of the other wherever one looks, so that what drifts drifts for both. */
#ifndef EXECTAX_BLOCKS_H
#define EXECTAX_BLOCKS_H

#include <stdint.h>

#include "prng.h"

struct blocks {
    struct prng prng;
    unsigned size;
    unsigned left, ones_left; /* draws left in this block, and how many of them are group 1 */
};

/* The same seed and size, the same draws. size: draws in a block, an even number. */
void blocks_init(struct blocks *blocks, uint64_t seed, unsigned size);

/* The next group, 0 or 1. */
unsigned blocks_next(struct blocks *blocks);

#endif
