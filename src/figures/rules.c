#include "rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "fit.h"
#include "means.h"
#include "memory.h"
#include "number.h"
#include "perf_write.h"

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
    "counted_us",
    "daemon_us",
    "services_us",
    "program_us",
    "parent_us",
    "bpf_us",
    "inprogram_method",
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
static const char *const fitted[] = {"counted_us",           "daemon_us",         "program_us",
                                     "side_slowdown_p50_us", "memory_peak_bytes", "start_ms"};

static const size_t fitted_count = sizeof(fitted) / sizeof(*fitted);

struct line {
    const char *name, *unit;
    const struct figure *figure; /* NULL: it is what the monitor adds to the system call of that name */
    double without_ns;           /* what that costs without a monitor, where it is not known side by side */
    const struct rules *rules;   /* of the last of its points */
    double rate;
    struct fit_point *points;
    size_t count, capacity;
    const char *alike; /* what its cells have in common; NULL: none yet */
    bool mixed;        /* it is not the same in all */
};

/* What a cell knows of the figure, and what it must have in common with others; y is unknown if it knows
 * nothing. */
static const char *take_figure(struct fit_point *point, const struct figure *figure, const struct cell *cell)
{
    point->y = cell->numbers[figure - figures];
    point->error = figure->error ? cell_number(cell, figure->error) : UNKNOWN;
    return figure->alike ? cell_text(cell, figure->alike) : "";
}

static const char *take_call(struct fit_point *point, const struct line *line, const struct cell *cell)
{
    const struct syscall_cost *cost = syscalls_cost(&cell->syscalls, line->name);

    point->y = point->error = UNKNOWN;
    if (cost && strcmp(cell->syscalls.way, "apart") == 0) {
        point->y = cost->with_ns - line->without_ns;
    } else if (cost) {
        point->y = cost->added.value;
        point->error = sqrt(cost->added.variance);
    }
    return cell->syscalls.way;
}

static void add_cells(struct line *line, const struct point *point)
{
    for (size_t i = 0; i < point->row->counted.count; i++) {
        const struct cell *cell = point->row->counted.list[i];
        struct fit_point added = {.x = point->rules.count};
        const char *like =
            line->figure ? take_figure(&added, line->figure, cell) : take_call(&added, line, cell);

        if (!is_known(added.y) || cell_number(cell, "saturated") > 0)
            continue;
        line->mixed = line->mixed || !like || (line->alike && strcmp(like, line->alike) != 0);
        line->alike = like;
        line->points = memory_grow(line->points, line->count, &line->capacity, sizeof(*line->points));
        line->points[line->count++] = added;
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
    fprintf(out, ",%s,", line->name);
    csv_write(out, line->unit ? line->unit : "");
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
static void fit_kind(FILE *out, const struct point *points, size_t first, size_t end, struct line line)
{
    line.rules = &points[end - 1].rules;
    line.rate = points[first].row->rate;
    for (size_t i = 0; i < end; i++)
        if (i >= first ||
            (!points[i].rules.kind && strcmp(points[i].rules.monitor, line.rules->monitor) == 0))
            add_cells(&line, &points[i]);
    if (line.count)
        write_line(out, &line);
    free(line.points);
}

/* The mean over the baseline's cells, in ns; unknown without any. */
static double call_without(const struct perf *perf, const char *call)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < perf->count; i++)
        for (size_t j = 0; strcmp(perf->rows[i].test, BASELINE) == 0 && j < perf->rows[i].counted.count;
             j++) {
            const struct syscall_cost *cost = syscalls_cost(&perf->rows[i].counted.list[j]->syscalls, call);

            if (!cost)
                continue;
            sum += cost->with_ns;
            count++;
        }
    return sum / count;
}

/* Of one of these rows' cells that has a window T; NULL if none has. */
static const struct syscalls *find_calls(const struct point *points, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        for (size_t j = 0; j < points[i].row->counted.count; j++)
            if (points[i].row->counted.list[j]->syscalls.count)
                return &points[i].row->counted.list[j]->syscalls;
    return NULL;
}

static void fit_calls(FILE *out, const struct perf *perf, const struct point *points, size_t first,
                      size_t end)
{
    const struct syscalls *calls = find_calls(points, first, end);

    for (size_t i = 0; calls && i < calls->count; i++) {
        const char *call = calls->costs[i].name;

        fit_kind(out, points, first, end,
                 (struct line){.name = call, .unit = "ns per call", .without_ns = call_without(perf, call)});
    }
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
        if (!points[first].rules.kind)
            continue;
        for (size_t i = 0; i < fitted_count; i++) {
            const struct figure *figure = &figures[figure_index(fitted[i])];

            fit_kind(out, points, first, end,
                     (struct line){.name = figure->name, .unit = figure->unit, .figure = figure});
        }
        fit_calls(out, perf, points, first, end);
    }
    free_points(points, count);
}
