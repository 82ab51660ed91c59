#include "fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdbool.h>

#include "number.h"

#define UPPER_TAIL 0.975
#define TERMS_MAX 3

static const struct interval unknown_interval = {NAN, NAN, NAN};

/* Factors of 1, x and x², with the errors' variances and covariances. */
struct terms {
    double factor[TERMS_MAX], covariance[TERMS_MAX][TERMS_MAX];
    double degrees;
};

static size_t count_distinct(const struct fit_point *points, size_t count)
{
    size_t distinct = 0;

    for (size_t i = 0; i < count; i++) {
        bool seen = false;

        for (size_t j = 0; j < i; j++)
            seen = seen || fabs(points[i].x - points[j].x) <= 0;
        distinct += !seen;
    }
    return distinct;
}

static bool all_errors_known(const struct fit_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(points[i].error > 0))
            return false;
    return true;
}

static double largest(const struct fit_point *points, size_t count)
{
    double most = 0;

    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(points[i].x));
    return most;
}

/* x is divided by the largest one meanwhile, so that its powers are of one size. */
static struct terms fit_terms(const struct fit_point *points, size_t count, size_t terms)
{
    const double unit = largest(points, count);
    const bool weighted = all_errors_known(points, count);
    gsl_matrix *powers = gsl_matrix_alloc(count, terms), *covariance = gsl_matrix_alloc(terms, terms);
    gsl_vector *weights = gsl_vector_alloc(count), *values = gsl_vector_alloc(count);
    gsl_vector *factors = gsl_vector_alloc(terms);
    gsl_multifit_linear_workspace *space = gsl_multifit_linear_alloc(count, terms);
    struct terms result = {.degrees = (double)count - (double)terms};
    double squares, scatter;

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < terms; k++)
            gsl_matrix_set(powers, i, k, pow(points[i].x / unit, (double)k));
        gsl_vector_set(weights, i, weighted ? 1 / (points[i].error * points[i].error) : 1);
        gsl_vector_set(values, i, points[i].y);
    }
    gsl_multifit_wlinear(powers, weights, values, factors, covariance, &squares, space);
    scatter = result.degrees > 0 ? squares / result.degrees : UNKNOWN;
    for (size_t k = 0; k < terms; k++) {
        result.factor[k] = gsl_vector_get(factors, k) / pow(unit, (double)k);
        for (size_t l = 0; l < terms; l++)
            result.covariance[k][l] = scatter * gsl_matrix_get(covariance, k, l) / pow(unit, (double)(k + l));
    }
    gsl_multifit_linear_free(space);
    gsl_matrix_free(powers);
    gsl_matrix_free(covariance);
    gsl_vector_free(weights);
    gsl_vector_free(values);
    gsl_vector_free(factors);
    return result;
}

static struct interval interval_of_term(const struct terms *terms, size_t k)
{
    return interval_of((struct estimate){terms->factor[k], terms->covariance[k][k], terms->degrees});
}

/* The ratios for which fixed - ratio * slope can't be told apart from zero; the errors of both hang together.
 */
static struct interval doubling_of(const struct terms *line)
{
    const double fixed = line->factor[0], slope = line->factor[1], ratio = fixed / slope;
    const double of_fixed = line->covariance[0][0], of_slope = line->covariance[1][1];
    const double of_both = line->covariance[0][1];
    double t, g, middle, reach;

    if (!(line->degrees > 0) || !(fixed > 0) || !(slope > 0))
        return unknown_interval;
    t = gsl_cdf_tdist_Pinv(UPPER_TAIL, line->degrees);
    g = t * t * of_slope / (slope * slope);
    if (g >= 1)
        return unknown_interval;
    middle = ratio - t * t * of_both / (slope * slope);
    reach = t / slope *
            sqrt(fmax(0, (1 - g) * of_fixed - 2 * ratio * of_both + ratio * ratio * of_slope +
                             t * t * of_both * of_both / (slope * slope)));
    return (struct interval){ratio, (middle - reach) / (1 - g), (middle + reach) / (1 - g)};
}

struct fit fit_line(const struct fit_point *points, size_t count)
{
    struct fit fit = {unknown_interval, unknown_interval, unknown_interval, unknown_interval};
    size_t distinct = count_distinct(points, count);
    struct terms line, curve;

    if (distinct < 2)
        return fit;
    line = fit_terms(points, count, 2);
    fit.fixed = interval_of_term(&line, 0);
    fit.slope = interval_of_term(&line, 1);
    fit.doubling = doubling_of(&line);
    if (distinct < 3)
        return fit;
    curve = fit_terms(points, count, 3);
    fit.bend = interval_of_term(&curve, 2);
    return fit;
}
