#include "perf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"

static struct row *find_row(struct perf *perf, const struct cell *cell)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, cell->planned.monitor) == 0 &&
            fabs(perf->rows[i].rate - cell->planned.rate) <= 0)
            return &perf->rows[i];
    return NULL;
}

static int by_monitor_and_rate(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = strcmp(a->test, b->test);

    return order ? order : (a->rate > b->rate) - (a->rate < b->rate);
}

static void choose_counted(struct row *row)
{
    row->counted.list = memory_new(row->cell_count, sizeof(*row->counted.list));
    for (size_t i = 0; i < row->cell_count; i++)
        if (choices_count(&row->perf->choices, row->cells[i]))
            row->counted.list[row->counted.count++] = row->cells[i];
}

static bool any_has(const struct cells *cells, size_t figure)
{
    for (size_t i = 0; i < cells->count; i++)
        if (is_known(cells->list[i]->numbers[figure]))
            return true;
    return false;
}

/* Whether a cell lacks no part of a total that others of its row have. */
static bool is_complete(const struct cells *cells, const struct cell *cell)
{
    for (size_t figure = 0; figure < figure_count; figure++)
        if (figures[figure].part && !is_known(cell->numbers[figure]) && any_has(cells, figure))
            return false;
    return true;
}

static void choose_complete(struct row *row)
{
    row->complete.list = memory_new(row->counted.count, sizeof(*row->complete.list));
    for (size_t i = 0; i < row->counted.count; i++)
        if (is_complete(&row->counted, row->counted.list[i]))
            row->complete.list[row->complete.count++] = row->counted.list[i];
}

const struct cells *row_cells(const struct row *row, const struct figure *figure)
{
    return figure->part && row->complete.count ? &row->complete : &row->counted;
}

void perf_make(struct perf *perf, const struct cell *cells, size_t count)
{
    *perf = (struct perf){.rows = memory_new(count, sizeof(*perf->rows)),
                          .moderations = {memory_new(figure_count, sizeof(*perf->moderations[0])),
                                          memory_new(figure_count, sizeof(*perf->moderations[1]))}};
    choices_make(&perf->choices, cells, count);
    for (size_t i = 0; i < count; i++) {
        struct row *row = find_row(perf, &cells[i]);

        if (!choices_have(&perf->choices, &cells[i]))
            continue;
        if (!row) {
            row = &perf->rows[perf->count++];
            *row = (struct row){.perf = perf,
                                .test = cells[i].planned.monitor,
                                .rate = cells[i].planned.rate,
                                .cells = memory_new(count, sizeof(*row->cells))};
        }
        row->cells[row->cell_count++] = &cells[i];
    }
    qsort(perf->rows, perf->count, sizeof(*perf->rows), by_monitor_and_rate);
    baselines_find(&perf->baselines, &perf->choices, cells, count);
    for (size_t i = 0; i < perf->count; i++) {
        choose_counted(&perf->rows[i]);
        choose_complete(&perf->rows[i]);
        perf->rows[i].baseline = baseline_at(&perf->baselines, perf->rows[i].rate);
    }
}

void perf_free(struct perf *perf)
{
    for (size_t i = 0; i < perf->count; i++) {
        free(perf->rows[i].cells);
        free(perf->rows[i].counted.list);
        free(perf->rows[i].complete.list);
    }
    for (int i = 0; i < 2; i++) {
        for (size_t figure = 0; figure < figure_count; figure++)
            free(perf->moderations[i][figure]);
        free(perf->moderations[i]);
    }
    free(perf->rows);
    baselines_free(&perf->baselines);
    choices_free(&perf->choices);
}

const char *row_text(const struct row *row, const char *figure)
{
    size_t index = figure_index(figure);
    const char *text = row->counted.count ? row->counted.list[0]->texts[index] : NULL;

    for (size_t i = 1; text && i < row->counted.count; i++)
        if (!row->counted.list[i]->texts[index] || strcmp(row->counted.list[i]->texts[index], text) != 0)
            return NULL;
    return text;
}

size_t row_count_true(const struct row *row, const char *figure)
{
    size_t count = 0;

    for (size_t i = 0; i < row->counted.count; i++)
        count += cell_number(row->counted.list[i], figure) > 0;
    return count;
}

bool row_is_mostly(const struct row *row, const char *figure)
{
    return row_count_true(row, figure) * 2 > row->counted.count;
}

double row_sum(const struct row *row, const char *figure)
{
    double sum = UNKNOWN;

    for (size_t i = 0; i < row->cell_count; i++) {
        double number = row->cells[i]->ok ? cell_number(row->cells[i], figure) : UNKNOWN;

        if (is_known(number))
            sum = is_known(sum) ? sum + number : number;
    }
    return sum;
}

/* Without the build. What was attached to, as unit:NAME, has none, but may have an @ in its name. */
static size_t monitor_length(const char *test)
{
    return strchr(test, ':') ? strlen(test) : strcspn(test, "@");
}

bool rows_are_of_one_monitor(const struct row *a, const struct row *b)
{
    size_t length = monitor_length(a->test);

    return monitor_length(b->test) == length && strncmp(a->test, b->test, length) == 0;
}
