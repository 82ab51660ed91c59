#include "interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "number.h"

#define UPPER_TAIL 0.975

/* Of a few differences the scatter is often far too small by chance. The baseline's part, which is known
 * better, would then pass its many degrees of freedom on to the sum, and the interval be too short: with
 * three cells it would hold the truth in 92 %. As if their scatter was that much larger, it is 94 %
 * (docs/figures.md). */
#define OWN_SCATTER_WEIGHT 2

/* An error that is known from hundreds of launches. */
#define KNOWN_DEGREES 1000

struct interval interval_of(struct estimate estimate)
{
    double reach;

    if (!(estimate.degrees > 0) || !(estimate.variance >= 0))
        return (struct interval){estimate.value, UNKNOWN, UNKNOWN};
    reach = gsl_cdf_tdist_Pinv(UPPER_TAIL, estimate.degrees) * sqrt(estimate.variance);
    return (struct interval){estimate.value, estimate.value - reach, estimate.value + reach};
}

double estimate_p(struct estimate estimate)
{
    if (!(estimate.degrees > 0) || !(estimate.variance >= 0))
        return UNKNOWN;
    if (!(estimate.variance > 0))
        return fabs(estimate.value) > 0 ? 0 : 1;
    return 2 * gsl_cdf_tdist_Q(fabs(estimate.value) / sqrt(estimate.variance), estimate.degrees);
}

/* Of a sum of variances. One that is zero says nothing about how well the other is known. */
static double welch_degrees(double variance_a, double degrees_a, double variance_b, double degrees_b)
{
    double sum = variance_a + variance_b;

    if (!(degrees_a > 0) || !(degrees_b > 0))
        return UNKNOWN;
    if (!(sum > 0))
        return fmin(degrees_a, degrees_b);
    return sum * sum / (variance_a * variance_a / degrees_a + variance_b * variance_b / degrees_b);
}

struct estimate estimate_sum(struct estimate a, struct estimate b)
{
    return (struct estimate){
        .value = a.value + b.value,
        .variance = a.variance + b.variance,
        .degrees = welch_degrees(a.variance, a.degrees, b.variance, b.degrees),
    };
}

struct estimate estimate_minus(struct estimate a, struct estimate b)
{
    b.value = -b.value;
    return estimate_sum(a, b);
}

struct estimate estimate_error(double error)
{
    return (struct estimate){.value = 0, .variance = error * error, .degrees = KNOWN_DEGREES};
}

struct estimate estimate_moderated(struct estimate mean, struct moderation moderation)
{
    if (moderation.degrees > 0 && !(mean.degrees > 0)) {
        mean.variance = 0;
        mean.degrees = 0;
    }
    mean.variance += moderation.variance;
    mean.degrees += moderation.degrees;
    return mean;
}

struct estimate estimate_alike(struct estimate sum, struct estimate a, struct moderation of_a,
                               struct estimate b, struct moderation of_b)
{
    double together = a.degrees + b.degrees - fmin(of_a.degrees, of_b.degrees);

    if (sum.degrees > together)
        sum.degrees = together;
    return sum;
}

struct estimate estimate_mean(const double *values, size_t count)
{
    if (count == 0)
        return (struct estimate){UNKNOWN, UNKNOWN, UNKNOWN};
    return (struct estimate){
        .value = gsl_stats_mean(values, 1, count),
        .variance = count > 1 ? gsl_stats_variance(values, 1, count) / (double)count : UNKNOWN,
        .degrees = (double)count - 1,
    };
}

struct interval interval_of_mean(const double *values, size_t count)
{
    return interval_of(estimate_mean(values, count));
}

struct interval interval_of_difference(const double *a, size_t a_count, const double *b, size_t b_count)
{
    return interval_of(estimate_minus(estimate_mean(a, a_count), estimate_mean(b, b_count)));
}

void known_errors_add(struct known_errors *sum, const double *values, const double *errors, size_t count)
{
    double mean_square = 0;

    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++)
        mean_square += errors[i] * errors[i] / (double)count;
    if (!(mean_square > 0))
        return;
    sum->squares += gsl_stats_variance(values, 1, count) * ((double)count - 1) / mean_square;
    sum->degrees += (double)count - 1;
}

struct estimate estimate_known(const double *values, const double *errors, size_t count,
                               const struct known_errors *all)
{
    struct estimate mean = {.value = UNKNOWN, .variance = 0, .degrees = KNOWN_DEGREES};
    double excess = all->degrees > 0 ? all->squares / all->degrees : 1;

    if (count == 0)
        return (struct estimate){UNKNOWN, UNKNOWN, UNKNOWN};
    mean.value = gsl_stats_mean(values, 1, count);
    for (size_t i = 0; i < count; i++)
        mean.variance += errors[i] * errors[i] / ((double)count * (double)count);
    if (excess > 1) {
        mean.variance *= excess;
        mean.degrees = all->degrees;
    }
    return mean;
}

/* The ratios r for which a - r * b can't be told apart from zero, t being the same for all of them: that of
 * the ratio itself. The variance of what is left is quadratic in r. */
struct interval interval_of_ratio(double ratio, const struct estimate left[3])
{
    struct interval result = {ratio, UNKNOWN, UNKNOWN};
    double b = (left[0].value - left[2].value) / 2;
    double slope = (left[2].variance - left[0].variance) / 2;
    double bend = (left[2].variance + left[0].variance) / 2 - left[1].variance;
    double t, square, reach;

    if (!(left[1].degrees > 0))
        return result;
    t = gsl_cdf_tdist_Pinv(UPPER_TAIL, left[1].degrees);
    square = b * b - t * t * bend;
    if (!(square > 0))
        return result;
    reach = t * sqrt(t * t * slope * slope / 4 + square * left[1].variance);
    result.low = ratio + (t * t * slope / 2 - reach) / square;
    result.high = ratio + (t * t * slope / 2 + reach) / square;
    return result;
}

/* The residuals of the baseline's cells from each other are r = (I - W) b. With s² the mean of r_j² / (1 +
 * sum_k w_jk²), s² = b' Q b for Q = (I - W)' D (I - W) / n, whose trace is 1: s² has the mean of a cell's
 * variance, and 1 / sum of Q's squares degrees of freedom. */
struct estimate shared_scatter(const struct shared *shared)
{
    size_t n = shared->count;
    double *residual_of = memory_new(n * n, sizeof(double)), *scale = memory_new(n, sizeof(double));
    struct estimate scatter = {0, 0, 0};
    double squares = 0;

    for (size_t j = 0; j < n; j++) {
        double residual = 0, squared_weights = 0;

        for (size_t k = 0; k < n; k++) {
            residual_of[j * n + k] = (j == k) - shared->weights[j * n + k];
            residual += residual_of[j * n + k] * shared->values[k];
            squared_weights += residual_of[j * n + k] * residual_of[j * n + k];
        }
        scale[j] = 1 / (squared_weights * (double)n);
        scatter.variance += residual * residual * scale[j];
    }
    for (size_t row = 0; row < n; row++)
        for (size_t column = 0; column < n; column++) {
            double q = 0;

            for (size_t j = 0; j < n; j++)
                q += residual_of[j * n + row] * scale[j] * residual_of[j * n + column];
            squares += q * q;
        }
    free(residual_of);
    free(scale);
    if (n < 2)
        return (struct estimate){0, UNKNOWN, UNKNOWN};
    scatter.degrees = 1 / squares;
    return scatter;
}

static double mean_weight(const struct compared *compared, const struct shared *shared, size_t j)
{
    double sum = 0;

    for (size_t i = 0; i < compared->count; i++)
        sum += compared->weights[i * shared->count + j];
    return sum / (double)compared->count;
}

/* How much of the baseline's scatter is in the differences' own scatter already, divided by their number:
 * where they have different weights, they differ for that reason. */
static double already_counted(const struct compared *compared, const struct shared *shared)
{
    double n = (double)compared->count, squares = 0;

    if (compared->count < 2)
        return 0;
    for (size_t j = 0; j < shared->count; j++) {
        double mean = mean_weight(compared, shared, j);

        for (size_t i = 0; i < compared->count; i++) {
            double deviation = compared->weights[i * shared->count + j] - mean;

            squares += deviation * deviation;
        }
    }
    return squares / (n * (n - 1));
}

/* The baseline's part of an error: factor times the variance of one of its cells. */
static struct estimate baseline_part(const struct shared *shared, double factor)
{
    struct estimate part = shared_scatter(shared);

    part.variance *= fmax(0, factor);
    return part;
}

static double squared_mean_weights(const struct compared *compared, const struct shared *shared)
{
    double sum = 0;

    for (size_t j = 0; j < shared->count; j++)
        sum += pow(mean_weight(compared, shared, j), 2);
    return sum;
}

/* The error of the baseline in the mean difference, as far as the differences' own scatter does not show it.
 */
static struct estimate hidden_part(const struct compared *compared, const struct shared *shared)
{
    return baseline_part(shared, squared_mean_weights(compared, shared) - already_counted(compared, shared));
}

struct estimate estimate_compared(const struct compared *compared, const struct shared *shared)
{
    struct estimate own =
        estimate_moderated(estimate_mean(compared->differences, compared->count), compared->moderation);
    struct estimate hidden = hidden_part(compared, shared);
    struct estimate sum = estimate_sum(own, hidden);

    sum.degrees =
        welch_degrees(OWN_SCATTER_WEIGHT * own.variance, own.degrees, hidden.variance, hidden.degrees);
    /* Where the baseline's cells tell of both, the two are not independent. */
    if (compared->moderation.of_baseline)
        sum.degrees = fmin(sum.degrees, own.degrees);
    return sum;
}

struct estimate estimate_between(const struct compared *a, const struct compared *b,
                                 const struct shared *shared)
{
    const struct estimate of_a = estimate_moderated(estimate_mean(a->differences, a->count), a->moderation);
    const struct estimate of_b = estimate_moderated(estimate_mean(b->differences, b->count), b->moderation);
    double factor = -already_counted(a, shared) - already_counted(b, shared);
    struct estimate difference;

    for (size_t j = 0; j < shared->count; j++)
        factor += pow(mean_weight(a, shared, j) - mean_weight(b, shared, j), 2);
    difference = estimate_sum(estimate_minus(of_a, of_b), baseline_part(shared, factor));
    return estimate_alike(difference, of_a, a->moderation, of_b, b->moderation);
}
