/* One slice: a process that makes batches of each call, in turn, and adds up what they cost. */
#ifndef SYSCOST_SLICE_H
#define SYSCOST_SLICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../common/prng.h"
#include "calls.h"

struct tally {
    uint64_t calls;
    int64_t cpu_ns;
    int64_t elapsed_ns;
    int64_t start_ns; /* CLOCK_MONOTONIC: the first batch begins, */
    int64_t end_ns;   /* the last one ends */
};

struct slice {
    unsigned group;                  /* 0 or 1 */
    struct tally tallies[CALLS_MAX]; /* as struct batches has the calls */
};

/* What the slices of a worker have in common. */
struct batches {
    const struct call *const *calls;
    const int *fds; /* what each call works on */
    unsigned call_count;
    int64_t slice_ns;
    const atomic_bool *stop;
};

/* Warms up and measures in the calling process, until slice_ns are over or stop is set; each call has the
 * same number of batches, and one at least. prng: for their order. Returns NULL, or the call that failed,
 * with errno. */
const struct call *slice_measure(const struct batches *batches, struct prng prng, struct slice *slice);

#endif
