/* Clocks, and times in nanoseconds. */
#ifndef EXECTAX_CLOCK_H
#define EXECTAX_CLOCK_H

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define NS_PER_SEC INT64_C(1000000000)
#define NS_PER_MSEC INT64_C(1000000)
#define NS_PER_USEC INT64_C(1000)

static inline int64_t from_timespec(const struct timespec *time)
{
    return (int64_t)time->tv_sec * NS_PER_SEC + time->tv_nsec;
}

/* ns: not negative. */
static inline struct timespec to_timespec(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_SEC, .tv_nsec = ns % NS_PER_SEC};
}

/* Ends the program if there is no such clock. Inline: execrate reads clocks between a launch's due time and
 * its clone(). */
static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) < 0)
        err(EXIT_FAILURE, "cannot read clock %d", (int)clock);
    return from_timespec(&now);
}

/* What all deadlines and intervals are in: no step of the time of day moves it. */
static inline int64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/*
 * CLOCK_REALTIME minus CLOCK_MONOTONIC. NTP slews both alike, so that it changes only when the time of day is
 * stepped.
 */
int64_t clock_offset_ns(void);

#endif
