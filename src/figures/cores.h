/* When CPUs of the host shared a core: cores.csv, as corewatch writes it. */
#ifndef FIGURES_CORES_H
#define FIGURES_CORES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* Where a look shows nothing, since a CPU was kept from working beside the others, they count as sharing one.
 */
struct look {
    int64_t mono_ns;
    bool shared;
};

/* None where nothing looked. */
struct cores {
    struct look *looks; /* in the order of time */
    size_t count;
};

void cores_read(struct cores *cores, const char *path, struct problem *problem);
void cores_free(struct cores *cores);

/* In how many of the looks from then until then they did, in %; unknown without any. */
double cores_shared_percent(const struct cores *cores, double from_ns, double to_ns);

/* Whether they did in the last look before that time, or in the first after it. */
bool cores_are_shared(const struct cores *cores, int64_t mono_ns);

#endif
