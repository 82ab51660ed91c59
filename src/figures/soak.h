/* The memory of the monitor's processes over a soak. */
#ifndef FIGURES_SOAK_H
#define FIGURES_SOAK_H

#include <stddef.h>

#include "interval.h"
#include "window.h"

struct soak_point {
    double s, bytes;
};

struct soak {
    double readings;
    double first_bytes, last_bytes;
    struct interval bytes_per_s;
};

/* How fast memory grows. What a process has scatters about a level, walks, or jumps, and neighbouring
 * readings go together, so a line's own interval would be far too short. The readings are cut into six
 * stretches instead; the slope is the mean of the lines' through each, and its interval is Student's, of
 * these six. It is never closer than what the kernel keeps back from the count. Unknown with fewer than three
 * readings a stretch. */
struct interval soak_slope(const struct soak_point *points, size_t count);

/* Unknown if the monitor has no process, or not the same ones in all readings. */
struct soak soak_of(const struct window *window);

#endif
