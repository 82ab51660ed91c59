#include "moderation.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory.h"

/* From fewer rows, it can't be told how unlike their scatters are. */
#define ROWS_MIN 8

/* Levels that lie within a thousandth of each other tell nothing of how scatter goes with the level. */
#define LEVELS_SPREAD_MIN 1e-6

/* The fewer degrees of freedom are found, the farther most true variances would be below the mean of their
 * logarithms. Where fewer than these are found, it is by chance as often as not. */
#define MIDDLE_DEGREES 2

/* What is expected of a row before its own cells are looked at: a variance near that of a line through the
 * logarithms of all rows' variances. */
struct expectation {
    double fixed, slope;  /* log variance = fixed + slope * log level */
    double covariance[3]; /* of fixed, of both, of slope */
    double unlike;        /* variance of the logarithms of the rows' true variances around it */
    double degrees;       /* of all rows together */
};

static bool tells_something(const struct scatter *scatter)
{
    return scatter->degrees > 0 && scatter->variance > 0 && scatter->level > 0;
}

/* A variance from few degrees of freedom is too small more often than too large: its logarithm, with a mean
 * that is right. */
static double log_variance(const struct scatter *scatter)
{
    double half = scatter->degrees / 2;

    return log(scatter->variance) - gsl_sf_psi(half) + log(half);
}

/* The x > 0 for which the trigamma function is y, by Newton's method for its inverse, which is nearly a line.
 */
static double inverse_trigamma(double y)
{
    double x = 0.5 + 1 / y;

    for (int i = 0; i < 50; i++) {
        double trigamma = gsl_sf_psi_1(x);
        double step = trigamma * (1 - trigamma / y) / gsl_sf_psi_n(2, x);

        x += step;
        if (-step / x < 1e-10)
            break;
    }
    return x;
}

/* The logarithm of a variance has the trigamma function of half its degrees of freedom for variance. What the
 * rows are farther from the line than that, the true variances are. Few rows do not know it well, so it is
 * taken one standard error larger than it is, which for logarithms of variances of few degrees of freedom
 * is some 2 / sqrt(rows) of it. */
static double unlikeness(double from_line, double by_chance, size_t rows)
{
    return fmax(0, from_line * (1 + 2 / sqrt((double)rows)) - by_chance);
}

/* x and y: the logarithms of level and variance of all rows that tell something, these being by_chance from
 * the line at least. */
static double fit_line_to(struct expectation *expected, const double *x, const double *y, size_t rows,
                          double by_chance)
{
    double *covariance = expected->covariance, squares, from_line;

    if (gsl_stats_variance(x, 1, rows) < LEVELS_SPREAD_MIN) {
        expected->fixed = gsl_stats_mean(y, 1, rows);
        from_line = gsl_stats_variance(y, 1, rows);
        covariance[0] = fmax(from_line, by_chance) / (double)rows;
        return from_line;
    }
    gsl_fit_linear(x, 1, y, 1, rows, &expected->fixed, &expected->slope, &covariance[0], &covariance[1],
                   &covariance[2], &squares);
    from_line = squares / ((double)rows - 2);
    for (int i = 0; from_line > 0 && i < 3; i++)
        covariance[i] *= fmax(from_line, by_chance) / from_line;
    return from_line;
}

static bool expect(struct expectation *expected, const struct scatter *scatters, size_t count)
{
    double *x = memory_new(count, sizeof(*x)), *y = memory_new(count, sizeof(*y));
    double by_chance = 0;
    size_t rows = 0;

    *expected = (struct expectation){0};
    for (size_t i = 0; i < count; i++) {
        if (!tells_something(&scatters[i]))
            continue;
        x[rows] = log(scatters[i].level);
        y[rows++] = log_variance(&scatters[i]);
        by_chance += gsl_sf_psi_1(scatters[i].degrees / 2);
        expected->degrees += scatters[i].degrees;
    }
    by_chance /= (double)rows;
    if (rows >= ROWS_MIN)
        expected->unlike = unlikeness(fit_line_to(expected, x, y, rows, by_chance), by_chance, rows);
    free(x);
    free(y);
    return rows >= ROWS_MIN;
}

/* Both variances together, each counting by its degrees of freedom. */
struct moderation moderation_to(const struct scatter *scatter, struct moderation expected)
{
    double own = scatter->degrees > 0 ? scatter->variance : 0;
    double degrees = scatter->degrees + expected.degrees;
    double both = (scatter->degrees * own + expected.degrees * expected.variance) / degrees;

    return (struct moderation){both - own, expected.degrees, expected.of_baseline};
}

/* How well the line is known at that level adds to how unlike rows are. */
static struct moderation moderate(const struct scatter *scatter, const struct expectation *expected)
{
    const double at = log(scatter->level), *covariance = expected->covariance;
    const double error = covariance[0] + 2 * at * covariance[1] + at * at * covariance[2];
    const double degrees = fmin(2 * inverse_trigamma(expected->unlike + error), expected->degrees);
    /* From the mean of a logarithm to that of which the rows' variances are multiples. */
    const double half = fmax(degrees, MIDDLE_DEGREES) / 2;
    const double log_variance = expected->fixed + expected->slope * at + gsl_sf_psi(half) - log(half);

    return moderation_to(scatter, (struct moderation){exp(log_variance), degrees, false});
}

static bool is_single(const struct scatter *scatter)
{
    return !(scatter->degrees > 0) && scatter->level > 0;
}

void moderations_find(const struct scatter *scatters, size_t count, struct moderation *moderations)
{
    struct expectation expected;
    bool known = expect(&expected, scatters, count);

    for (size_t i = 0; i < count; i++)
        moderations[i] = known && (tells_something(&scatters[i]) || is_single(&scatters[i]))
                             ? moderate(&scatters[i], &expected)
                             : (struct moderation){0, 0, false};
}
