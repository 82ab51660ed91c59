/* Figures that a monitor has in its detailed cells only, in all of its cells: as shares of what an execution
 * costs, which are much the same at all rates. */
#ifndef FIGURES_POOLED_H
#define FIGURES_POOLED_H

#include "choice.h"

/* A share in several cells, and one standard error of each of them that the cell itself tells; 0 if none
 * does. */
struct pool {
    double *shares, *errors;
    size_t count;
};

/* One standard error of their mean as the share in any cell, as if it was known well: with what shares differ
 * by from cell to cell. */
double pool_error(const struct pool *pool);

/* Whether some cells of the monitor are not detailed. */
bool is_of_few(const struct cell *cells, size_t count, const struct cell *cell);

/* What is in the program and its parent, of all cells of such monitors, and its method; bpf_us of those
 * that are not detailed. */
void cells_pool(struct cell *cells, size_t count, const struct choices *choices);

#endif
