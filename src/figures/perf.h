/* Rows of perf.csv: a monitor at a rate, from its cells. */
#ifndef FIGURES_PERF_H
#define FIGURES_PERF_H

#include <stdbool.h>

#include "base.h"

struct moderation;
struct perf;

/* Cells of a row. */
struct cells {
    const struct cell **list;
    size_t count;
};

struct row {
    const struct perf *perf; /* that it is one of */
    const char *test;
    double rate;
    const struct cell **cells; /* all that rows are of (choice.h) */
    size_t cell_count;
    /* Those that the figures are of. */
    struct cells counted;
    struct cells complete; /* those of them that have all parts of a total that any has */
    const struct baseline *baseline;
};

struct perf {
    struct row *rows; /* by monitor, then by rate */
    size_t count;
    struct choices choices;
    struct baselines baselines;
    /* Of each figure and each row, from when that figure, or its share, is first asked for (means.h). */
    struct moderation **moderations[2];
};

/* cells must outlive it. */
void perf_make(struct perf *perf, const struct cell *cells, size_t count);
void perf_free(struct perf *perf);

/* The cells that a mean of that figure is of. Parts add up if they are of the same ones. */
const struct cells *row_cells(const struct row *row, const struct figure *figure);

/* Of how many of a row's counted cells a truth value is true, and whether that is more than half. */
size_t row_count_true(const struct row *row, const char *figure);
bool row_is_mostly(const struct row *row, const char *figure);

/* What a row's counted cells have in common of a figure that is a text; NULL if nothing. */
const char *row_text(const struct row *row, const char *figure);

/* Over all cells that went well; unknown if none has it. */
double row_sum(const struct row *row, const char *figure);

/* Whether they are of the same monitor or of builds of it (MONITOR@BUILD). */
bool rows_are_of_one_monitor(const struct row *a, const struct row *b);

#endif
