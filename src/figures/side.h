/* Window S: what launches that a monitor watches cost more than those beside them that it does not. */
#ifndef FIGURES_SIDE_H
#define FIGURES_SIDE_H

#include <stdbool.h>

#include "cores.h"
#include "problem.h"

/* A difference, watched less unwatched, and one standard error of it; unknown where it can't be told. */
struct side_difference {
    double value, error;
};

struct side {
    bool exists;
    char way[16];     /* groups or switched; see lib/measure/side.sh */
    char reason[400]; /* why it counts for nothing; empty if it counts */
    double launches;  /* that it is based on */
    struct side_difference cpu_us, parent_us, minor_faults, switches;
    /* Of launch to exit: by how much the percentiles of the two differ. */
    double p50_us, p99_us;
};

void side_unknown(struct side *side);

/* Reads the folder side of a cell's folder, if there is one. tag: that of its load, or NULL if nobody knows.
 * cores: of the cell; launches while CPUs were misplaced are left out, if enough others remain.
 * A damaged file is a problem; what the window does not show for what it is is a reason. */
void side_read(struct side *side, const char *folder, const char *tag, const struct cores *cores,
               struct problem *problem);

#endif
