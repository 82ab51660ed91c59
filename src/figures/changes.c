#include "changes.h"

#include <err.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "interval.h"
#include "memory.h"
#include "number.h"

/* A single run that stands out is no change. */
#define LEAST_VALUES 2

/* A step is a change if chance makes one as large in fewer than 1 of 100 series. */
#define LEVEL 0.01
#define SHUFFLES 999

/* The most that a split explains of how the values scatter, and where. Over all splits, and all orders of the
 * same values, this ranks them as Student's t does. */
struct split {
    double explained;
    size_t first;
};

static struct split best_split(const double *values, size_t count)
{
    double mean = gsl_stats_mean(values, 1, count), before = 0;
    struct split best = {0, 0};

    for (size_t first = 1; first + LEAST_VALUES <= count; first++) {
        double explained;

        before += values[first - 1] - mean;
        if (first < LEAST_VALUES)
            continue;
        explained = before * before * (double)count / ((double)first * (double)(count - first));
        if (explained > best.explained)
            best = (struct split){explained, first};
    }
    return best;
}

/* If there were no change, any order of the values would be as likely as this one. */
static double chance_of(double explained, const double *values, size_t count, gsl_rng *random)
{
    double *shuffled = memory_new(count, sizeof(*shuffled));
    int as_large = 0;

    memcpy(shuffled, values, count * sizeof(*shuffled));
    for (int i = 0; i < SHUFFLES; i++) {
        gsl_ran_shuffle(random, shuffled, count, sizeof(*shuffled));
        /* Sums in another order differ in the last digits. */
        as_large += best_split(shuffled, count).explained >= explained * (1 - 1e-9);
    }
    free(shuffled);
    return (1.0 + as_large) / (SHUFFLES + 1.0);
}

static size_t find_between(const double *values, size_t from, size_t to, struct change *changes,
                           gsl_rng *random)
{
    struct split split;
    size_t found;
    double p;

    if (to - from < 2 * LEAST_VALUES)
        return 0;
    split = best_split(values + from, to - from);
    if (!(split.explained > 0))
        return 0;
    p = chance_of(split.explained, values + from, to - from, random);
    if (p > LEVEL)
        return 0;
    found = find_between(values, from, from + split.first, changes, random);
    changes[found++] = (struct change){from + split.first, p};
    return found + find_between(values, from + split.first, to, changes + found, random);
}

size_t changes_find(const double *values, size_t count, struct change *changes)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    size_t found;

    /* The same values have the same changes, whenever they are looked at. */
    gsl_rng_set(random, 1);
    found = find_between(values, 0, count, changes, random);
    gsl_rng_free(random);
    return found;
}

struct series {
    char *name;
    double *values;
    size_t count, capacity;
};

static void write_number(FILE *out, double number, char end)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fprintf(out, "%s%c", text, end);
}

/* What it was from the change before to this one, and what it is up to the next one. */
static void write_change(FILE *out, const struct series *series, size_t begin, const struct change *change,
                         size_t end)
{
    const double *before = series->values + begin, *after = series->values + change->first;
    size_t before_count = change->first - begin, after_count = end - change->first;
    struct interval difference = interval_of_difference(after, after_count, before, before_count);

    csv_write(out, series->name);
    fprintf(out, ",%zu,", change->first);
    write_number(out, change->p, ',');
    write_number(out, gsl_stats_mean(before, 1, before_count), ',');
    write_number(out, gsl_stats_mean(after, 1, after_count), ',');
    write_number(out, difference.value, ',');
    write_number(out, difference.low, ',');
    write_number(out, difference.high, '\n');
}

static void write_series(FILE *out, const struct series *series)
{
    struct change *changes = memory_new(series->count + 1, sizeof(*changes));
    size_t found = changes_find(series->values, series->count, changes);

    for (size_t i = 0; i < found; i++)
        write_change(out, series, i ? changes[i - 1].first : 0, &changes[i],
                     i + 1 < found ? changes[i + 1].first : series->count);
    free(changes);
}

static void begin_series(struct series *series, const char *name)
{
    free(series->name);
    series->name = memory_copy(name);
    series->count = 0;
}

bool changes_write(FILE *out, const char *path)
{
    enum { NAME, VALUE, FIELDS };
    struct problem problem = {""};
    struct series series = {0};
    char *fields[FIELDS];
    struct csv csv;

    if (csv_open(&csv, path, LINES_PLAIN, "series,value", &problem)) {
        fputs("series,first,p,before,after,difference,difference_low,difference_high\n", out);
        while (csv_next(&csv, fields, &problem)) {
            double value;

            if (!number_parse(fields[VALUE], &value) || !is_known(value)) {
                problem_set(&problem, "line %lu: '%s' is no number", csv.row, fields[VALUE]);
                break;
            }
            if (!series.name || strcmp(series.name, fields[NAME]) != 0) {
                if (series.name)
                    write_series(out, &series);
                begin_series(&series, fields[NAME]);
            }
            series.values =
                memory_grow(series.values, series.count, &series.capacity, sizeof(*series.values));
            series.values[series.count++] = value;
        }
        if (series.name && !problem_is_set(&problem))
            write_series(out, &series);
        csv_close(&csv);
    }
    free(series.name);
    free(series.values);
    if (problem_is_set(&problem))
        warnx("%s %s", path, problem.text);
    return !problem_is_set(&problem) && fflush(out) == 0 && !ferror(out);
}
