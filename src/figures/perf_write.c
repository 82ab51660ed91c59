#include "perf_write.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "means.h"
#include "memory.h"
#include "number.h"

/* A column of perf.csv: a figure or something about it. */
enum part {
    PART_VALUE,
    PART_LOW,
    PART_HIGH,
    PART_LOWEST,
    PART_HIGHEST,
    PART_OVERHEAD,
    PART_OVERHEAD_LOW,
    PART_OVERHEAD_HIGH,
    PART_OVERHEAD_DEGREES,
    PART_REPS,
    PARTS,
};

static const char *const part_suffixes[PARTS] = {
    "",          "_low",          "_high",          "_lowest",           "_highest",
    "_overhead", "_overhead_low", "_overhead_high", "_overhead_degrees", "_reps"};

struct column {
    const struct figure *figure;
    enum part part;
};

static int by_place(const void *left, const void *right)
{
    const struct column *a = left, *b = right;
    int order = a->figure->place - b->figure->place;

    return order ? order : (int)a->part - (int)b->part;
}

static bool has_part(const struct figure *figure, enum part part)
{
    switch (part) {
    case PART_VALUE:
        return figure->summary != SUMMARY_NONE;
    case PART_LOW:
    case PART_HIGH:
        return figure->summary == SUMMARY_MEAN || figure->summary == SUMMARY_MARGINAL;
    case PART_LOWEST:
    case PART_HIGHEST:
        return figure->main;
    case PART_OVERHEAD:
    case PART_OVERHEAD_LOW:
    case PART_OVERHEAD_HIGH:
        return figure->overhead_of;
    case PART_OVERHEAD_DEGREES:
        return figure->overhead_of && figure->main;
    case PART_REPS:
        return figure->summary == SUMMARY_MOST;
    case PARTS:
        break;
    }
    return false;
}

static size_t find_columns(struct column *columns)
{
    size_t count = 0;

    for (size_t i = 0; i < figure_count; i++)
        for (int part = PART_VALUE; part < PARTS; part++)
            if (has_part(&figures[i], (enum part)part))
                columns[count++] = (struct column){&figures[i], (enum part)part};
    qsort(columns, count, sizeof(*columns), by_place);
    return count;
}

static void write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number, text);
    fputs(text, out);
}

/* Over the counted cells, or all that went well. */
static double fold(const struct cell *const *cells, size_t count, size_t figure,
                   double (*join)(double, double))
{
    double result = UNKNOWN;

    for (size_t i = 0; i < count; i++) {
        double number = cells[i]->ok ? cells[i]->numbers[figure] : UNKNOWN;

        if (is_known(number))
            result = is_known(result) ? join(result, number) : number;
    }
    return result;
}

static double number_of(const struct row *row, const struct figure *figure, enum part part)
{
    bool share = part >= PART_OVERHEAD;
    const struct interval mean = share                                 ? row_share(row, figure)
                                 : figure->summary == SUMMARY_MARGINAL ? row_marginal(row)
                                                                       : row_mean(row, figure);
    double number = mean.value;

    if (part == PART_LOW || part == PART_OVERHEAD_LOW)
        number = mean.low;
    else if (part == PART_HIGH || part == PART_OVERHEAD_HIGH)
        number = mean.high;
    return share ? number * 100 : number;
}

static void write_mean(FILE *out, const struct row *row, const struct figure *figure, enum part part)
{
    write_number(out, number_round(part == PART_OVERHEAD_DEGREES ? row_share_degrees(row, figure)
                                                                 : number_of(row, figure, part)));
}

static void write_most(FILE *out, const struct row *row, size_t figure, enum part part)
{
    if (part == PART_REPS)
        write_number(out, (double)row_count_true(row, figures[figure].name));
    else if (row->counted.count)
        fputs(row_is_mostly(row, figures[figure].name) ? "true" : "false", out);
}

static void write_same(FILE *out, const struct row *row, size_t figure)
{
    const char *text = row_text(row, figures[figure].name);

    if (text)
        csv_write(out, text);
}

struct counter {
    char name[200];
    double number;
};

static int by_name(const void *left, const void *right)
{
    const struct counter *a = left, *b = right;

    return strcmp(a->name, b->name);
}

/* Adds the counters in text, name=number with blanks between them. */
static void add_counters(struct counter **counters, size_t *count, size_t *capacity, const char *text)
{
    struct counter counter;
    int length;

    for (; sscanf(text, " %199[^ =]=%lf%n", counter.name, &counter.number, &length) == 2; text += length) {
        size_t i = 0;

        while (i < *count && strcmp((*counters)[i].name, counter.name) != 0)
            i++;
        if (i < *count) {
            (*counters)[i].number += counter.number;
            continue;
        }
        *counters = memory_grow(*counters, *count, capacity, sizeof(**counters));
        (*counters)[(*count)++] = counter;
    }
}

static void write_counters(FILE *out, const struct row *row, size_t figure)
{
    struct counter *counters = NULL;
    size_t count = 0, capacity = 0;

    for (size_t i = 0; i < row->cell_count; i++)
        if (row->cells[i]->ok && row->cells[i]->texts[figure])
            add_counters(&counters, &count, &capacity, row->cells[i]->texts[figure]);
    if (count)
        qsort(counters, count, sizeof(*counters), by_name);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s=", i ? " " : "", counters[i].name);
        write_number(out, counters[i].number);
    }
    free(counters);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Each reason once. */
static void write_reasons(FILE *out, const struct row *row, size_t figure)
{
    const char **reasons = memory_new(row->cell_count, sizeof(*reasons));
    char *joined = memory_copy("");
    size_t count = 0;

    for (size_t i = 0; i < row->cell_count; i++)
        if (!row->cells[i]->ok)
            reasons[count++] = row->cells[i]->texts[figure] ? row->cells[i]->texts[figure] : "";
    qsort(reasons, count, sizeof(*reasons), by_text);
    for (size_t i = 0; i < count; i++) {
        char *longer;

        if (i > 0 && strcmp(reasons[i], reasons[i - 1]) == 0)
            continue;
        longer = memory_print("%s%s%s", joined, i ? "; " : "", reasons[i]);
        free(joined);
        joined = longer;
    }
    csv_write(out, joined);
    free(joined);
    free(reasons);
}

static void write_status(FILE *out, const struct row *row, size_t figure)
{
    for (size_t i = 0; i < row->cell_count; i++)
        if (!row->cells[i]->ok) {
            csv_write(out, row->cells[i]->texts[figure] ? row->cells[i]->texts[figure] : "unreadable");
            return;
        }
    fputs("ok", out);
}

static void write_value(FILE *out, const struct row *row, const struct column *column)
{
    size_t figure = (size_t)(column->figure - figures);

    if (column->part == PART_LOWEST || column->part == PART_HIGHEST) {
        write_number(out, fold(row->counted.list, row->counted.count, figure,
                               column->part == PART_LOWEST ? fmin : fmax));
        return;
    }
    switch (column->figure->summary) {
    case SUMMARY_KEY:
        cell_write_field(out, row->cells[0], figure);
        break;
    case SUMMARY_MEAN:
    case SUMMARY_MARGINAL:
        write_mean(out, row, column->figure, column->part);
        break;
    case SUMMARY_MAX:
        write_number(out, fold(row->counted.list, row->counted.count, figure, fmax));
        break;
    case SUMMARY_SUM:
        write_number(out, row_sum(row, figures[figure].name));
        break;
    case SUMMARY_COUNTERS:
        write_counters(out, row, figure);
        break;
    case SUMMARY_SAME:
        write_same(out, row, figure);
        break;
    case SUMMARY_MOST:
        write_most(out, row, figure, column->part);
        break;
    case SUMMARY_REPS:
        write_number(out, (double)row->counted.count);
        break;
    case SUMMARY_STATUS:
        write_status(out, row, figure);
        break;
    case SUMMARY_REASONS:
        write_reasons(out, row, figure);
        break;
    case SUMMARY_NONE:
        break;
    }
}

void row_write(FILE *out, const struct row *row, const struct figure *figure)
{
    const struct column column = {figure, PART_VALUE};

    write_value(out, row, &column);
}

static void write_skipped(FILE *out, const struct column *column, const char *monitor, const char *reason)
{
    if (column->figure->summary == SUMMARY_KEY && column->figure->type == FIGURE_TEXT)
        csv_write(out, monitor);
    else if (column->figure->summary == SUMMARY_STATUS)
        fputs("skipped", out);
    else if (column->figure->summary == SUMMARY_REASONS)
        csv_write(out, reason ? reason : "");
}

/* NAME_overhead of NAME_us. */
static void write_name(FILE *out, const struct column *column)
{
    const char *name = column->figure->name;
    bool share = column->part >= PART_OVERHEAD && column->part <= PART_OVERHEAD_DEGREES;

    fprintf(out, "%.*s%s", (int)(strlen(name) - (share ? strlen("_us") : 0)), name,
            part_suffixes[column->part]);
}

static void end_field(FILE *out, size_t column, size_t count)
{
    putc(column + 1 < count ? ',' : '\n', out);
}

void perf_write(FILE *out, const struct perf *perf, json_t *skipped)
{
    struct column *columns = memory_new(figure_count * PARTS, sizeof(*columns));
    size_t count = find_columns(columns);
    const char *monitor;
    json_t *reason;

    for (size_t i = 0; i < count; i++) {
        write_name(out, &columns[i]);
        end_field(out, i, count);
    }
    for (size_t row = 0; row < perf->count; row++)
        for (size_t i = 0; i < count; i++) {
            write_value(out, &perf->rows[row], &columns[i]);
            end_field(out, i, count);
        }
    json_object_foreach(skipped, monitor, reason)
    {
        for (size_t i = 0; i < count; i++) {
            write_skipped(out, &columns[i], monitor, json_string_value(reason));
            end_field(out, i, count);
        }
    }
    free(columns);
}
