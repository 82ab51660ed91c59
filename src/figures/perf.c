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
    row->counted = memory_new(row->cell_count, sizeof(*row->counted));
    for (size_t i = 0; i < row->cell_count; i++)
        if (choices_count(&row->perf->choices, row->cells[i]))
            row->counted[row->counted_count++] = row->cells[i];
}

void perf_make(struct perf *perf, const struct cell *cells, size_t count)
{
    *perf = (struct perf){.rows = memory_new(count, sizeof(*perf->rows)),
                          .share_moderations = memory_new(figure_count, sizeof(*perf->share_moderations))};
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
        perf->rows[i].baseline = baseline_at(&perf->baselines, perf->rows[i].rate);
    }
}

void perf_free(struct perf *perf)
{
    for (size_t i = 0; i < perf->count; i++) {
        free(perf->rows[i].cells);
        free(perf->rows[i].counted);
    }
    for (size_t i = 0; i < figure_count; i++)
        free(perf->share_moderations[i]);
    free(perf->share_moderations);
    free(perf->rows);
    baselines_free(&perf->baselines);
    choices_free(&perf->choices);
}

const char *row_text(const struct row *row, const char *figure)
{
    size_t index = figure_index(figure);
    const char *text = row->counted_count ? row->counted[0]->texts[index] : NULL;

    for (size_t i = 1; text && i < row->counted_count; i++)
        if (!row->counted[i]->texts[index] || strcmp(row->counted[i]->texts[index], text) != 0)
            return NULL;
    return text;
}

size_t row_count_true(const struct row *row, const char *figure)
{
    size_t count = 0;

    for (size_t i = 0; i < row->counted_count; i++)
        count += cell_number(row->counted[i], figure) > 0;
    return count;
}

bool row_is_mostly(const struct row *row, const char *figure)
{
    return row_count_true(row, figure) * 2 > row->counted_count;
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
