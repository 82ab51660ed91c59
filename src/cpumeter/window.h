/* When readings are due. */
#ifndef CPUMETER_WINDOW_H
#define CPUMETER_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

struct window {
    int64_t start_ns; /* CLOCK_MONOTONIC, as are all */
    int64_t interval_ns;
    int64_t end_ns; /* INT64_MAX: a signal */
};

/* From now on the signals that end the window wait until they are asked for. */
void window_open(struct window *window, const struct options *options);

/* The time of the next reading: the next multiple of the interval that isn't past, the end at the latest. */
int64_t window_next_ns(const struct window *window, int64_t at_ns);

/* Waits for the next reading; false if that is the last one. */
bool window_wait(const struct window *window);

#endif
