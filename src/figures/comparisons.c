#include "comparisons.h"

#include <err.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../common/usage.h"
#include "compare.h"
#include "means.h"
#include "memory.h"
#include "number.h"
#include "run.h"

#define MOST_FIGURES 32

/* A run that is compared. Both sides may be of one. */
struct compared_run {
    struct run run;
    struct perf perf;
};

static bool are_the_same(const char *path_a, const char *path_b)
{
    char a[PATH_MAX], b[PATH_MAX];

    return realpath(path_a, a) && realpath(path_b, b) && strcmp(a, b) == 0;
}

static void run_open_compared(struct compared_run *side, const char *path)
{
    run_open(&side->run, path);
    if (run_is_saturation(&side->run))
        errx(EXIT_USAGE, "'%s' is a run of exectax saturate, expected one of exectax sweep or rules", path);
    run_read_cells(&side->run);
    perf_make(&side->perf, side->run.cells, side->run.cell_count);
}

static void run_close_compared(struct compared_run *side)
{
    perf_free(&side->perf);
    run_close(&side->run);
}

static bool is_selected(const char *test, const char *wanted)
{
    const char *build = strchr(test, '@');

    if (!wanted)
        return strcmp(test, BASELINE) != 0;
    if (*wanted == '@')
        return build && strcmp(build, wanted) == 0;
    return strcmp(test, wanted) == 0;
}

static void check_selection(const struct compared_run *side, const char *wanted)
{
    for (size_t i = 0; i < side->perf.count; i++)
        if (is_selected(side->perf.rows[i].test, wanted))
            return;
    errx(EXIT_USAGE, "'%s' has no monitor '%s', expected one of those in its perf.csv", side->run.path,
         wanted ? wanted : "other than none");
}

/* Of one run, two of its monitors or builds. */
static void check_sides(const struct comparisons *comparisons)
{
    const char *a = comparisons->test_a, *b = comparisons->test_b;

    if (!a || !b || strcmp(a, b) == 0)
        errx(EXIT_USAGE, "'%s' is compared with itself, expected two monitors or builds of it, or two runs",
             comparisons->run_a);
}

static bool is_build(const char *wanted)
{
    return wanted && *wanted == '@';
}

/* Whether rows of two sides belong together. Of two monitors that were asked for by name they do, whatever
 * they are. */
static bool are_counterparts(const struct row *a, const char *wanted_a, const struct row *b,
                             const char *wanted_b)
{
    if (fabs(a->rate - b->rate) > 0 || !is_selected(a->test, wanted_a) || !is_selected(b->test, wanted_b))
        return false;
    if (is_build(wanted_a) || is_build(wanted_b))
        return rows_are_of_one_monitor(a, b);
    return (wanted_a && wanted_b) || strcmp(a->test, b->test) == 0;
}

static json_t *number(double value)
{
    return is_known(value) ? json_real(number_round(value)) : json_null();
}

/* Ratios are near 1, so three decimals are too few. */
static json_t *ratio_number(double value)
{
    return is_known(value) ? json_real(round(value * 1e5) / 1e5) : json_null();
}

static json_t *interval_json(struct interval interval, json_t *(*of)(double))
{
    return json_pack("{so so so}", "value", of(interval.value), "low", of(interval.low), "high",
                     of(interval.high));
}

/* What each cell that counts has. */
static json_t *values_json(const struct row *row, const struct comparison *comparison)
{
    json_t *values = json_array();

    for (size_t i = 0; comparison->figure && i < row->counted.count; i++) {
        double value = comparison_value(comparison, row->counted.list[i]);

        if (is_known(value))
            json_array_append_new(values, number(value));
    }
    return values;
}

static json_t *row_json(const struct row *row, const struct comparison *comparison, struct interval mean,
                        struct count count)
{
    json_t *json = interval_json(mean, number);

    json_object_set_new(json, "test", json_string(row->test));
    json_object_set_new(json, "reps", json_integer((json_int_t)row->counted.count));
    json_object_set_new(json, "count", number(count.counted));
    json_object_set_new(json, "of", number(count.of));
    json_object_set_new(json, "values", values_json(row, comparison));
    return json;
}

/* At rest nothing is executed, and most figures are of executions. */
static bool is_of_nothing(const struct row *a, const struct comparison *comparison)
{
    return a->rate <= 0 && !is_known(comparison->a.value) && !is_known(comparison->b.value);
}

/* NULL, which no list takes: there is nothing to compare. */
static json_t *comparison_json(const struct row *a, const struct row *b, const struct asked *asked,
                               double between_runs)
{
    struct comparison comparison;
    char *column;
    json_t *json;

    comparison_make(&comparison, a, b, asked, between_runs);
    if (is_of_nothing(a, &comparison)) {
        comparison_free(&comparison);
        return NULL;
    }
    column = comparison_column(&comparison);
    json = json_pack("{ss ss? ss sf so so so so so ss ss?}", "figure", asked->name, "column", column, "unit",
                     comparison.unit, "exec_per_sec", a->rate, "a",
                     row_json(a, &comparison, comparison.a, comparison.count_a), "b",
                     row_json(b, &comparison, comparison.b, comparison.count_b), "difference",
                     interval_json(comparison.difference, number), "ratio",
                     interval_json(comparison.ratio, ratio_number), "smallest_shown",
                     number(comparison_shown(&comparison)), "verdict", verdict_words(comparison.verdict),
                     "reason", comparison.reason);
    free(column);
    comparison_free(&comparison);
    return json;
}

static size_t find_asked(struct asked asked[MOST_FIGURES], char *names)
{
    size_t count = 0;
    char *rest = NULL;

    for (char *name = strtok_r(names, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        if (count == MOST_FIGURES)
            errx(EXIT_USAGE, "--figures: expected at most %d", MOST_FIGURES);
        if (!asked_find(&asked[count++], name))
            errx(EXIT_USAGE,
                 "--figures: there is no figure '%s' that can be compared, expected total_overhead, total, "
                 "counted_overhead, counted, cpu, lost, cells_failed, slowdown_p50, slowdown_p99, memory, or "
                 "a column of "
                 "perf.csv that has an interval",
                 name);
    }
    if (count == 0)
        errx(EXIT_USAGE, "--figures is empty, expected names such as counted,cpu,lost");
    return count;
}

/* What one side has and the other has not, as monitor and rate. */
static json_t *alone_json(const struct compared_run *side, const char *wanted,
                          const struct compared_run *other, const char *other_wanted, bool is_a)
{
    json_t *alone = json_array();

    for (size_t i = 0; i < side->perf.count; i++) {
        const struct row *row = &side->perf.rows[i];
        bool found = false;

        if (!is_selected(row->test, wanted))
            continue;
        for (size_t j = 0; j < other->perf.count && !found; j++)
            found = is_a ? are_counterparts(row, wanted, &other->perf.rows[j], other_wanted)
                         : are_counterparts(&other->perf.rows[j], other_wanted, row, wanted);
        if (!found)
            json_array_append_new(alone, json_pack("{ss sf}", "test", row->test, "exec_per_sec", row->rate));
    }
    return alone;
}

/* What an execution costs without a monitor, at each rate: whether the machine was the same. */
static json_t *baselines_json(const struct compared_run *side)
{
    const struct figure *figure = &figures[figure_index("baseline_us")];
    json_t *list = json_array();

    for (size_t i = 0; i < side->perf.count; i++)
        if (side->perf.rows[i].rate > 0 && strcmp(side->perf.rows[i].test, BASELINE) == 0) {
            json_t *mean = interval_json(row_mean(&side->perf.rows[i], figure), number);

            json_object_set_new(mean, "exec_per_sec", json_real(side->perf.rows[i].rate));
            json_array_append_new(list, mean);
        }
    return list;
}

static json_t *all_json(const struct compared_run *a, const struct compared_run *b,
                        const struct comparisons *comparisons, const struct asked *asked, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < a->perf.count; i++)
        for (size_t j = 0; j < b->perf.count; j++)
            if (are_counterparts(&a->perf.rows[i], comparisons->test_a, &b->perf.rows[j],
                                 comparisons->test_b))
                for (size_t k = 0; k < count; k++)
                    json_array_append_new(list, comparison_json(&a->perf.rows[i], &b->perf.rows[j], &asked[k],
                                                                comparisons->between_runs));
    return json_pack("{sb sf so so so so so}", "one_run", a == b, "between_runs_percent",
                     a == b ? 0 : 100 * comparisons->between_runs, "comparisons", list, "only_a",
                     alone_json(a, comparisons->test_a, b, comparisons->test_b, true), "only_b",
                     alone_json(b, comparisons->test_b, a, comparisons->test_a, false), "baseline_a",
                     baselines_json(a), "baseline_b", baselines_json(b));
}

bool comparisons_write(FILE *out, const struct comparisons *comparisons)
{
    bool one_run = are_the_same(comparisons->run_a, comparisons->run_b), whole;
    struct compared_run sides[2], *a = &sides[0], *b = one_run ? a : &sides[1];
    char *names = memory_copy(comparisons->figures);
    struct asked asked[MOST_FIGURES];
    size_t count = find_asked(asked, names);
    json_t *all;

    if (one_run)
        check_sides(comparisons);
    run_open_compared(a, comparisons->run_a);
    if (!one_run)
        run_open_compared(b, comparisons->run_b);
    check_selection(a, comparisons->test_a);
    check_selection(b, comparisons->test_b);
    all = all_json(a, b, comparisons, asked, count);
    whole = a->run.problems == 0 && b->run.problems == 0;
    json_dumpf(all, out, JSON_INDENT(2));
    putc('\n', out);
    json_decref(all);
    free(names);
    run_close_compared(a);
    if (!one_run)
        run_close_compared(b);
    if (fflush(out) == 0 && !ferror(out))
        return whole;
    warn("cannot write to stdout");
    return false;
}
