#include "blocks.h"

void blocks_init(struct blocks *blocks, uint64_t seed)
{
    *blocks = (struct blocks){0};
    prng_init(&blocks->prng, seed);
}

unsigned blocks_next(struct blocks *blocks)
{
    /* All ways to put two ones among four bits. */
    static const unsigned orders[] = {0x3, 0x5, 0x6, 0x9, 0xa, 0xc};
    unsigned group;

    if (blocks->left == 0) {
        blocks->order = orders[prng_below(&blocks->prng, sizeof(orders) / sizeof(*orders))];
        blocks->left = BLOCK_SIZE;
    }
    group = blocks->order & 1;
    blocks->order >>= 1;
    blocks->left--;
    return group;
}
