/* Rows of perf.csv: a monitor at a rate, from its cells. */
#ifndef FIGURES_PERF_H
#define FIGURES_PERF_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base.h"
#include "interval.h"

struct perf;

struct row {
    const struct perf *perf; /* that it is one of */
    const char *test;
    double rate;
    const struct cell **cells; /* all that were planned */
    size_t cell_count;
    /* Those that the figures are of: that went well and were not disturbed; the disturbed if there are no
     * others. */
    const struct cell **counted;
    size_t counted_count;
    const struct baseline *baseline;
};

struct perf {
    struct row *rows; /* by monitor, then by rate */
    size_t count;
    struct baselines baselines;
};

/* cells must outlive it. */
void perf_make(struct perf *perf, const struct cell *cells, size_t count);
void perf_free(struct perf *perf);

/* Whether a truth value is true of more than half of a row's cells. */
bool row_is_mostly(const struct row *row, const char *figure);

/* The mean of a figure over a row's cells. */
struct interval row_mean(const struct row *row, const struct figure *figure);

/* The same as a share of what an execution itself costs in the same cells (execution_us), 1 being all of that:
 * on a machine that is slower for a while, both are. Where there is the error of a baseline in both, it goes
 * together. */
struct interval row_share(const struct row *row, const struct figure *figure);

/* With how many degrees of freedom its interval is made; unknown if it has none. */
double row_share_degrees(const struct row *row, const struct figure *figure);

/* By how much a figure of two rows differs, with the error of a baseline that they share counted once. */
struct interval row_difference(const struct row *a, const struct row *b, const struct figure *figure);

/* a - times * b of a figure. Rows of different runs have nothing in common. */
struct estimate row_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                             double times);

/* The same of shares. An error of a baseline that both have is counted twice. */
struct interval row_share_difference(const struct row *a, const struct row *b, const struct figure *figure);
struct estimate row_share_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                                   double times);

/* What a row's counted cells have in common of a figure that is a text; NULL if nothing. */
const char *row_text(const struct row *row, const char *figure);

/* Whether they are of the same monitor or of builds of it (MONITOR@BUILD). */
bool rows_are_of_one_monitor(const struct row *a, const struct row *b);

/* Over all cells that went well; unknown if none has it. */
double row_sum(const struct row *row, const char *figure);

/* A figure of a row, without its interval, as a field of perf.csv. */
void row_write(FILE *out, const struct row *row, const struct figure *figure);

/* skipped: an object of monitors and why each could not be measured; they have rows of their own. */
void perf_write(FILE *out, const struct perf *perf, json_t *skipped);

/* By how much two monitors differ at the same rate, a row a pair and figure, where that is known. */
void differences_write(FILE *out, const struct perf *perf);

#endif
