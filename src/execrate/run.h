/* One run: the launching threads, and the signals that end it early. */
#ifndef EXECRATE_RUN_H
#define EXECRATE_RUN_H

#include <sys/resource.h>

#include "launch.h"
#include "options.h"

/*
 * Of so many launches, one after the other, as many are in one group as in the other (--groups). In longer
 * blocks more drifts; in shorter ones a launch says more of the group of the next, so that its own cost and
 * what it leaves behind for the next, such as a daemon at work, are harder to tell apart
 * (docs/accounting.md).
 */
#define BLOCK_LAUNCHES 16

struct run {
    const struct options *options;
    struct cpulist cpus; /* that execrate may run on */
    unsigned threads;
    uint16_t *thread_cpus;   /* with groups only: that each thread launches from */
    struct launch *launches; /* by sequence; all zero: never started */
    uint64_t capacity;       /* records there is room for; without --max, the launches asked for */

    /* Results. Times are CLOCK_MONOTONIC. */
    int64_t start_ns;
    int64_t stop_ns;        /* no launch was due or started after this */
    int64_t end_ns;         /* the last child is reaped */
    int64_t real_offset_ns; /* CLOCK_REALTIME - CLOCK_MONOTONIC at the start */
    int64_t real_step_ns;   /* how far the time of day was stepped during the run */
    int64_t self_cpu_usec;
    int interrupted_by; /* a signal, or 0 */
    bool room_used_up;  /* of --max: launching ended because there was no room for more records */
};

/* The launches that --max has room for: so many that no machine makes more in the time, as far as
 * memory_bytes hold their records, and as far as their tags fit. */
uint64_t run_room(const struct options *options, unsigned cpus, uint64_t memory_bytes);

/* Gets everything ready that needs memory, or ends the program. */
void run_init(struct run *run, const struct options *options);

/* Launches for the duration, reaps everything, fills in the results. */
void run_launches(struct run *run);

void run_free(struct run *run);

#endif
