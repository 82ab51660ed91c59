/* A cache line that two CPUs throw to each other: how long it takes there and back is how far they are from
 * each other. */
#ifndef COREWATCH_BALL_H
#define COREWATCH_BALL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A cache line for itself, or the two that processors fetch together. */
struct ball {
    _Alignas(128) _Atomic uint64_t throws; /* of all intervals */
};

/* One CPU throws, the other one throws back, in the same interval. The shortest mean of a few trips, in ns; 0
 * if the other one has not thrown back by then. Trips can't be told apart from those of another interval only
 * after 2^64 of them. */
int64_t ball_throw_ns(struct ball *ball, uint64_t interval, int64_t until_ns);
void ball_throw_back(struct ball *ball, uint64_t interval, int64_t until_ns);

#endif
