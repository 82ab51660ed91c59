/* What getrusage() and wait4() tell. */
#ifndef EXECRATE_RUSAGE_H
#define EXECRATE_RUSAGE_H

#include <stdint.h>
#include <sys/resource.h>

/* User and system time. */
static inline int64_t rusage_cpu_usec(const struct rusage *usage)
{
    return ((int64_t)usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 + usage->ru_utime.tv_usec +
           usage->ru_stime.tv_usec;
}

#endif
