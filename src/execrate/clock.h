/* Clocks in nanoseconds. */
#ifndef EXECRATE_CLOCK_H
#define EXECRATE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SEC INT64_C(1000000000)

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec ts;

    /* It can't fail for the two clocks used here, and it is on the launching path. */
    clock_gettime(clock, &ts);
    return (int64_t)ts.tv_sec * NS_PER_SEC + ts.tv_nsec;
}

static inline int64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static inline struct timespec to_timespec(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_SEC, .tv_nsec = ns % NS_PER_SEC};
}

/*
 * CLOCK_REALTIME minus CLOCK_MONOTONIC. NTP slews both alike, so that it changes only when the time of day is
 * stepped.
 */
int64_t clock_offset_ns(void);

#endif
