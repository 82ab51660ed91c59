#include "expected.h"

#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "memory.h"
#include "number.h"

/* Cells that are the same to the last digit that is written still scatter by that. */
#define LEAST_VARIANCE 1e-12

/* Monitors' cells need not scatter as the baseline's do: their variances, by the line, are as unlike as
 * variances of so many degrees of freedom are by chance. */
#define ALIKE_DEGREES 10

#define STEPS 100
#define STEP_MIN 1e-10

/* Lines through rates that are all the same have no slope. */
#define RATES_SPREAD_MIN 1e-6

/* log variance = fixed + slope * log rate */
struct line {
    double fixed, slope;
    double covariance[3]; /* of fixed, of both, of slope; in units of the variance of a logarithm that has one
                           * degree of freedom */
};

/* A weighted fit, which has no residuals of its own in the covariance. */
static void fit(struct line *line, const double *x, const double *weights, const double *y, size_t count)
{
    double squares;

    gsl_fit_wlinear(x, 1, weights, 1, y, 1, count, &line->fixed, &line->slope, &line->covariance[0],
                    &line->covariance[1], &line->covariance[2], &squares);
}

static void fit_constant(struct line *line, const double *weights, const double *y, size_t count)
{
    double all = 0;

    for (size_t i = 0; i < count; i++)
        all += weights[i];
    *line = (struct line){gsl_stats_wmean(weights, 1, y, 1, count), 0, {1 / all, 0, 0}};
}

/* The smaller, the likelier is the line, variances of normal values being gamma variates. */
static double unlikeliness(const struct line *line, const double *x, const double *weights,
                           const double *variances, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        const double at = line->fixed + line->slope * x[i];

        sum += weights[i] * (at + variances[i] / exp(at));
    }
    return sum;
}

/* Least squares to the line itself and how far each variance is from it, in units of what it has there. */
static struct line next_line(const struct line *line, const double *x, const double *weights,
                             const double *variances, size_t count)
{
    double *y = memory_new(count, sizeof(*y));
    struct line next;

    for (size_t i = 0; i < count; i++) {
        const double at = line->fixed + line->slope * x[i];

        y[i] = at + variances[i] / exp(at) - 1;
    }
    if (count < 2 || gsl_stats_variance(x, 1, count) < RATES_SPREAD_MIN)
        fit_constant(&next, weights, y, count);
    else
        fit(&next, x, weights, y, count);
    free(y);
    return next;
}

/* The most likely line: as far towards each next one as it gets likelier. */
static void fit_variances(struct line *line, const double *x, const double *weights, const double *variances,
                          size_t count)
{
    *line = (struct line){.fixed = log(gsl_stats_wmean(weights, 1, variances, 1, count))};
    for (int step = 0; step < STEPS; step++) {
        const struct line last = *line;
        double now = unlikeliness(line, x, weights, variances, count), part = 1;

        *line = next_line(&last, x, weights, variances, count);
        while (part > STEP_MIN && unlikeliness(line, x, weights, variances, count) > now) {
            part /= 2;
            line->fixed = (line->fixed + last.fixed) / 2;
            line->slope = (line->slope + last.slope) / 2;
        }
        if (fabs(line->fixed - last.fixed) + fabs(line->slope - last.slope) < STEP_MIN)
            break;
    }
}

struct moderation variance_at(const struct rate_variance *variances, size_t count, double rate)
{
    double *x = memory_new(count + 1, sizeof(*x)), *weights = memory_new(count + 1, sizeof(*weights));
    double *y = memory_new(count + 1, sizeof(*y)), at = log(rate);
    struct moderation found = {0, 0, false};
    struct line line;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (!(variances[i].degrees > 0) || !(variances[i].variance >= 0))
            continue;
        x[known] = log(variances[i].rate);
        y[known] = fmax(variances[i].variance, LEAST_VARIANCE);
        weights[known++] = variances[i].degrees;
    }
    if (known) {
        fit_variances(&line, x, weights, y, known);
        found = (struct moderation){
            exp(line.fixed + line.slope * at),
            1 / (line.covariance[0] + 2 * at * line.covariance[1] + at * at * line.covariance[2]), true};
    }
    free(x);
    free(y);
    free(weights);
    return found;
}

/* Of a figure, or of an execution, if that is NULL: what a cell of the baseline has of it. */
static double value_of(const struct figure *figure, const struct cell *baseline, const struct cell *own)
{
    return figure ? taken_off(figure, baseline, own, baseline->planned.rate) : unwatched_us(baseline);
}

/* What a figure in % of one CPU is of one in us per execution. */
static double in_unit(const struct figure *figure, double rate)
{
    return figure && figure->unit && strcmp(figure->unit, "% of one CPU") == 0 ? rate / 1e4 : 1;
}

/* How the cells of a baseline scatter, in units of what an execution costs there. */
static struct rate_variance variance_of(const struct baseline *baseline, const struct figure *figure,
                                        const struct cell *own)
{
    struct rate_variance found = {baseline->rate, UNKNOWN, 0};
    struct baseline known = {.cells = memory_new(baseline->count + 1, sizeof(*known.cells))};
    double *values = memory_new(baseline->count + 1, sizeof(*values)), execution_us = 0, *weights;

    for (size_t i = 0; i < baseline->count; i++) {
        const double value = value_of(figure, baseline->cells[i], own);

        if (!is_known(value) || !is_known(unwatched_us(baseline->cells[i])))
            continue;
        execution_us += unwatched_us(baseline->cells[i]);
        values[known.count] = value;
        known.cells[known.count++] = baseline->cells[i];
    }
    weights = memory_new(known.count * known.count + 1, sizeof(*weights));
    for (size_t i = 0; i < known.count; i++)
        baseline_shares(&known, known.cells[i], weights + i * known.count);
    if (known.count > 1 && baseline->rate > 0) {
        const struct shared shared = {values, known.count, weights};
        const struct estimate scatter = shared_scatter(&shared);
        const double unit = execution_us / (double)known.count * in_unit(figure, baseline->rate);

        found.variance = scatter.variance / (unit * unit);
        found.degrees = scatter.degrees;
    }
    free(known.cells);
    free(values);
    free(weights);
    return found;
}

static struct moderation of_baselines(const struct row *row, const struct figure *figure)
{
    const struct baselines *baselines = &row->perf->baselines;
    struct rate_variance *variances = memory_new(baselines->count + 1, sizeof(*variances));
    struct moderation found;

    for (size_t i = 0; i < baselines->count; i++)
        variances[i] = variance_of(&baselines->list[i], figure, row->counted.list[0]);
    found = variance_at(variances, baselines->count, row->rate);
    free(variances);
    return found;
}

/* What the cells themselves tell of an error that is not the machine's. */
static double own_error(const struct row *row, const struct figure *figure)
{
    double squares = 0;

    for (size_t i = 0; figure->alike && i < row->counted.count; i++) {
        const double program = cell_number(row->counted.list[i], "program_error_us");
        const double parent = cell_number(row->counted.list[i], "parent_error_us");

        squares += is_known(program) ? program * program : 0;
        squares += is_known(parent) ? parent * parent : 0;
    }
    return squares / (double)row->counted.count;
}

/* Nothing more than the execution itself scatters in it. */
static bool is_of_execution(const struct figure *figure)
{
    return strcmp(figure->name, "execution_us") == 0 || strcmp(figure->name, "baseline_us") == 0;
}

struct moderation expected_of(const struct row *row, const struct figure *figure, double level,
                              double execution_us)
{
    const double unit = in_unit(figure, row->rate);
    const double times = unit + (is_of_execution(figure) ? 0 : fabs(level));
    struct moderation expected, of_figure;

    if (!(row->rate > 0) || !row->baseline->count || !row->counted.count)
        return (struct moderation){0, 0, false};
    expected = of_baselines(row, NULL);
    of_figure = of_baselines(row, figure);
    if (!(expected.degrees > 0))
        return expected;
    if (of_figure.degrees > 0 && of_figure.variance > expected.variance)
        expected = of_figure;
    expected.degrees = 1 / (1 / expected.degrees + 1.0 / ALIKE_DEGREES);
    expected.variance = expected.variance * times * times +
                        own_error(row, figure) * unit * unit / (execution_us * execution_us);
    return expected;
}
