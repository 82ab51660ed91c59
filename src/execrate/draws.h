/* What is drawn for each launch before the first (--groups): its group, and the CPU that it is started from.
 */
#ifndef EXECRATE_DRAWS_H
#define EXECRATE_DRAWS_H

#include <stdint.h>

#include "../common/cpulist.h"
#include "launch.h"

/*
 * Of so many launches, one after the other, as many are in one group as in the other. In longer blocks more
 * drifts; in shorter ones a launch says more of the group of the next, so that its own cost and what it
 * leaves behind for the next, such as a daemon at work, are harder to tell apart (docs/accounting.md).
 */
#define BLOCK_LAUNCHES 16

/*
 * Fills in group and cpu of each. The launches of a group are started from each of the CPUs equally often:
 * from all of them in an order drawn at random, then from all again, in another order. The same seed and
 * CPUs, the same draws. Ends the program if there is no memory.
 */
void draws_make(struct launch *launches, uint64_t count, uint64_t seed, const struct cpulist *cpus);

#endif
