/*
 * Reaping, off the launching path: a thread that only waits. A sentinel, a child that does nothing, lives as
 * long as the workers, so that wait4() always has something to wait for: no polling, and no waking the thread
 * for each launch.
 */
#ifndef EXECRATE_REAPER_H
#define EXECRATE_REAPER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "launch.h"

struct reaper {
    struct launch *launches;
    struct pidtable *pids;
    bool workers_reap; /* each its own with reap_own(): leave the children alone */
    pthread_t waker;   /* gets REAPER_FINISHED once all workers have ended and all children are reaped */
    pthread_t thread;
    pid_t sentinel;
    void *sentinel_stack;
    atomic_uint workers; /* still running */
    _Atomic uint64_t children;
    atomic_bool finished;
};

#define REAPER_FINISHED SIGUSR1

/* 0 or an errno value. For the main thread to call: the sentinel dies with the thread that made it. */
int reaper_start(struct reaper *reaper);
void reaper_join(struct reaper *reaper);

/* One more child to reap. */
void reaper_child(struct reaper *reaper);

void reaper_worker_ended(struct reaper *reaper);

bool reaper_has_finished(const struct reaper *reaper);

/* Waits for a launch's own child, where workers_reap. */
void reap_own(struct launch *launch, struct pidtable *pids);

#endif
