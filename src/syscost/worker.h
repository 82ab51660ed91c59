/* A worker: a process on a CPU of its own that forks one slice after another. */
#ifndef SYSCOST_WORKER_H
#define SYSCOST_WORKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "options.h"
#include "shared.h"
#include "slice.h"

struct worker {
    unsigned cpu;
    uint64_t seed;
    struct slice *slices;
    size_t capacity;
    size_t count; /* slices that are complete */
    pid_t pid;    /* of the process, 0: ended */
};

/* For the process that was forked for it. Never returns: it exits when stop_ns has come or shared->stop is
 * set. */
_Noreturn void worker_main(struct worker *worker, const struct options *options, struct shared *shared,
                           int64_t stop_ns, pid_t parent);

#endif
