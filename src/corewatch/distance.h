/* A cache line that two CPUs throw to each other: how long it takes there and back is how far they are from
 * each other. */
#ifndef COREWATCH_DISTANCE_H
#define COREWATCH_DISTANCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* On a cache line of its own, and not on the one that processors fetch with it. */
struct thrown {
    _Alignas(128) _Atomic uint64_t throws; /* of all intervals */
};

/* One CPU throws, the other one throws back, in the same interval. The shortest mean of a few trips, in ns; 0
 * if the other one has not thrown back by then. Each throw has a number of its own, so that what an interval
 * has left behind is not taken for another one's. */
int64_t distance_ask_ns(struct thrown *thrown, uint64_t interval, int64_t until_ns);
void distance_answer(struct thrown *thrown, uint64_t interval, int64_t until_ns);

#endif
