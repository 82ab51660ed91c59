#include "rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "fit.h"
#include "memory.h"
#include "number.h"

void rules_parse(struct rules *rules, const char *test)
{
    const char *added = strchr(test, '+'), *number = added ? strrchr(added, '=') : NULL;

    *rules = (struct rules){.monitor = memory_copy(test)};
    if (!number || !number_parse(number + 1, &rules->count))
        return;
    rules->monitor[added - test] = '\0';
    rules->kind = memory_copy(added + 1);
    rules->kind[number - added - 1] = '\0';
}

void rules_free(struct rules *rules)
{
    free(rules->monitor);
    free(rules->kind);
}

struct point {
    struct rules rules;
    const struct row *row;
};

/* Without added rules first. */
static int by_rules(const void *left, const void *right)
{
    const struct rules *a = &((const struct point *)left)->rules, *b = &((const struct point *)right)->rules;
    int order = strcmp(a->monitor, b->monitor);

    if (order == 0)
        order = strcmp(a->kind ? a->kind : "", b->kind ? b->kind : "");
    return order ? order : (a->count > b->count) - (a->count < b->count);
}

/* All rows but the baseline's. */
static size_t find_points(struct point **points, const struct perf *perf)
{
    size_t count = 0;

    *points = memory_new(perf->count, sizeof(**points));
    for (size_t i = 0; i < perf->count; i++) {
        struct point *point = &(*points)[count];

        if (strcmp(perf->rows[i].test, BASELINE) == 0)
            continue;
        rules_parse(&point->rules, perf->rows[i].test);
        point->row = &perf->rows[i];
        count++;
    }
    if (count)
        qsort(*points, count, sizeof(**points), by_rules);
    return count;
}

static void free_points(struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rules_free(&points[i].rules);
    free(points);
}

/* Of all rows, and with their intervals those that are means. */
static const char *const columns[] = {
    "exec_per_sec",
    "reps",
    "accounted_us",
    "daemon_us",
    "helpers_us",
    "inband_us",
    "launcher_us",
    "bpf_us",
    "inband_way",
    "side_slowdown_p50_us",
    "side_slowdown_p99_us",
    "slowdown_p50_us",
    "slowdown_p99_us",
    "memory_peak_bytes",
    "start_ms",
    "records_per_sec",
    "launched",
    "lost",
    "loss_counters",
    "saturated",
    "status",
    "reason",
};

static const size_t column_count = sizeof(columns) / sizeof(*columns);

static void write_text_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number, text);
    fputs(text, out);
}

static void write_column(FILE *out, const struct row *row, const char *name)
{
    const struct figure *figure = &figures[figure_index(name)];

    putc(',', out);
    row_write(out, row, figure);
    if (figure->summary == SUMMARY_MEAN) {
        struct interval mean = row_mean(row, figure);

        putc(',', out);
        write_text_number(out, number_round(mean.low));
        putc(',', out);
        write_text_number(out, number_round(mean.high));
    }
}

void rules_write(FILE *out, const struct perf *perf)
{
    struct point *points;
    size_t count = find_points(&points, perf);

    fputs("monitor,kind,rules", out);
    for (size_t i = 0; i < column_count; i++) {
        fprintf(out, ",%s", columns[i]);
        if (figures[figure_index(columns[i])].summary == SUMMARY_MEAN)
            fprintf(out, ",%s_low,%s_high", columns[i], columns[i]);
    }
    putc('\n', out);
    for (size_t i = 0; i < count; i++) {
        csv_write(out, points[i].rules.monitor);
        putc(',', out);
        csv_write(out, points[i].rules.kind ? points[i].rules.kind : "");
        putc(',', out);
        write_text_number(out, points[i].rules.count);
        for (size_t column = 0; column < column_count; column++)
            write_column(out, points[i].row, columns[column]);
        putc('\n', out);
    }
    free_points(points, count);
}

/* What lines are laid through. */
static const char *const fitted[] = {"accounted_us",         "daemon_us",         "inband_us",
                                     "side_slowdown_p50_us", "memory_peak_bytes", "start_ms"};

static const size_t fitted_count = sizeof(fitted) / sizeof(*fitted);

struct line {
    const struct figure *figure;
    const struct rules *rules; /* of the last of its points */
    double rate;
    struct fit_point *points;
    size_t count, capacity;
    const char *alike; /* what its cells have in common; NULL: none yet */
    bool mixed;        /* it is not the same in all */
};

static void add_cells(struct line *line, const struct point *point)
{
    for (size_t i = 0; i < point->row->counted_count; i++) {
        const struct cell *cell = point->row->counted[i];
        double value = cell->numbers[line->figure - figures];
        const char *like = line->figure->alike ? cell_text(cell, line->figure->alike) : "";

        if (!is_known(value) || cell_number(cell, "saturated") > 0)
            continue;
        line->mixed = line->mixed || !like || (line->alike && strcmp(like, line->alike) != 0);
        line->alike = like;
        line->points = memory_grow(line->points, line->count, &line->capacity, sizeof(*line->points));
        line->points[line->count++] = (struct fit_point){
            .x = point->rules.count,
            .y = value,
            .error = line->figure->error ? cell_number(cell, line->figure->error) : UNKNOWN,
        };
    }
}

/* Six digits: a slope can be far below the third decimal. */
static void write_significant(FILE *out, double number)
{
    if (is_known(number))
        fprintf(out, ",%.6g", number);
    else
        putc(',', out);
}

static void write_interval(FILE *out, struct interval interval)
{
    write_significant(out, interval.value);
    write_significant(out, interval.low);
    write_significant(out, interval.high);
}

static void write_line(FILE *out, const struct line *line)
{
    struct fit fit = fit_line(line->points, line->mixed ? 0 : line->count);

    csv_write(out, line->rules->monitor);
    putc(',', out);
    csv_write(out, line->rules->kind);
    fprintf(out, ",%s,", line->figure->name);
    csv_write(out, line->figure->unit ? line->figure->unit : "");
    write_significant(out, line->rate);
    fprintf(out, ",%zu", line->count);
    write_interval(out, fit.fixed);
    write_interval(out, fit.slope);
    write_interval(out, fit.bend);
    write_interval(out, fit.doubling);
    putc('\n', out);
}

static bool same_line(const struct rules *a, const struct rules *b)
{
    return a->kind && b->kind && strcmp(a->monitor, b->monitor) == 0 && strcmp(a->kind, b->kind) == 0;
}

/* Those of one monitor and kind are next to each other; those of a monitor without added rules come before.
 */
static void fit_kind(FILE *out, const struct point *points, size_t first, size_t end,
                     const struct figure *figure)
{
    struct line line = {.figure = figure, .rules = &points[end - 1].rules, .rate = points[first].row->rate};

    for (size_t i = 0; i < end; i++)
        if (i >= first ||
            (!points[i].rules.kind && strcmp(points[i].rules.monitor, line.rules->monitor) == 0))
            add_cells(&line, &points[i]);
    if (line.count)
        write_line(out, &line);
    free(line.points);
}

void fits_write(FILE *out, const struct perf *perf)
{
    struct point *points;
    size_t count = find_points(&points, perf), end;

    fputs("monitor,kind,figure,unit,exec_per_sec,cells,fixed,fixed_low,fixed_high,slope,slope_low,slope_high,"
          "bend,bend_low,bend_high,doubling,doubling_low,doubling_high\n",
          out);
    for (size_t first = 0; first < count; first = end) {
        for (end = first + 1; end < count && same_line(&points[first].rules, &points[end].rules);)
            end++;
        for (size_t i = 0; points[first].rules.kind && i < fitted_count; i++)
            fit_kind(out, points, first, end, &figures[figure_index(fitted[i])]);
    }
    free_points(points, count);
}
