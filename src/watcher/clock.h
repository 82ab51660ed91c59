/* Deadlines are on CLOCK_MONOTONIC, in nanoseconds. */
#ifndef WATCHER_CLOCK_H
#define WATCHER_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SEC INT64_C(1000000000)

static inline int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

#endif
