/* 95 % confidence intervals. Every value that is passed must be known; what can't be said is unknown (NAN) in
 * the result. */
#ifndef FIGURES_INTERVAL_H
#define FIGURES_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

struct interval {
    double value, low, high;
};

/* An estimate with the variance of its error, and the degrees of freedom that the variance is known with. */
struct estimate {
    double value, variance, degrees;
};

/* The estimate and what Student's t says of it; no bounds without a degree of freedom. */
struct interval interval_of(struct estimate estimate);

/* How likely it is to be found as far from zero as that by chance, if it is zero; unknown without a degree of
 * freedom. */
double estimate_p(struct estimate estimate);

/* The sum (or, with minus, the difference) of two independent ones, the degrees of freedom after Welch and
 * Satterthwaite. */
struct estimate estimate_sum(struct estimate a, struct estimate b);
struct estimate estimate_minus(struct estimate a, struct estimate b);

/* An error of mean 0 that is known well: one standard error. */
struct estimate estimate_error(double error);

/* What else tells of a variance that few values tell (moderation.h): so much is added to it, or taken off,
 * and to its degrees of freedom. A single value tells nothing of it. */
struct moderation {
    double variance, degrees;
    bool of_baseline; /* it is from the scatter of a baseline's cells */
};

struct estimate estimate_moderated(struct estimate mean, struct moderation moderation);

/* The sum of a and b, and of whatever else, where both were moderated by the same other values: their degrees
 * of freedom count once. */
struct estimate estimate_alike(struct estimate sum, struct estimate a, struct moderation of_a,
                               struct estimate b, struct moderation of_b);

/* The mean of independent values. */
struct estimate estimate_mean(const double *values, size_t count);
struct interval interval_of_mean(const double *values, size_t count);

/* Values whose own errors are known, one standard error each, in groups of several that should be the same
 * but for these. */
struct known_errors {
    double squares; /* of the deviations from each group's mean, in units of the errors */
    double degrees;
};

/* Adds a group. */
void known_errors_add(struct known_errors *sum, const double *values, const double *errors, size_t count);

/* The mean of values whose errors are known. Where all groups together scatter more than their errors say (by
 * Birge's ratio), there is more to it than these: they are enlarged to match. */
struct estimate estimate_known(const double *values, const double *errors, size_t count,
                               const struct known_errors *all);

/* The difference of two means, whose scatters may differ (Welch). */
struct interval interval_of_difference(const double *a, size_t a_count, const double *b, size_t b_count);

/* The ratio of a to b after Fieller, whether or not their errors go together: left is what a - r * b is for r
 * = ratio - 1, ratio and ratio + 1. No bounds where b can't be told apart from zero. */
struct interval interval_of_ratio(double ratio, const struct estimate left[3]);

/* Values that were compared with weighted means of one baseline's values. */
struct compared {
    const double *differences; /* own value - sum of weight * the baseline's */
    size_t count;
    const double *weights;        /* of the baseline's cells, a row a difference; each row sums up to 1 */
    struct moderation moderation; /* of the variance of the differences' mean */
};

/* The baseline: its cells' values, and how each is told from the others. */
struct shared {
    const double *values;
    size_t count;
    const double *weights; /* a row a value, 0 for itself; each row sums up to 1 */
};

/* Variance of one of the baseline's cells, and its degrees of freedom; value is 0. Unknown of a single cell.
 */
struct estimate shared_scatter(const struct shared *shared);

/* The mean difference. The error of the baseline is in all differences alike, so that their scatter does not
 * show it: its part is added from the scatter of the baseline's own cells. */
struct estimate estimate_compared(const struct compared *compared, const struct shared *shared);

/* The mean difference between two that were compared with one baseline, whose error cancels out as far as
 * both have the same weights. */
struct estimate estimate_between(const struct compared *a, const struct compared *b,
                                 const struct shared *shared);

#endif
