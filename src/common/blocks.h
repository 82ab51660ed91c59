/* Draws of one of two groups, in blocks of four that have two of each: at random, and yet as many of one as
 * of the other wherever one looks, so that what drifts drifts for both. */
#ifndef EXECTAX_BLOCKS_H
#define EXECTAX_BLOCKS_H

#include <stdint.h>

#include "prng.h"

#define BLOCK_SIZE 4

struct blocks {
    struct prng prng;
    unsigned order; /* what is left of this block, a bit each, the next one lowest */
    unsigned left;  /* draws left in this block */
};

/* The same seed, the same draws. */
void blocks_init(struct blocks *blocks, uint64_t seed);

/* The next group, 0 or 1. */
unsigned blocks_next(struct blocks *blocks);

#endif
