#include "draws.h"

#include <err.h>
#include <stdlib.h>

#include "../common/blocks.h"

/* The CPUs in the order in which they have their turn. */
struct turns {
    uint16_t *cpus;
    unsigned count, next;
};

static void turns_init(struct turns *turns, const struct cpulist *cpus)
{
    *turns = (struct turns){.cpus = calloc(cpulist_count(cpus), sizeof(*turns->cpus))};
    if (!turns->cpus)
        err(EXIT_FAILURE, "cannot allocate the order of the CPUs");
    for (int cpu = cpulist_next(cpus, 0); cpu >= 0; cpu = cpulist_next(cpus, (unsigned)cpu + 1))
        turns->cpus[turns->count++] = (uint16_t)cpu;
}

/* Any of those that have not had their turn yet, equally likely. */
static uint16_t turns_next(struct turns *turns, struct prng *prng)
{
    const unsigned drawn = turns->next + prng_below(prng, turns->count - turns->next);
    const uint16_t cpu = turns->cpus[drawn];

    turns->cpus[drawn] = turns->cpus[turns->next];
    turns->cpus[turns->next] = cpu;
    turns->next = (turns->next + 1) % turns->count;
    return cpu;
}

void draws_make(struct launch *launches, uint64_t count, uint64_t seed, const struct cpulist *cpus)
{
    struct turns turns[2];
    struct blocks blocks;

    /* Neighbours in time are in one block, whichever thread launches them. */
    blocks_init(&blocks, seed, BLOCK_LAUNCHES);
    for (uint64_t seq = 0; seq < count; seq++)
        launches[seq].group = (uint16_t)blocks_next(&blocks);
    for (unsigned group = 0; group < 2; group++)
        turns_init(&turns[group], cpus);
    for (uint64_t seq = 0; seq < count; seq++)
        launches[seq].cpu = turns_next(&turns[launches[seq].group], &blocks.prng);
    for (unsigned group = 0; group < 2; group++)
        free(turns[group].cpus);
}
