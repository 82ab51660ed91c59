/* When CPUs of the host shared a core: cores.csv, as corewatch writes it. */
#ifndef FIGURES_CORES_H
#define FIGURES_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* A look shows nothing where a CPU was kept from working beside the others. */
struct look {
    int64_t mono_ns;
    enum { LOOK_APART, LOOK_SHARED, LOOK_UNKNOWN } shows;
};

/* None where nothing looked. */
struct cores {
    struct look *looks; /* in the order of time */
    size_t count;
};

void cores_read(struct cores *cores, const char *path, struct problem *problem);
void cores_free(struct cores *cores);

/* In how many of the looks from then until then that show something they did, in %; unknown without any. A
 * busy host has more looks that show nothing, which must not be held against its cells. */
double cores_shared_percent(const struct cores *cores, double from_ns, double to_ns);

/* Whether they did, or may have, in the last look before that time or in the first after it. */
bool cores_may_be_shared(const struct cores *cores, int64_t mono_ns);

#endif
