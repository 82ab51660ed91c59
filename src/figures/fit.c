#include "fit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>

#include "number.h"

#define TERMS_MAX 3

/* A point that is so near to deciding the line at its x alone has nothing left by which its error could be
 * told. */
#define LEFT_LEAST 1e-9

static const struct interval unknown_interval = {NAN, NAN, NAN};

/* Factors of 1, x and x² by least squares, as a solution that is linear in the points' values, and what the
 * points are from it. Where the points' errors are known, all of it is in units of these. */
struct terms {
    size_t points, terms;
    double factor[TERMS_MAX];
    gsl_matrix *pull;      /* a row a term: by how much each point's value moves its factor */
    gsl_matrix *left;      /* what is left of the points' values after the fit: identity less hat matrix */
    gsl_vector *residuals; /* left times the values */
    bool alike;            /* the points' errors are alike then */
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

/* left = identity - powers * pull */
static void set_left(struct terms *fit, const gsl_matrix *powers)
{
    gsl_matrix_set_identity(fit->left);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, -1, powers, fit->pull, 1, fit->left);
}

/* pull = (powers' powers)^-1 powers' */
static void set_pull(struct terms *fit, const gsl_matrix *powers)
{
    gsl_matrix *squares = gsl_matrix_alloc(fit->terms, fit->terms);

    gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, powers, powers, 0, squares);
    gsl_linalg_cholesky_decomp1(squares);
    gsl_linalg_cholesky_invert(squares);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1, squares, powers, 0, fit->pull);
    gsl_matrix_free(squares);
}

/* x is divided by the largest one meanwhile, so that its powers are of one size. */
static struct terms fit_terms(const struct fit_point *points, size_t count, size_t terms)
{
    const double unit = largest(points, count);
    struct terms fit = {.points = count, .terms = terms, .alike = all_errors_known(points, count)};
    gsl_matrix *powers = gsl_matrix_alloc(count, terms);
    gsl_vector *values = gsl_vector_alloc(count);

    fit.pull = gsl_matrix_alloc(terms, count);
    fit.left = gsl_matrix_alloc(count, count);
    fit.residuals = gsl_vector_alloc(count);
    for (size_t i = 0; i < count; i++) {
        const double error = fit.alike ? points[i].error : 1;

        for (size_t k = 0; k < terms; k++)
            gsl_matrix_set(powers, i, k, pow(points[i].x / unit, (double)k) / error);
        gsl_vector_set(values, i, points[i].y / error);
    }
    set_pull(&fit, powers);
    set_left(&fit, powers);
    gsl_blas_dgemv(CblasNoTrans, 1, fit.left, values, 0, fit.residuals);
    for (size_t k = 0; k < terms; k++) {
        gsl_vector_view row = gsl_matrix_row(fit.pull, k);

        gsl_vector_scale(&row.vector, pow(unit, -(double)k));
        gsl_blas_ddot(&row.vector, values, &fit.factor[k]);
    }
    gsl_matrix_free(powers);
    gsl_vector_free(values);
    return fit;
}

static void free_terms(struct terms *fit)
{
    gsl_matrix_free(fit->pull);
    gsl_matrix_free(fit->left);
    gsl_vector_free(fit->residuals);
}

/* Points whose errors are alike: how large they are is told by all residuals together. */
static void set_variance_alike(struct estimate *estimate, const struct terms *fit, const gsl_vector *pulls)
{
    double squares, pulled;

    estimate->degrees = (double)fit->points - (double)fit->terms;
    gsl_blas_ddot(fit->residuals, fit->residuals, &squares);
    gsl_blas_ddot(pulls, pulls, &pulled);
    estimate->variance = estimate->degrees > 0 ? pulled * squares / estimate->degrees : UNKNOWN;
}

/* Points of which each may have an error of another size: how large it is is told by its own residual alone,
 * enlarged by what the fit took from it (HC2). The variance is a quadratic form of the errors then. Its
 * degrees of freedom are those of a sum of squares with the mean and the variance that it would have if the
 * errors were alike (Bell and McCaffrey, after Satterthwaite). Unknown if a point decides the line at
 * its x by itself. */
static void set_variance_unlike(struct estimate *estimate, const struct terms *fit, const gsl_vector *pulls)
{
    gsl_vector *weights = gsl_vector_alloc(fit->points);
    double mean = 0, squares = 0;

    estimate->variance = 0;
    for (size_t i = 0; i < fit->points; i++) {
        const double left = gsl_matrix_get(fit->left, i, i);
        const double pull = gsl_vector_get(pulls, i);

        if (left < LEFT_LEAST)
            estimate->variance = UNKNOWN;
        gsl_vector_set(weights, i, pull / sqrt(fmax(left, LEFT_LEAST)));
        estimate->variance += pow(gsl_vector_get(weights, i) * gsl_vector_get(fit->residuals, i), 2);
        mean += pull * pull;
    }
    for (size_t i = 0; i < fit->points; i++)
        for (size_t j = 0; j < fit->points; j++)
            squares += pow(
                gsl_vector_get(weights, i) * gsl_vector_get(weights, j) * gsl_matrix_get(fit->left, i, j), 2);
    estimate->degrees = mean * mean / squares;
    gsl_vector_free(weights);
}

/* A sum of factors, each times its share. */
static struct estimate estimate_factors(const struct terms *fit, const double shares[TERMS_MAX])
{
    struct estimate estimate = {.value = 0};
    gsl_vector *pulls = gsl_vector_calloc(fit->points);

    for (size_t k = 0; k < fit->terms; k++) {
        gsl_vector_const_view row = gsl_matrix_const_row(fit->pull, k);

        estimate.value += shares[k] * fit->factor[k];
        gsl_blas_daxpy(shares[k], &row.vector, pulls);
    }
    if (fit->alike)
        set_variance_alike(&estimate, fit, pulls);
    else
        set_variance_unlike(&estimate, fit, pulls);
    gsl_vector_free(pulls);
    return estimate;
}

static struct interval interval_of_term(const struct terms *fit, size_t k)
{
    double shares[TERMS_MAX] = {0};

    shares[k] = 1;
    return interval_of(estimate_factors(fit, shares));
}

/* In units of the ratio, so that none of the three is much larger than the others. What it is divided by is
 * the slope, which may be known with fewer degrees of freedom. */
static struct interval doubling_of(const struct terms *line)
{
    const double ratio = line->factor[0] / line->factor[1];
    const struct estimate slope = estimate_factors(line, (const double[TERMS_MAX]){0, 1});
    struct estimate left[3];
    struct interval doubling;

    if (!(line->factor[0] > 0) || !(slope.value > 0))
        return unknown_interval;
    for (int i = 0; i < 3; i++)
        left[i] = estimate_factors(line, (const double[TERMS_MAX]){1, -ratio * i});
    left[1].degrees = fmin(left[1].degrees, slope.degrees);
    doubling = interval_of_ratio(1, left);
    if (!is_known(doubling.low))
        return unknown_interval;
    return (struct interval){ratio, ratio * doubling.low, ratio * doubling.high};
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
    free_terms(&line);
    if (distinct < 3)
        return fit;
    curve = fit_terms(points, count, 3);
    fit.bend = interval_of_term(&curve, 2);
    free_terms(&curve);
    return fit;
}
