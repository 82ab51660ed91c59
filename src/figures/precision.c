#include "precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "means.h"
#include "memory.h"
#include "number.h"

/* As good as any: what is cheap need not be known to a small share of it. */
#define ALWAYS_ENOUGH_US 5

static bool is_wanted(const struct row *row)
{
    return row->rate > 0 && strcmp(row->test, BASELINE) != 0 && !row_is_mostly(row, "saturated");
}

static struct precision precision_of(const struct row *row, double percent)
{
    const struct figure *figure = &figures[figure_index("counted_us")];
    const struct interval counted = row_mean(row, figure), share = row_share(row, figure);
    struct precision precision = {.row = row, .counted_us = counted.value};

    /* For as long as the machine is slower, both the monitor and the execution cost more. */
    precision.half_width_us =
        is_known(share.low)
            ? (share.high - share.low) / 2 * row_mean(row, &figures[figure_index("execution_us")]).value
            : (counted.high - counted.low) / 2;
    precision.allowed_us = fmax(ALWAYS_ENOUGH_US, percent / 100 * fabs(counted.value));
    precision.known = precision.half_width_us <= precision.allowed_us;
    return precision;
}

static double excess(const struct precision *precision)
{
    return is_known(precision->half_width_us) ? precision->half_width_us / precision->allowed_us : INFINITY;
}

/* Of the rows of a monitor, which are next to each other. */
static void judge_monitor(struct precision *rows, size_t count)
{
    double widest = 0;

    for (size_t i = 0; i < count; i++)
        widest = fmax(widest, excess(&rows[i]));
    for (size_t i = 0; i < count; i++)
        rows[i].widest = widest;
}

static int by_width(const void *left, const void *right)
{
    const struct precision *a = left, *b = right;
    int order = (a->widest < b->widest) - (a->widest > b->widest);

    order = order ? order : strcmp(a->row->test, b->row->test);
    return order ? order : (a->row->rate > b->row->rate) - (a->row->rate < b->row->rate);
}

struct precision *precision_make(const struct perf *perf, double percent, size_t *count)
{
    struct precision *list = memory_new(perf->count, sizeof(*list));

    *count = 0;
    for (size_t i = 0; i < perf->count; i++) {
        const struct precision precision = precision_of(&perf->rows[i], percent);

        if (is_wanted(&perf->rows[i]) && is_known(precision.counted_us))
            list[(*count)++] = precision;
    }
    for (size_t first = 0, end; first < *count; first = end) {
        for (end = first + 1; end < *count && strcmp(list[end].row->test, list[first].row->test) == 0;)
            end++;
        judge_monitor(list + first, end - first);
    }
    if (*count)
        qsort(list, *count, sizeof(*list), by_width);
    return list;
}

void precision_write(FILE *out, const struct perf *perf, double percent)
{
    size_t count;
    struct precision *list = precision_make(perf, percent, &count);

    fputs("test,exec_per_sec,counted_us,half_width_us,allowed_us,known\n", out);
    for (size_t i = 0; i < count; i++) {
        csv_write(out, list[i].row->test);
        csv_write_number(out, list[i].row->rate);
        csv_write_number(out, list[i].counted_us);
        csv_write_number(out, list[i].half_width_us);
        csv_write_number(out, list[i].allowed_us);
        fprintf(out, ",%s\n", list[i].known ? "true" : "false");
    }
    free(list);
}
