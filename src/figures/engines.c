#include "engines.h"

#include <err.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/usage.h"
#include "csv.h"
#include "fit.h"
#include "interval.h"
#include "memory.h"
#include "number.h"
#include "output.h"

/* What is measured, as it is named in the tables. */
static const struct engine_figure {
    const char *name, *unit;
    size_t offset;
    bool is_fitted, is_compared;
} figures_of_engines[] = {
    {"ns", "ns per event", offsetof(struct engine_cost, ns), true, true},
    {"cpu_ns", "ns of CPU time per event", offsetof(struct engine_cost, cpu_ns), true, true},
    {"bytes", "bytes per event", offsetof(struct engine_cost, bytes), false, false},
    {"allocs", "allocations per event", offsetof(struct engine_cost, allocs), false, false},
    {"compile_ns", "ns", offsetof(struct engine_cost, compile_ns), true, false},
    {"resident_bytes", "bytes", offsetof(struct engine_cost, resident_bytes), true, false},
};

static const size_t engine_figure_count = sizeof(figures_of_engines) / sizeof(*figures_of_engines);

static double value_of(const struct engine_cell *cell, const struct engine_figure *figure)
{
    return cell->measured ? *(const double *)((const char *)&cell->cost + figure->offset) : UNKNOWN;
}

/* The next word of *rest, NULL after the last. */
static char *next_word(char **rest)
{
    return strtok_r(NULL, " \t", rest);
}

static void take_value(struct engine_cost *cost, const char *unit, double value, double events)
{
    if (strcmp(unit, "ns/op") == 0)
        cost->ns = value / events;
    else if (strcmp(unit, "cpu-ns/op") == 0)
        cost->cpu_ns = value / events;
    else if (strcmp(unit, "B/op") == 0)
        cost->bytes = value / events;
    else if (strcmp(unit, "allocs/op") == 0)
        cost->allocs = value / events;
    else if (strcmp(unit, "compile-ns") == 0)
        cost->compile_ns = value;
    else if (strcmp(unit, "resident-bytes") == 0)
        cost->resident_bytes = value;
}

/* A name, how often it was run, and then values, each with its unit. */
bool engine_parse_result(char *line, double events, struct engine_cost *cost)
{
    char *rest, *name = strtok_r(line, " \t", &rest), *text;
    double value;

    *cost = (struct engine_cost){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
    if (!name || strncmp(name, "Benchmark", strlen("Benchmark")) != 0)
        return false;
    text = next_word(&rest);
    if (!text || !number_parse(text, &value))
        return false;
    while ((text = next_word(&rest))) {
        char *unit = next_word(&rest);

        if (!unit || !number_parse(text, &value))
            return false;
        take_value(cost, unit, value, events);
    }
    return is_known(cost->ns);
}

void engine_read_result(struct engine_cell *cell, const char *path, struct problem *problem)
{
    struct lines *lines = lines_open(path, LINES_PLAIN, problem);
    size_t results = 0;
    char *line, *end;

    if (!lines)
        return;
    while ((line = lines_next(lines, &end, problem))) {
        struct engine_cost cost;

        if (!engine_parse_result(line, cell->events, &cost))
            continue;
        cell->cost = cost;
        results++;
    }
    lines_close(lines);
    if (!problem_is_set(problem) && results != 1)
        problem_set(problem, "has the results of %zu benchmarks, expected one", results);
    cell->measured = !problem_is_set(problem);
}

static bool parse_cell(char *fields[], struct engine_cell *cell)
{
    enum { CELL, MODULE, ENGINE, SIGNATURE, COUNT, EVENTS };

    *cell = (struct engine_cell){0};
    if (!number_parse(fields[CELL], &cell->cell) || !number_parse(fields[COUNT], &cell->count) ||
        !number_parse(fields[EVENTS], &cell->events) || !(cell->events > 0))
        return false;
    cell->module = memory_copy(fields[MODULE]);
    cell->engine = memory_copy(fields[ENGINE]);
    cell->signature = memory_copy(fields[SIGNATURE]);
    return true;
}

static void read_plan(const struct run *run, struct engine_cells *cells, struct problem *problem)
{
    enum { FIELDS = 6 };
    char path[PATH_MAX], *fields[FIELDS];
    size_t capacity = 0;
    struct csv csv;

    snprintf(path, sizeof(path), "%s/plan.csv", run->path);
    if (!csv_open(&csv, path, LINES_PLAIN, "cell,module,engine,signature,count,events", problem))
        return;
    while (csv_next(&csv, fields, problem)) {
        struct engine_cell cell;

        if (!parse_cell(fields, &cell)) {
            problem_set(problem, "line %lu: expected a cell, and numbers of signatures and events", csv.row);
            break;
        }
        cells->cells = memory_grow(cells->cells, cells->count, &capacity, sizeof(*cells->cells));
        cells->cells[cells->count++] = cell;
    }
    csv_close(&csv);
}

/* A measurement without a file has not been made. */
static void read_cells(struct run *run, struct engine_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        struct problem problem = {""};
        char *file = memory_print("cells/%.0f.txt", cells->cells[i].cell);
        char *path = memory_print("%s/%s", run->path, file);

        if (access(path, F_OK) == 0)
            engine_read_result(&cells->cells[i], path, &problem);
        if (problem_is_set(&problem))
            run_note_problem(run, file, &problem);
        free(path);
        free(file);
    }
}

static int by_line(const struct engine_cell *a, const struct engine_cell *b)
{
    int order = strcmp(a->module, b->module);

    if (order == 0)
        order = strcmp(a->engine, b->engine);
    return order ? order : strcmp(a->signature, b->signature);
}

static int by_count(const void *left, const void *right)
{
    const struct engine_cell *a = left, *b = right;
    int order = by_line(a, b);

    return order ? order : (a->count > b->count) - (a->count < b->count);
}

static void sort(struct engine_cells *cells)
{
    if (cells->count)
        qsort(cells->cells, cells->count, sizeof(*cells->cells), by_count);
}

/* The known values of a figure from first to before end. */
static size_t find_values(const struct engine_cell *cells, size_t first, size_t end,
                          const struct engine_figure *figure, double *values)
{
    size_t count = 0;

    for (size_t i = first; i < end; i++) {
        double value = value_of(&cells[i], figure);

        if (is_known(value))
            values[count++] = value;
    }
    return count;
}

/* Six digits: what an event costs ranges from nanoseconds to seconds. */
static void write_interval(FILE *out, struct interval interval)
{
    const double numbers[] = {interval.value, interval.low, interval.high};

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (is_known(numbers[i]))
            fprintf(out, ",%.6g", numbers[i]);
        else
            putc(',', out);
}

static void write_name(FILE *out, const struct engine_cell *cell)
{
    csv_write(out, cell->module);
    putc(',', out);
    csv_write(out, cell->engine);
    putc(',', out);
    csv_write(out, cell->signature);
}

static void write_means(FILE *out, const struct engine_cell *cells, size_t first, size_t end)
{
    double *values = memory_new(end - first, sizeof(*values));

    write_name(out, &cells[first]);
    fprintf(out, ",%.0f,%zu", cells[first].count,
            find_values(cells, first, end, &figures_of_engines[0], values));
    for (size_t i = 0; i < engine_figure_count; i++) {
        size_t count = find_values(cells, first, end, &figures_of_engines[i], values);

        write_interval(out, count ? interval_of_mean(values, count)
                                  : (struct interval){UNKNOWN, UNKNOWN, UNKNOWN});
    }
    putc('\n', out);
    free(values);
}

void engines_write_means(FILE *out, struct engine_cells *cells)
{
    size_t end;

    sort(cells);
    fputs("module,engine,signature,signatures,reps", out);
    for (size_t i = 0; i < engine_figure_count; i++)
        fprintf(out, ",%s,%s_low,%s_high", figures_of_engines[i].name, figures_of_engines[i].name,
                figures_of_engines[i].name);
    putc('\n', out);
    for (size_t first = 0; first < cells->count; first = end) {
        for (end = first + 1; end < cells->count && by_count(&cells->cells[first], &cells->cells[end]) == 0;)
            end++;
        write_means(out, cells->cells, first, end);
    }
}

/* The mean of the cells that have as many signatures as cells[i]. */
static double mean_beside(const struct engine_cell *cells, size_t first, size_t end, size_t i,
                          const struct engine_figure *figure)
{
    double sum = 0, known = 0;

    for (size_t j = first; j < end; j++) {
        double value = value_of(&cells[j], figure);

        if (is_known(value) && by_count(&cells[i], &cells[j]) == 0) {
            sum += value;
            known++;
        }
    }
    return sum / known;
}

/* Repeated times differ by a share of themselves, whatever their size: so a cell's error is taken as a share
 * of what as many signatures cost, and the line is as near to the cheap points as to the dear ones. */
static size_t find_points(const struct engine_cell *cells, size_t first, size_t end,
                          const struct engine_figure *figure, struct fit_point *points)
{
    size_t count = 0;

    for (size_t i = first; i < end; i++) {
        double value = value_of(&cells[i], figure);

        if (is_known(value))
            points[count++] = (struct fit_point){
                .x = cells[i].count, .y = value, .error = mean_beside(cells, first, end, i, figure)};
    }
    return count;
}

static void write_fit(FILE *out, const struct engine_cell *cells, size_t first, size_t end,
                      const struct engine_figure *figure)
{
    struct fit_point *points = memory_new(end - first, sizeof(*points));
    size_t count = find_points(cells, first, end, figure, points);
    struct fit fit = fit_line(points, count);

    if (is_known(fit.slope.value)) {
        write_name(out, &cells[first]);
        fprintf(out, ",%s,%s,%zu", figure->name, figure->unit, count);
        write_interval(out, fit.fixed);
        write_interval(out, fit.slope);
        write_interval(out, fit.bend);
        putc('\n', out);
    }
    free(points);
}

void engines_write_fits(FILE *out, struct engine_cells *cells)
{
    size_t end;

    sort(cells);
    fputs("module,engine,signature,figure,unit,cells,fixed,fixed_low,fixed_high,slope,slope_low,slope_high,"
          "bend,bend_low,"
          "bend_high\n",
          out);
    for (size_t first = 0; first < cells->count; first = end) {
        for (end = first + 1; end < cells->count && by_line(&cells->cells[first], &cells->cells[end]) == 0;)
            end++;
        for (size_t i = 0; i < engine_figure_count; i++)
            if (figures_of_engines[i].is_fitted)
                write_fit(out, cells->cells, first, end, &figures_of_engines[i]);
    }
}

/* Cells from first to before end: one engine, with one signature a number of times. */
struct group {
    size_t first, end;
};

static size_t find_groups(const struct engine_cells *cells, struct group *groups)
{
    size_t count = 0, end;

    for (size_t first = 0; first < cells->count; first = end) {
        for (end = first + 1; end < cells->count && by_count(&cells->cells[first], &cells->cells[end]) == 0;)
            end++;
        groups[count++] = (struct group){first, end};
    }
    return count;
}

/* What differs between modules is more than the engine. */
static bool are_compared(const struct engine_cell *a, const struct engine_cell *b)
{
    return strcmp(a->module, b->module) == 0 && strcmp(a->signature, b->signature) == 0 &&
           fabs(a->count - b->count) <= 0;
}

static void write_difference(FILE *out, const struct engine_cell *cells, const struct group *a,
                             const struct group *b, const struct engine_figure *figure)
{
    double *values_a = memory_new(a->end - a->first, sizeof(*values_a));
    double *values_b = memory_new(b->end - b->first, sizeof(*values_b));
    size_t count_a = find_values(cells, a->first, a->end, figure, values_a);
    size_t count_b = find_values(cells, b->first, b->end, figure, values_b);
    struct interval difference = interval_of_difference(values_a, count_a, values_b, count_b);

    if (is_known(difference.low)) {
        csv_write(out, cells[a->first].module);
        putc(',', out);
        csv_write(out, cells[a->first].signature);
        fprintf(out, ",%.0f,", cells[a->first].count);
        csv_write(out, cells[a->first].engine);
        putc(',', out);
        csv_write(out, cells[b->first].engine);
        fprintf(out, ",%s", figure->name);
        write_interval(out, difference);
        putc('\n', out);
    }
    free(values_a);
    free(values_b);
}

void engines_write_differences(FILE *out, struct engine_cells *cells)
{
    struct group *groups = memory_new(cells->count + 1, sizeof(*groups));
    size_t count;

    sort(cells);
    count = find_groups(cells, groups);
    fputs("module,signature,signatures,engine_a,engine_b,figure,difference,difference_low,difference_high\n",
          out);
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (are_compared(&cells->cells[groups[a].first], &cells->cells[groups[b].first]))
                for (size_t i = 0; i < engine_figure_count; i++)
                    if (figures_of_engines[i].is_compared)
                        write_difference(out, cells->cells, &groups[a], &groups[b], &figures_of_engines[i]);
    free(groups);
}

static bool write_file(const struct run *run, const char *name, struct engine_cells *cells,
                       void (*writer)(FILE *out, struct engine_cells *cells))
{
    struct output output;

    if (!output_begin(&output, run->path, name))
        return false;
    writer(output.file, cells);
    return output_end(&output);
}

static void free_cells(struct engine_cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        free(cells->cells[i].module);
        free(cells->cells[i].engine);
        free(cells->cells[i].signature);
    }
    free(cells->cells);
}

bool engines_write(struct run *run)
{
    struct engine_cells cells = {0};
    struct problem problem = {""};
    bool written;

    read_plan(run, &cells, &problem);
    if (problem_is_set(&problem))
        errx(EXIT_FAILURE, "'%s': plan.csv %s", run->path, problem.text);
    read_cells(run, &cells);
    written = write_file(run, "engines.csv", &cells, engines_write_means);
    written = write_file(run, "engine-fits.csv", &cells, engines_write_fits) && written;
    written = write_file(run, "engine-differences.csv", &cells, engines_write_differences) && written;
    free_cells(&cells);
    return written;
}
