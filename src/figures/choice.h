/* Which cells of a run its figures are of. What a disturbed cell costs is another thing than what others
 * cost, so at one rate either none of them counts, whichever monitor it is of, or all do. */
#ifndef FIGURES_CHOICE_H
#define FIGURES_CHOICE_H

#include <stdbool.h>

#include "cell.h"

struct choices {
    const struct cell *cells; /* that it is of */
    bool *counted, *awaited;  /* by the place of the cell among them */
};

/* cells must outlive it. */
void choices_make(struct choices *choices, const struct cell *cells, size_t count);
void choices_free(struct choices *choices);

/* Whether it is in means and baselines: it went well, and is not disturbed; if it is disturbed, because a
 * monitor, or the baseline, has too few others at that rate. */
bool choices_count(const struct choices *choices, const struct cell *cell);

/* Whether its monitor has too few cells at that rate that were not disturbed, where these are so frequent
 * that measuring on brings them. */
bool choices_await(const struct choices *choices, const struct cell *cell);

#endif
