#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "means.h"
#include "memory.h"
#include "number.h"

#define SIGNIFICANT 0.05

/* Who loses more does less work, and is not compared with those that do all of it. */
#define MOST_LOST 0.001

/* Of two rows at a rate. */
struct difference {
    const struct row *a, *b;
    struct estimate estimate;
    double p; /* corrected for the number of pairs at the rate */
};

/* All of a figure, in the order of the rows; those that are not known are left out. */
struct differences {
    struct difference *list;
    size_t count;
};

struct ordered {
    double p;
    size_t index;
};

static int by_p(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;

    return (a->p > b->p) - (a->p < b->p);
}

void holm_correct(double *p, size_t count)
{
    struct ordered *ordered = memory_new(count + 1, sizeof(*ordered));
    double largest = 0;

    for (size_t i = 0; i < count; i++)
        ordered[i] = (struct ordered){p[i], i};
    if (count)
        qsort(ordered, count, sizeof(*ordered), by_p);
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fmin(1, (double)(count - i) * ordered[i].p));
        p[ordered[i].index] = largest;
    }
    free(ordered);
}

static bool is_at(const struct row *row, double rate)
{
    return fabs(row->rate - rate) <= 0;
}

/* The baseline is what the others are compared with already. */
static bool is_pair(const struct row *a, const struct row *b)
{
    return is_at(a, b->rate) && strcmp(a->test, BASELINE) != 0 && strcmp(b->test, BASELINE) != 0;
}

static void correct_at(struct differences *differences, double rate)
{
    double *p = memory_new(differences->count + 1, sizeof(*p));
    size_t count = 0;

    for (size_t i = 0; i < differences->count; i++)
        if (is_at(differences->list[i].a, rate))
            p[count++] = estimate_p(differences->list[i].estimate);
    holm_correct(p, count);
    count = 0;
    for (size_t i = 0; i < differences->count; i++)
        if (is_at(differences->list[i].a, rate))
            differences->list[i].p = p[count++];
    free(p);
}

static void correct(struct differences *differences)
{
    for (size_t i = 0; i < differences->count; i++)
        if (!is_known(differences->list[i].p))
            correct_at(differences, differences->list[i].a->rate);
}

/* In % of an execution, or in the figure's own unit. */
static void find_differences(struct differences *differences, const struct perf *perf,
                             const struct figure *figure, bool overhead)
{
    *differences =
        (struct differences){.list = memory_new(perf->count * perf->count + 1, sizeof(*differences->list))};
    for (size_t i = 0; i < perf->count; i++)
        for (size_t j = i + 1; j < perf->count; j++) {
            struct difference difference = {&perf->rows[i], &perf->rows[j], {0, 0, 0}, UNKNOWN};

            if (!is_pair(difference.a, difference.b))
                continue;
            difference.estimate = overhead ? row_share_contrast(difference.a, difference.b, figure, 1)
                                           : row_contrast(difference.a, difference.b, figure, 1);
            if (is_known(interval_of(difference.estimate).low))
                differences->list[differences->count++] = difference;
        }
    correct(differences);
}

static void write_differences(FILE *out, const struct perf *perf, const struct figure *figure, bool overhead)
{
    const double times = overhead ? 100 : 1;
    struct differences differences;

    find_differences(&differences, perf, figure, overhead);
    for (size_t i = 0; i < differences.count; i++) {
        const struct difference *difference = &differences.list[i];
        const struct interval interval = interval_of(difference->estimate);

        csv_write(out, difference->a->test);
        putc(',', out);
        csv_write(out, difference->b->test);
        csv_write_number(out, difference->a->rate);
        fprintf(out, ",%.*s%s", (int)(strlen(figure->name) - (overhead ? strlen("_us") : 0)), figure->name,
                overhead ? "_overhead" : "");
        csv_write_number(out, times * interval.value);
        csv_write_number(out, times * interval.low);
        csv_write_number(out, times * interval.high);
        fprintf(out, ",%.3g,%s\n", difference->p, difference->p < SIGNIFICANT ? "true" : "false");
    }
    free(differences.list);
}

void differences_write(FILE *out, const struct perf *perf)
{
    fputs("test_a,test_b,exec_per_sec,figure,difference,difference_low,difference_high,p,significant\n", out);
    for (size_t i = 0; i < figure_count; i++) {
        if (!figures[i].main)
            continue;
        write_differences(out, perf, &figures[i], false);
        if (figures[i].overhead_of)
            write_differences(out, perf, &figures[i], true);
    }
}

static bool is_in(const json_t *names, const char *wanted)
{
    json_t *name;
    size_t i;

    json_array_foreach(names, i, name)
    {
        if (json_is_string(name) && strcmp(json_string_value(name), wanted) == 0)
            return true;
    }
    return false;
}

/* Whether most of the cells had no idle time, so that they have no total. */
static bool is_mostly_marked(const struct cell **cells, size_t count)
{
    size_t marked = 0;

    for (size_t i = 0; i < count; i++) {
        const char *marks = cell_text(cells[i], "marks");

        marked += marks && strstr(marks, "no-idle-time");
    }
    return marked * 2 > count;
}

/* Why a row is not ranked, which the caller frees; NULL if it is. */
static char *why_apart(const struct row *row, const json_t *references)
{
    const double lost = row_sum(row, "lost") / row_sum(row, "launched");

    if (is_in(references, row->test))
        return memory_copy("a reference, not a product");
    if (row_is_mostly(row, "saturated"))
        return memory_copy("the host was saturated");
    if (!is_known(lost))
        return memory_copy("what it recorded is not known");
    if (lost > MOST_LOST)
        return memory_print("lost %.2g %% of the executions", 100 * lost);
    if (is_mostly_marked(row->counted.list, row->counted.count) ||
        is_mostly_marked(row->baseline->cells, row->baseline->count))
        return memory_copy("the host had no idle time: how much more it is busy does not tell the total");
    if (!is_known(row_mean(row, &figures[figure_index("total_us")]).low))
        return memory_copy("its total has no interval");
    return NULL;
}

/* Of each row of perf. */
static char **find_why_apart(const struct perf *perf, const json_t *references)
{
    char **apart = memory_new(perf->count + 1, sizeof(*apart));

    for (size_t i = 0; i < perf->count; i++)
        apart[i] = why_apart(&perf->rows[i], references);
    return apart;
}

/* How many of the ranked rows cost significantly less than that one, or, with sign -1, more. */
static size_t count_beyond(const struct differences *differences, const struct row *row, double sign,
                           char *const *apart)
{
    size_t count = 0;

    for (size_t i = 0; i < differences->count; i++) {
        const struct difference *difference = &differences->list[i];
        const struct row *other = difference->a == row ? difference->b : difference->a;
        const double more = difference->a == row ? difference->estimate.value : -difference->estimate.value;

        count += (difference->a == row || difference->b == row) && difference->p < SIGNIFICANT &&
                 sign * more > 0 && !apart[other - row->perf->rows];
    }
    return count;
}

static size_t count_ranked(const struct perf *perf, double rate, char *const *apart)
{
    size_t count = 0;

    for (size_t i = 0; i < perf->count; i++)
        count += is_at(&perf->rows[i], rate) && strcmp(perf->rows[i].test, BASELINE) != 0 && !apart[i];
    return count;
}

static void write_rank(FILE *out, const struct row *row, const struct differences *differences,
                       char *const *apart)
{
    const char *why = apart[row - row->perf->rows];

    csv_write(out, row->test);
    csv_write_number(out, row->rate);
    if (why) {
        fputs(",,,", out);
        csv_write(out, why);
    } else {
        csv_write_number(out, 1 + (double)count_beyond(differences, row, 1, apart));
        csv_write_number(out, (double)(count_ranked(row->perf, row->rate, apart) -
                                       count_beyond(differences, row, -1, apart)));
        putc(',', out);
    }
    putc('\n', out);
}

void ranks_write(FILE *out, const struct perf *perf, const json_t *references)
{
    char **apart = find_why_apart(perf, references);
    struct differences differences;

    find_differences(&differences, perf, &figures[figure_index("total_us")], false);
    fputs("test,exec_per_sec,best,worst,apart\n", out);
    for (size_t i = 0; i < perf->count; i++)
        if (perf->rows[i].rate > 0 && strcmp(perf->rows[i].test, BASELINE) != 0 &&
            perf->rows[i].counted.count)
            write_rank(out, &perf->rows[i], &differences, apart);
    for (size_t i = 0; i < perf->count; i++)
        free(apart[i]);
    free(apart);
    free(differences.list);
}
