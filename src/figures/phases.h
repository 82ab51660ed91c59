/* What was left alone from when to when: phases.csv, as lib/measure/side.sh writes it. */
#ifndef FIGURES_PHASES_H
#define FIGURES_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

enum unwatched { GROUP_0, GROUP_1, NONE, ALL };

struct phase {
    enum unwatched unwatched;
    int64_t from_us, to_us; /* CLOCK_REALTIME */
};

struct phases {
    struct phase *list;
    size_t count;
};

void phases_read(struct phases *phases, const char *path, struct problem *problem);
void phases_free(struct phases *phases);

/* Whether the members of a group (0 or 1) are watched in it. */
bool phase_watches(const struct phase *phase, int64_t group);

#endif
