#include "prng.h"

void prng_init(struct prng *prng, uint64_t seed)
{
    prng->state = seed;
}

uint64_t prng_next(struct prng *prng)
{
    uint64_t mixed = prng->state += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

/* The least power of two that is not below count, less one. */
static uint32_t mask_for(uint32_t count)
{
    uint32_t mask = count - 1;

    for (unsigned shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    return mask;
}

uint32_t prng_below(struct prng *prng, uint32_t count)
{
    const uint32_t mask = mask_for(count);
    uint32_t number;

    /* A remainder would favour the small numbers: what is too large is drawn again. */
    do
        number = (uint32_t)(prng_next(prng) >> 32) & mask;
    while (number >= count);
    return number;
}
