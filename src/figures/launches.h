/* What execrate and the reader of the log recorded of each launch, summarised for each window. */
#ifndef FIGURES_LAUNCHES_H
#define FIGURES_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* A launch belongs to the window in which it was started: from <= start < to, CLOCK_MONOTONIC. */
struct span {
    double from_ns, to_ns;
};

enum { WINDOW_A, WINDOW_B, WINDOWS };

/* Of the launches in one window. Unknown where there are none; the delays, where none of them was seen to
 * arrive. */
struct launch_figures {
    double count;
    double child_cpu_mean_us;
    double spawn_to_exit_p50_ns, spawn_to_exit_p99_ns;
    double delay_p50_ns, delay_p99_ns, delay_max_ns;
};

struct launches {
    struct launch_figures in[WINDOWS];
    /* Of all that were tried, in whatever window. */
    double rows, first_start_ns, last_start_ns;
    /* The shortest time from a launch to its record being readable; below zero if the records are those of
     * other launches. */
    double shortest_delay_ns;
};

/* When the record of each launch could be read, by its number; 0 if it never could. */
struct arrivals {
    int64_t *time_ns;
    size_t capacity;
};

void launches_unknown(struct launches *launches);

/* false if no launch has such a number. */
bool arrivals_note(struct arrivals *arrivals, int64_t seq, int64_t time_ns);

/* 0 if it was never noted. */
int64_t arrivals_of(const struct arrivals *arrivals, int64_t seq);

void arrivals_read(struct arrivals *arrivals, const char *path, struct problem *problem);
void arrivals_free(struct arrivals *arrivals);

void launches_read(struct launches *launches, const char *path, const struct span spans[WINDOWS],
                   const struct arrivals *arrivals, struct problem *problem);

/* The smallest value that so many percent of them are not above (the nearest rank); reorders values. */
double percentile(int64_t *values, size_t count, unsigned percent);

#endif
