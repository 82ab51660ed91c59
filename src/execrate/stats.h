/* The figures of a run, from its records. */
#ifndef EXECRATE_STATS_H
#define EXECRATE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run.h"

/* A launch that starts later than this counts as not started in time. */
#define ON_TIME_NS INT64_C(100000000)

#define ERRNO_MAX 256

struct percentiles {
    int64_t p50, p90, p99, p999, max;
};

struct stats {
    uint64_t asked, launched, failed, missed;
    uint64_t failures[ERRNO_MAX]; /* by errno */
    uint64_t nonzero_exits;
    double covered_s;
    double achieved_hz;
    bool reached; /* the rate, as is_reached() says; meaningless without one (--max) */
    bool saturated;
    struct percentiles lateness_ns; /* of launched and failed */
    struct percentiles spawn_to_exit_ns;
    struct percentiles child_cpu_usec;
    double child_cpu_mean_usec;
    double self_cpu_usec_per_launch;
};

/* Nearest rank: the smallest value that at least permille / 1000 of the values don't exceed. Sorted; 0 if
 * empty. */
int64_t percentile(const int64_t *sorted, size_t count, unsigned permille);

/* A rate is reached with 99 % of it. */
bool is_reached(double achieved_hz, double rate_hz);

/* More than 1 % of the launches that were due did not start within ON_TIME_NS. */
bool is_saturated(uint64_t asked, uint64_t not_on_time);

void stats_compute(struct stats *stats, const struct run *run);

#endif
