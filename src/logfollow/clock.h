/* Clock readings in nanoseconds. */
#ifndef LOGFOLLOW_CLOCK_H
#define LOGFOLLOW_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_SEC INT64_C(1000000000)

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * NS_PER_SEC + now.tv_nsec;
}

#endif
