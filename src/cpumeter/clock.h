/* The clocks of a reading, and whether the machine slept since the one before. */
#ifndef CPUMETER_CLOCK_H
#define CPUMETER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "row.h"

struct sleep_watch {
    bool started;
    int64_t slept_ns; /* CLOCK_BOOTTIME - CLOCK_MONOTONIC */
};

/* True if the machine was suspended since the last call. */
bool sleep_watch_update(struct sleep_watch *watch, int64_t monotonic_ns, int64_t boottime_ns);

void clock_read(struct sleep_watch *watch, struct rows *rows);

#endif
