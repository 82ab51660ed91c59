#include "spreads.h"

#include <err.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "memory.h"
#include "number.h"

/* On each side of a 95 % interval. */
#define TAIL 0.025

/* As good as infinitely many degrees of freedom. */
#define MOST_DEGREES 1e4

/* The square of a mean's standard error. */
static double squared_error(const struct host_figure *host)
{
    if (!is_known(host->mean.low) || !is_known(host->mean.high) || !(host->degrees > 0))
        return UNKNOWN;
    return pow((host->mean.high - host->mean.low) / 2 / gsl_cdf_tdist_Qinv(TAIL, host->degrees), 2);
}

/* The mean of the squared errors, in variance; its degrees of freedom are Satterthwaite's. */
static struct estimate mean_squared_error(const struct host_figure *hosts, size_t count)
{
    struct estimate mean = {.value = 0, .variance = 0, .degrees = MOST_DEGREES};
    double squares = 0;

    for (size_t i = 0; i < count; i++) {
        double square = squared_error(&hosts[i]);

        mean.variance += square / (double)count;
        squares += square * square / ((double)count * (double)count * hosts[i].degrees);
    }
    if (squares > 0)
        mean.degrees = fmin(mean.variance * mean.variance / squares, MOST_DEGREES);
    return mean;
}

/* F with so many degrees of freedom against infinitely many. */
static double f_alone(double upper_tail, double degrees)
{
    return gsl_cdf_chisq_Qinv(upper_tail, degrees) / degrees;
}

/* How far a bound of the difference of two variances is from it: the modified large-sample interval of Ting,
 * Burdick, Graybill, Jeyaratnam and Lu (1990), which holds with few degrees of freedom. tail is that of the
 * lower bound, and 1 - tail of the upper one. */
static double reach(double scatter, double scatter_degrees, double error, double error_degrees, double tail)
{
    double own = fabs(1 - 1 / f_alone(tail, scatter_degrees));
    double others = fabs(1 / f_alone(1 - tail, error_degrees) - 1);
    double f = gsl_cdf_fdist_Qinv(tail, scatter_degrees, error_degrees);
    double both = (pow(f - 1, 2) - own * own * f * f - others * others) / f;

    return sqrt(fmax(0, pow(own * scatter, 2) + pow(others * error, 2) + both * scatter * error));
}

static double root_above_zero(double variance)
{
    return sqrt(fmax(0, variance));
}

/* Hosts that scatter less than their errors let expect have no upper bound: it would be that they can't
 * differ at all. */
static struct interval deviation_of(const struct host_figure *hosts, const double *values, size_t count)
{
    struct estimate error = mean_squared_error(hosts, count);
    double scatter, degrees = (double)count - 1, low, high;

    if (count < 2 || !is_known(error.variance))
        return (struct interval){UNKNOWN, UNKNOWN, UNKNOWN};
    scatter = gsl_stats_variance(values, 1, count);
    low = scatter - error.variance - reach(scatter, degrees, error.variance, error.degrees, TAIL);
    high = scatter - error.variance + reach(scatter, degrees, error.variance, error.degrees, 1 - TAIL);
    return (struct interval){root_above_zero(scatter - error.variance), root_above_zero(low),
                             high > 0 ? sqrt(high) : UNKNOWN};
}

/* At most so often is an interval wholly on the side of zero where its truth is not. */
static double chance_of(size_t rarer, size_t count)
{
    return rarer == 0 ? 1 : gsl_cdf_binomial_Q((unsigned)rarer - 1, TAIL, (unsigned)count);
}

struct spread spread_of(const struct host_figure *hosts, size_t count)
{
    double *values = memory_new(count + 1, sizeof(*values));
    struct spread spread = {.count = count};

    for (size_t i = 0; i < count; i++) {
        values[i] = hosts[i].mean.value;
        spread.below += hosts[i].mean.high < 0;
        spread.above += hosts[i].mean.low > 0;
    }
    spread.lowest = gsl_stats_min(values, 1, count);
    spread.highest = gsl_stats_max(values, 1, count);
    spread.deviation = deviation_of(hosts, values, count);
    spread.chance = chance_of(spread.below < spread.above ? spread.below : spread.above, count);
    free(values);
    return spread;
}

struct series {
    char *name;
    struct host_figure *hosts;
    size_t count, capacity;
};

static void write_number(FILE *out, double number, char end)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fprintf(out, "%s%c", text, end);
}

static void write_series(FILE *out, const struct series *series)
{
    struct spread spread = spread_of(series->hosts, series->count);

    csv_write(out, series->name);
    fprintf(out, ",%zu,", spread.count);
    write_number(out, spread.lowest, ',');
    write_number(out, spread.highest, ',');
    write_number(out, spread.deviation.value, ',');
    write_number(out, spread.deviation.low, ',');
    write_number(out, spread.deviation.high, ',');
    fprintf(out, "%zu,%zu,%.6g\n", spread.below, spread.above, spread.chance);
}

static void add_host(struct series *series, struct host_figure host)
{
    series->hosts = memory_grow(series->hosts, series->count, &series->capacity, sizeof(*series->hosts));
    series->hosts[series->count++] = host;
}

/* An empty field is a number that nobody knows. */
static double number_in(const struct csv *csv, const char *field, struct problem *problem)
{
    double value = UNKNOWN;

    if (*field && !number_parse(field, &value))
        problem_set(problem, "line %lu: '%s' is no number", csv->row, field);
    return value;
}

/* Row by row, and writes each series when the next begins. */
static void read_series(struct csv *csv, FILE *out, struct series *series, struct problem *problem)
{
    enum { NAME, VALUE, LOW, HIGH, DEGREES, FIELDS };
    char *fields[FIELDS];

    while (csv_next(csv, fields, problem)) {
        struct host_figure host = {{number_in(csv, fields[VALUE], problem),
                                    number_in(csv, fields[LOW], problem),
                                    number_in(csv, fields[HIGH], problem)},
                                   number_in(csv, fields[DEGREES], problem)};

        if (!is_known(host.mean.value))
            problem_set(problem, "line %lu: expected a value", csv->row);
        if (problem_is_set(problem))
            return;
        if (!series->name || strcmp(series->name, fields[NAME]) != 0) {
            if (series->name)
                write_series(out, series);
            free(series->name);
            series->name = memory_copy(fields[NAME]);
            series->count = 0;
        }
        add_host(series, host);
    }
    if (series->name && !problem_is_set(problem))
        write_series(out, series);
}

bool spreads_write(FILE *out, const char *path)
{
    struct problem problem = {""};
    struct series series = {0};
    struct csv csv;

    if (csv_open(&csv, path, LINES_PLAIN, "series,value,low,high,degrees", &problem)) {
        fputs("series,hosts,lowest,highest,deviation,deviation_low,deviation_high,below,above,chance\n", out);
        read_series(&csv, out, &series, &problem);
        csv_close(&csv);
    }
    free(series.name);
    free(series.hosts);
    if (problem_is_set(&problem))
        warnx("%s %s", path, problem.text);
    return !problem_is_set(&problem) && fflush(out) == 0 && !ferror(out);
}
