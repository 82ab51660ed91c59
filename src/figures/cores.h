/* When CPUs of the host shared a core, or were far from each other: cores.csv, as corewatch writes it. */
#ifndef FIGURES_CORES_H
#define FIGURES_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* A look shows nothing where a CPU was kept from working beside the others. */
struct look {
    int64_t mono_ns;
    enum { LOOK_NEAR, LOOK_SHARED, LOOK_FAR, LOOK_UNKNOWN } shows;
};

/* None where nothing looked. */
struct cores {
    struct look *looks; /* in the order of time */
    size_t count;
};

void cores_read(struct cores *cores, const char *path, struct problem *problem);
void cores_free(struct cores *cores);

/* How many of the looks from then until then that show something show this, in %; unknown without any. A busy
 * host has more looks that show nothing, which must not be held against its cells. */
double cores_percent(const struct cores *cores, int shows, double from_ns, double to_ns);

/* Whether they were misplaced, or may have been, in the last look before that time or in the first after it:
 * not near each other, each on a core of its own. */
bool cores_may_be_misplaced(const struct cores *cores, int64_t mono_ns);

#endif
