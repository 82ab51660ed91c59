/* Which cells of a run its figures are of: those of whole passes. So a run that was ended within a pass has
 * the same figures as one that was to end before it. */
#ifndef FIGURES_CHOICE_H
#define FIGURES_CHOICE_H

#include <stdbool.h>
#include <stdio.h>

#include "cell.h"

struct pass {
    double number; /* rep of plan.csv */
    size_t cells, measured;
    bool whole;
};

struct choices {
    struct pass *passes; /* in the order of the plan */
    size_t pass_count;
    bool has_whole; /* one of them at least */
};

/* cells: of the run, in the order of the plan. */
void choices_make(struct choices *choices, const struct cell *cells, size_t count);
void choices_free(struct choices *choices);

/* Whether rows are of it, well or not: it is of a whole pass, or no pass is whole. */
bool choices_have(const struct choices *choices, const struct cell *cell);

/* Whether it is in means and baselines: it went well besides. */
bool choices_count(const struct choices *choices, const struct cell *cell);

/* passes.csv */
void passes_write(FILE *out, const struct choices *choices);

#endif
