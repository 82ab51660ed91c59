/* Pseudo-random numbers that a seed repeats, on every machine and with every C library: splitmix64. For
 * orders and draws, never for secrets. */
#ifndef EXECTAX_PRNG_H
#define EXECTAX_PRNG_H

#include <stdint.h>

struct prng {
    uint64_t state;
};

/* Any seed is as good as any other. */
void prng_init(struct prng *prng, uint64_t seed);

uint64_t prng_next(struct prng *prng);

/* From 0 to count - 1, each equally likely. count: not 0. */
uint32_t prng_below(struct prng *prng, uint32_t count);

#endif
