/* Means of a row's cells, as figures and as shares of an execution, and what two rows differ by. */
#ifndef FIGURES_MEANS_H
#define FIGURES_MEANS_H

#include "interval.h"
#include "perf.h"

/* The mean of a figure over a row's cells. */
struct interval row_mean(const struct row *row, const struct figure *figure);

/* The same as a share of what an execution itself costs in the same cells (execution_us), 1 being all of
 * that: on a machine that is slower for a while, both are. Where there is the error of a baseline in both, it
 * goes together. */
struct interval row_share(const struct row *row, const struct figure *figure);

/* With how many degrees of freedom its interval is made; unknown if it has none. */
double row_share_degrees(const struct row *row, const struct figure *figure);

/* By how much a figure of two rows differs, with the error of a baseline that they share counted once. */
struct interval row_difference(const struct row *a, const struct row *b, const struct figure *figure);

/* What an execution adds to what the monitor takes at rest, in us; unknown where that was not measured. */
struct interval row_marginal(const struct row *row);

/* a - times * b of a figure. Rows of different runs have nothing in common. */
struct estimate row_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                             double times);

/* The same of shares. An error of a baseline that both have is counted twice. */
struct interval row_share_difference(const struct row *a, const struct row *b, const struct figure *figure);
struct estimate row_share_contrast(const struct row *a, const struct row *b, const struct figure *figure,
                                   double times);

#endif
