/* What a cell is compared with: the cells of the monitor `none` at the same rate, of which the nearer ones
 * count more, since what an execution costs without a monitor drifts; of a monitor that was there already,
 * itself at rest. */
#ifndef FIGURES_BASE_H
#define FIGURES_BASE_H

#include "choice.h"

#define BASELINE "none"

struct base {
    /* Cells of the baseline; none if it was not measured at this rate. */
    const struct cell **cells;
    size_t count;
    /* One that must not count, since it is the very cell that is compared, has 0. */
    double *weights;
    const struct cell *at_rest;
};

/* The cells of the baseline that those at a rate are compared with. */
struct baseline {
    double rate;
    const struct cell **cells;
    size_t count;
};

/* All baselines of a run, one a rate. */
struct baselines {
    struct baseline *list;
    size_t count;
};

void baselines_find(struct baselines *baselines, const struct choices *choices, const struct cell *cells,
                    size_t count);
const struct baseline *baseline_at(const struct baselines *baselines, double rate);
void baselines_free(struct baselines *baselines);

/* How much each of the baseline's cells counts for cell. weights has room for all of them. */
void baseline_weights(const struct baseline *baseline, const struct cell *cell, double *weights);

/* The weighted mean over the cells that have the figure; unknown if none has. */
double base_number(const struct base *base, const char *figure);

/* What a helper does without the monitor, in % of one CPU; 0 if that is not known. */
double base_helper_cpu(const struct base *base, const char *name);

/* The figures of all cells that need others: the baseline, or whatever counts. */
void cells_derive(struct cell *cells, size_t count);

#endif
