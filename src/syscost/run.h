/* One run: a worker on each CPU, the slices that they fork, and the signals that end it early. */
#ifndef SYSCOST_RUN_H
#define SYSCOST_RUN_H

#include <stddef.h>

#include "options.h"
#include "worker.h"

struct run {
    const struct options *options;
    struct shared *shared;
    struct worker *workers; /* in shared memory, as what they point to; by CPU */
    unsigned worker_count;

    /* Results. Times are CLOCK_MONOTONIC. */
    int64_t start_ns;
    int64_t end_ns;
    int64_t real_offset_ns; /* CLOCK_REALTIME minus CLOCK_MONOTONIC, before */
    int64_t real_step_ns;   /* how far the time of day was stepped meanwhile */
    int interrupted_by;     /* a signal, or 0 */
    bool killed;            /* a second signal has ended the workers */
};

/* Gets everything ready that needs memory or rights, or ends the program. */
void run_init(struct run *run, const struct options *options);

/* Measures for the duration, fills in the results; ends the program if a call fails. */
void run_measure(struct run *run);

void run_free(struct run *run);

#endif
