#include "sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "interval.h"
#include "means.h"
#include "memory.h"
#include "number.h"
#include "rules.h"
#include "tax.h"

/* Means of a row, of which the difference has an interval. */
static const char *const compared[] = {
    "counted_us",           "daemon_us",       "services_us",
    "program_us",           "parent_us",       "side_slowdown_p50_us",
    "side_slowdown_p99_us", "records_per_sec", "log_bytes",
    "memory_peak_bytes",    "start_ms",
};

static const size_t compared_count = sizeof(compared) / sizeof(*compared);

/* A monitor with a set of rules and without it. */
struct pair {
    struct rules rules;
    const struct row *without, *with;
};

/* Of what is compared in it. */
struct measured {
    struct interval mean;
    size_t cells;
};

static void write_text_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number_round(number), text);
    fprintf(out, ",%s", text);
}

static void write_interval(FILE *out, struct interval interval)
{
    write_text_number(out, interval.value);
    write_text_number(out, interval.low);
    write_text_number(out, interval.high);
}

static void write_row(FILE *out, const struct pair *pair, const char *figure, const char *unit,
                      struct measured without, struct measured with, struct interval added)
{
    csv_write(out, pair->rules.monitor);
    putc(',', out);
    csv_write(out, pair->rules.kind);
    write_text_number(out, pair->rules.count);
    fprintf(out, ",%s,", figure);
    csv_write(out, unit);
    write_text_number(out, pair->with->rate);
    fprintf(out, ",%zu,%zu", without.cells, with.cells);
    write_interval(out, without.mean);
    write_interval(out, with.mean);
    write_interval(out, added);
    putc('\n', out);
}

static void write_figure(FILE *out, const struct pair *pair, const struct figure *figure)
{
    const struct measured without = {row_mean(pair->without, figure), pair->without->counted.count};
    const struct measured with = {row_mean(pair->with, figure), pair->with->counted.count};

    if (is_known(without.mean.value) && is_known(with.mean.value))
        write_row(out, pair, figure->name, figure->unit ? figure->unit : "", without, with,
                  row_difference(pair->with, pair->without, figure));
}

/* Of each cell the share of executions that were launched and are not in the log, in %. */
static double *lost_percents(const struct row *row, size_t *count)
{
    double *percents = memory_new(row->cell_count + 1, sizeof(*percents));

    *count = 0;
    for (size_t i = 0; i < row->cell_count; i++) {
        double percent = 100 * cell_number(row->cells[i], "lost") / cell_number(row->cells[i], "launched");

        if (row->cells[i]->ok && is_known(percent))
            percents[(*count)++] = percent;
    }
    return percents;
}

static void write_lost(FILE *out, const struct pair *pair)
{
    size_t without_count, with_count;
    double *without = lost_percents(pair->without, &without_count);
    double *with = lost_percents(pair->with, &with_count);

    if (without_count && with_count)
        write_row(out, pair, "lost", "% of executions",
                  (struct measured){interval_of_mean(without, without_count), without_count},
                  (struct measured){interval_of_mean(with, with_count), with_count},
                  interval_of_difference(with, with_count, without, without_count));
    free(without);
    free(with);
}

static void write_calls(FILE *out, const struct pair *pair, const struct cell *cells, size_t count)
{
    struct tax_between *between;
    size_t calls = taxes_between(&between, cells, count, pair->without->test, pair->with->test);

    for (size_t i = 0; i < calls; i++)
        write_row(out, pair, between[i].call, "ns per call",
                  (struct measured){between[i].without, between[i].without_reps},
                  (struct measured){between[i].with, between[i].with_reps}, between[i].added);
    free(between);
}

static const struct row *row_without(const struct perf *perf, const struct pair *pair)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, pair->rules.monitor) == 0 &&
            fabs(perf->rows[i].rate - pair->with->rate) <= 0)
            return &perf->rows[i];
    return NULL;
}

void sets_write(FILE *out, const struct perf *perf, const struct cell *cells, size_t count)
{
    fputs("monitor,set,rules,figure,unit,exec_per_sec,reps_without,reps,without,without_low,without_high,"
          "with,with_low,"
          "with_high,added,added_low,added_high\n",
          out);
    for (size_t i = 0; i < perf->count; i++) {
        struct pair pair = {.with = &perf->rows[i]};

        rules_parse(&pair.rules, perf->rows[i].test);
        pair.without = row_without(perf, &pair);
        if (pair.rules.kind && pair.without) {
            for (size_t figure = 0; figure < compared_count; figure++)
                write_figure(out, &pair, &figures[figure_index(compared[figure])]);
            write_lost(out, &pair);
            write_calls(out, &pair, cells, count);
        }
        rules_free(&pair.rules);
    }
}
