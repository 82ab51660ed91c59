#include "blocks.h"

void blocks_init(struct blocks *blocks, uint64_t seed, unsigned size)
{
    *blocks = (struct blocks){.size = size};
    prng_init(&blocks->prng, seed);
}

unsigned blocks_next(struct blocks *blocks)
{
    unsigned group;

    if (blocks->left == 0) {
        blocks->left = blocks->size;
        blocks->ones_left = blocks->size / 2;
    }
    /* So all orders of a block are equally likely. */
    group = prng_below(&blocks->prng, blocks->left) < blocks->ones_left;
    blocks->left--;
    blocks->ones_left -= group;
    return group;
}
