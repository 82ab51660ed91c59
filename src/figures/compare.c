#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "means.h"
#include "memory.h"
#include "number.h"

/* Names that are shorter than the columns', and those that have another column where the first is not there.
 */
static const struct {
    const char *name, *column, *otherwise;
} short_names[] = {
    {"total", "total_us", NULL},
    {"counted", "counted_us", NULL},
    {"slowdown_p50", "side_slowdown_p50_us", "slowdown_p50_us"},
    {"slowdown_p99", "side_slowdown_p99_us", "slowdown_p99_us"},
    {"memory", "memory_peak_bytes", NULL},
};

#define LOST "lost"
#define FAILED "cells_failed"

static const struct figure *find_figure(const char *name)
{
    for (size_t i = 0; i < figure_count; i++)
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}

/* NAME_overhead is NAME_us in % of an execution. */
static const struct figure *find_overhead(const char *name)
{
    const char *const suffix = "_overhead";
    size_t length = strlen(name);
    const struct figure *figure;
    char *column;

    if (length <= strlen(suffix) || strcmp(name + length - strlen(suffix), suffix) != 0)
        return NULL;
    column = memory_print("%.*s_us", (int)(length - strlen(suffix)), name);
    figure = find_figure(column);
    free(column);
    return figure && figure->overhead_of ? figure : NULL;
}

/* Of a rate, more is better. */
static bool can_be_compared(const struct figure *figure)
{
    return figure && figure->summary == SUMMARY_MEAN && figure->unit && strcmp(figure->unit, "1/s") != 0;
}

bool asked_find(struct asked *asked, const char *name)
{
    *asked = (struct asked){.name = name};
    if (strcmp(name, LOST) == 0 || strcmp(name, FAILED) == 0)
        return true;
    for (size_t i = 0; i < sizeof(short_names) / sizeof(*short_names); i++)
        if (strcmp(short_names[i].name, name) == 0) {
            asked->figure = find_figure(short_names[i].column);
            asked->otherwise = short_names[i].otherwise ? find_figure(short_names[i].otherwise) : NULL;
            return true;
        }
    asked->figure = find_overhead(name);
    asked->overhead = asked->figure;
    if (!asked->overhead)
        asked->figure = find_figure(name);
    return can_be_compared(asked->figure);
}

const char *verdict_words(enum verdict verdict)
{
    static const char *const words[] = {[VERDICT_NOT_COMPARABLE] = "not comparable",
                                        [VERDICT_NONE_SHOWN] = "no difference shown",
                                        [VERDICT_BETTER] = "better",
                                        [VERDICT_WORSE] = "worse"};

    return words[verdict];
}

char *comparison_column(const struct comparison *comparison)
{
    const char *name = comparison->figure ? comparison->figure->name : NULL;

    if (!name)
        return NULL;
    return comparison->overhead ? memory_print("%.*s_overhead", (int)(strlen(name) - strlen("_us")), name)
                                : memory_copy(name);
}

double comparison_value(const struct comparison *comparison, const struct cell *cell)
{
    double value = cell->numbers[comparison->figure - figures];

    return comparison->overhead ? 100 * value / cell_number(cell, comparison->figure->overhead_of) : value;
}

double comparison_shown(const struct comparison *comparison)
{
    return (comparison->difference.high - comparison->difference.low) / 2;
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->reason);
}

/* The first reason is the one that is told. */
static void give_up(struct comparison *comparison, char *reason)
{
    if (comparison->reason) {
        free(reason);
        return;
    }
    comparison->reason = reason;
    comparison->verdict = VERDICT_NOT_COMPARABLE;
}

static void judge(struct comparison *comparison)
{
    if (comparison->reason)
        return;
    if (!is_known(comparison->difference.low))
        give_up(comparison,
                memory_copy("no interval: of a single repetition, how much it scatters is not known"));
    else if (comparison->difference.low > 0)
        comparison->verdict = VERDICT_WORSE;
    else if (comparison->difference.high < 0)
        comparison->verdict = VERDICT_BETTER;
    else
        comparison->verdict = VERDICT_NONE_SHOWN;
}

/* Whatever the figure, nothing was measured, or not what was to be. */
static void check_row(struct comparison *comparison, const struct row *row, const char *side)
{
    if (row->counted.count == 0) {
        const char *status = cell_text(row->cells[0], "status"), *reason = cell_text(row->cells[0], "reason");

        give_up(comparison,
                memory_print("%s (%s) has no cell that went well: %s, %s", side, row->test,
                             status ? status : "unreadable", reason ? reason : "no reason given"));
    } else if (row_is_mostly(row, "saturated")) {
        give_up(comparison, memory_print("the host was saturated under %s (%s)", side, row->test));
    }
}

/* What was got by different methods is not the same figure. */
static void check_methods(struct comparison *comparison, const struct row *a, const struct row *b,
                          const struct figure *figure)
{
    const char *method_a, *method_b;

    if (!figure->alike)
        return;
    method_a = row_text(a, figure->alike);
    method_b = row_text(b, figure->alike);
    if (!method_a || !method_b || strcmp(method_a, method_b) != 0)
        give_up(comparison,
                memory_print("what is in the program was got by different methods: %s in A, %s in B",
                             method_a ? method_a : "several", method_b ? method_b : "several"));
}

static struct interval in_percent(struct interval share)
{
    return (struct interval){100 * share.value, 100 * share.low, 100 * share.high};
}

static struct interval mean_of(const struct comparison *comparison, const struct row *row)
{
    return comparison->overhead ? in_percent(row_share(row, comparison->figure))
                                : row_mean(row, comparison->figure);
}

static bool has_figure(const struct row *row, const struct figure *figure)
{
    return is_known(row_mean(row, figure).value);
}

/* Memory does not depend on how fast the machine is. */
static bool depends_on_the_machine(const struct figure *figure)
{
    return strncmp(figure->unit, "bytes", strlen("bytes")) != 0;
}

/* b - times * a, with what the runs have in all of their cells alike. */
static struct estimate contrast(const struct comparison *comparison, const struct row *a, const struct row *b,
                                double times, double between_runs)
{
    struct estimate estimate = comparison->overhead ? row_share_contrast(b, a, comparison->figure, times)
                                                    : row_contrast(b, a, comparison->figure, times);

    if (comparison->overhead) {
        estimate.value *= 100;
        estimate.variance *= 100 * 100;
    }
    if (a->perf == b->perf || !(between_runs > 0) || !depends_on_the_machine(comparison->figure))
        return estimate;
    return estimate_sum(
        estimate,
        estimate_error(between_runs * hypot(comparison->b.value, times * comparison->a.value) / sqrt(2)));
}

static struct interval ratio_of(const struct comparison *comparison, const struct row *a, const struct row *b,
                                double between_runs)
{
    double ratio = comparison->b.value / comparison->a.value;
    struct estimate left[3];

    if (!(comparison->a.value > 0))
        return (struct interval){UNKNOWN, UNKNOWN, UNKNOWN};
    for (int i = 0; i < 3; i++)
        left[i] = contrast(comparison, a, b, ratio + i - 1, between_runs);
    return interval_of_ratio(ratio, left);
}

static void compare_figure(struct comparison *comparison, const struct row *a, const struct row *b,
                           const struct asked *asked, double between_runs)
{
    const struct figure *figure = asked->figure;

    if (asked->otherwise && (!has_figure(a, figure) || !has_figure(b, figure)))
        figure = asked->otherwise;
    comparison->figure = figure;
    comparison->overhead = asked->overhead;
    comparison->unit = asked->overhead ? "% of an execution" : figure->unit;
    comparison->a = mean_of(comparison, a);
    comparison->b = mean_of(comparison, b);
    check_methods(comparison, a, b, figure);
    if (!is_known(comparison->a.value) || !is_known(comparison->b.value)) {
        give_up(comparison, memory_print("%s has no %s", is_known(comparison->a.value) ? "B" : "A",
                                         asked->overhead ? asked->name : figure->name));
        return;
    }
    comparison->difference = interval_of(contrast(comparison, a, b, 1, between_runs));
    comparison->ratio = ratio_of(comparison, a, b, between_runs);
    judge(comparison);
}

/* % of the executions of each cell. */
static struct estimate mean_loss(const struct row *row)
{
    double *shares = memory_new(row->cell_count, sizeof(*shares));
    struct estimate mean;
    size_t count = 0;

    for (size_t i = 0; i < row->cell_count; i++) {
        double share = 100 * cell_number(row->cells[i], LOST) / cell_number(row->cells[i], "launched");

        if (row->cells[i]->ok && is_known(share))
            shares[count++] = share;
    }
    mean = estimate_mean(shares, count);
    free(shares);
    return mean;
}

static struct count count_lost(const struct row *row)
{
    return (struct count){row_sum(row, LOST), row_sum(row, "launched")};
}

/* Cells in which the monitor could not be started, died, or was measured wrongly; what was not reached does
 * not count. */
static struct count count_failed(const struct row *row)
{
    struct count count = {0, 0};

    for (size_t i = 0; i < row->cell_count; i++) {
        const char *status = cell_text(row->cells[i], "status");
        bool failed = status && (strcmp(status, "failed") == 0 || strcmp(status, "not-ready") == 0);

        count.of += failed || row->cells[i]->ok;
        count.counted += failed;
    }
    return count;
}

/* Any where there was none is worse, and none where there were some is better: no interval is needed. */
static bool judge_counts(struct comparison *comparison)
{
    bool any_a = comparison->count_a.counted > 0, any_b = comparison->count_b.counted > 0;

    if (comparison->reason || (any_a && any_b))
        return false;
    comparison->verdict = any_b ? VERDICT_WORSE : any_a ? VERDICT_BETTER : VERDICT_NONE_SHOWN;
    return true;
}

static void set_counts(struct comparison *comparison, struct count a, struct count b)
{
    comparison->count_a = a;
    comparison->count_b = b;
    comparison->a.value = 100 * a.counted / a.of;
    comparison->b.value = 100 * b.counted / b.of;
    comparison->difference.value = comparison->b.value - comparison->a.value;
}

static void compare_lost(struct comparison *comparison, const struct row *a, const struct row *b)
{
    comparison->unit = "% of executions";
    set_counts(comparison, count_lost(a), count_lost(b));
    if (!is_known(comparison->difference.value))
        give_up(comparison, memory_print("%s does not tell which executions it recorded",
                                         is_known(comparison->a.value) ? "B" : "A"));
    if (judge_counts(comparison) || comparison->reason)
        return;
    comparison->a = interval_of(mean_loss(a));
    comparison->b = interval_of(mean_loss(b));
    comparison->difference = interval_of(estimate_minus(mean_loss(b), mean_loss(a)));
    judge(comparison);
}

static void compare_failed(struct comparison *comparison, const struct row *a, const struct row *b)
{
    comparison->unit = "% of cells";
    set_counts(comparison, count_failed(a), count_failed(b));
    if (!is_known(comparison->difference.value))
        give_up(comparison, memory_print("%s was not measured", is_known(comparison->a.value) ? "B" : "A"));
    if (!judge_counts(comparison) && !comparison->reason)
        give_up(comparison, memory_copy("cells failed in both"));
}

void comparison_make(struct comparison *comparison, const struct row *a, const struct row *b,
                     const struct asked *asked, double between_runs)
{
    const struct interval unknown = {UNKNOWN, UNKNOWN, UNKNOWN};
    const struct count nothing = {UNKNOWN, UNKNOWN};

    *comparison = (struct comparison){.a = unknown,
                                      .b = unknown,
                                      .count_a = nothing,
                                      .count_b = nothing,
                                      .difference = unknown,
                                      .ratio = unknown};
    if (!asked->figure && strcmp(asked->name, FAILED) == 0) {
        compare_failed(comparison, a, b);
        return;
    }
    check_row(comparison, a, "A");
    check_row(comparison, b, "B");
    if (asked->figure)
        compare_figure(comparison, a, b, asked, between_runs);
    else
        compare_lost(comparison, a, b);
}
