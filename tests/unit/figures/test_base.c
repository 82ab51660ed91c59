/* What cells are compared with, and the rows that they become. */
#include "../unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/base.h"
#include "../../../src/figures/means.h"
#include "../../../src/figures/memory.h"
#include "../../../src/figures/perf.h"
#include "numbers.h"

static void cell_make(struct cell *cell, double number, const char *monitor, double rate, double busy_us)
{
    const struct planned planned = {
        .cell = number, .rep = 1, .turn = 1, .rate = rate, .monitor = memory_copy(monitor)};

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_number(cell, "host_busy_us", busy_us);
}

static void set_status(struct cell *cell, const char *status)
{
    cell->ok = strcmp(status, "ok") == 0;
    cell_set_text(cell, "status", memory_copy(status));
}

static void cells_free(struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cell_free(&cells[i]);
}

/* 1 and 2 cells away: weights exp(-1 / 20) and exp(-2 / 20). */
static void nearer_cells_of_the_baseline_count_more(void **state)
{
    struct cell cells[3];
    const double near = exp(-0.05), far = exp(-0.1);

    (void)state;
    cell_make(&cells[0], 1, BASELINE, 100, 1000);
    cell_make(&cells[1], 2, "auditd", 100, 1500);
    cell_make(&cells[2], 4, BASELINE, 100, 1200);
    cells_derive(cells, 3);
    assert_number(cell_number(&cells[1], "total_us"), 1500 - (near * 1000 + far * 1200) / (near + far),
                  0.0006);
    /* As it is written, to three decimals. */
    assert_number(cell_number(&cells[1], "total_us"), round(cell_number(&cells[1], "total_us") * 1000) / 1000,
                  0);
    cells_free(cells, 3);
}

/* One cell alone is compared with itself. */
static void baseline_is_compared_with_its_others(void **state)
{
    struct cell cells[3];

    (void)state;
    cell_make(&cells[0], 1, BASELINE, 100, 1000);
    cell_make(&cells[1], 2, BASELINE, 100, 1100);
    cell_make(&cells[2], 3, BASELINE, 200, 700);
    cells_derive(cells, 3);
    assert_number(cell_number(&cells[0], "total_us"), -100, 0);
    assert_number(cell_number(&cells[1], "total_us"), 100, 0);
    assert_number(cell_number(&cells[2], "total_us"), 0, 0);
    cells_free(cells, 3);
}

static void cells_of_another_rate_or_that_failed_are_no_baseline(void **state)
{
    struct cell cells[3];

    (void)state;
    cell_make(&cells[0], 1, BASELINE, 200, 1000);
    cell_make(&cells[1], 2, "auditd", 100, 1500);
    cell_make(&cells[2], 3, BASELINE, 100, 1200);
    cells[2].ok = false;
    cells_derive(cells, 3);
    assert_true(isnan(cell_number(&cells[1], "total_us")));
    cells_free(cells, 3);
}

static void cells_of_an_unfinished_pass_are_no_baseline(void **state)
{
    struct cell cells[4];

    (void)state;
    cell_make(&cells[0], 1, BASELINE, 100, 1000);
    cell_make(&cells[1], 2, "auditd", 100, 1500);
    cell_make(&cells[2], 3, BASELINE, 100, 9000);
    cell_make(&cells[3], 4, "auditd", 100, 1500);
    cells[2].planned.rep = cells[3].planned.rep = 2;
    set_status(&cells[3], "not-run");
    cells_derive(cells, 4);
    assert_number(cell_number(&cells[1], "total_us"), 500, 0);
    assert_number(cell_number(&cells[2], "in_means"), 0, 0);
    set_status(&cells[3], "ok");
    cells_derive(cells, 4);
    assert_true(cell_number(&cells[1], "total_us") < -2000);
    cells_free(cells, 4);
}

static const struct row *find_row(const struct perf *perf, const char *test)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, test) == 0)
            return &perf->rows[i];
    fail_msg("no row of %s", test);
    return NULL;
}

/* Half the width of the interval of two cells that are 1450 and 1650, between two of the baseline, so far
 * apart. */
static double reach_above(double baseline_difference)
{
    struct cell cells[4];
    struct interval mean;
    struct perf perf;

    cell_make(&cells[0], 1, BASELINE, 100, 1050 - baseline_difference / 2);
    cell_make(&cells[1], 2, "auditd", 100, 1450);
    cell_make(&cells[2], 3, "auditd", 100, 1650);
    cell_make(&cells[3], 4, BASELINE, 100, 1050 + baseline_difference / 2);
    cells_derive(cells, 4);
    perf_make(&perf, cells, 4);
    mean = row_mean(find_row(&perf, "auditd"), &figures[figure_index("total_us")]);
    assert_number(mean.value, 500, 0.001);
    assert_number(mean.high - mean.value, mean.value - mean.low, 1e-9);
    perf_free(&perf);
    cells_free(cells, 4);
    return mean.high - mean.value;
}

/* Without an error of the baseline: R, qt(0.975, 1) * 100. With cells of it that are 100 apart, it is told
 * with a variance of 5000 from two cells, weights 0.5125 and 0.4875, and the differences are 401.25 and
 * 598.75: their mean's variance is 9751.5625, the hidden part 2498.4382, R: qt(0.975, 1.252072) *
 * sqrt(9751.5625 + 2498.4382). */
static void interval_has_the_error_of_the_baseline(void **state)
{
    (void)state;
    assert_number(reach_above(0), 1270.62047, 0.001);
    assert_number(reach_above(100), 885.92247, 0.01);
}

static void rows_are_of_whole_passes(void **state)
{
    const struct figure *busy = &figures[figure_index("host_busy_us")];
    struct cell cells[3];
    struct perf perf;

    (void)state;
    cell_make(&cells[0], 1, "auditd", 100, 1000);
    cell_make(&cells[1], 2, "auditd", 100, 9000);
    cell_make(&cells[2], 3, "falco", 100, 2000);
    cells[1].planned.rep = cells[2].planned.rep = 2;
    set_status(&cells[2], "not-run");
    perf_make(&perf, cells, 3);
    assert_int_equal(perf.count, 1);
    assert_int_equal(perf.rows[0].cell_count, 1);
    assert_number(row_mean(&perf.rows[0], busy).value, 1000, 0);
    perf_free(&perf);
    set_status(&cells[2], "ok");
    perf_make(&perf, cells, 3);
    assert_int_equal(perf.count, 2);
    assert_number(row_mean(&perf.rows[0], busy).value, 5000, 0);
    perf_free(&perf);
    cells_free(cells, 3);
}

/* Each is told from the other two. R: qt(0.975, 2) * sd / sqrt(3), with no error of what they were told from
 * added to it. */
static void row_of_the_baseline_has_its_own_scatter(void **state)
{
    const double near = exp(-0.05), far = exp(-0.1);
    const double first = 1000 - (near * 1100 + far * 1200) / (near + far);
    struct cell cells[3];
    struct interval mean;
    struct perf perf;

    (void)state;
    for (int i = 0; i < 3; i++)
        cell_make(&cells[i], i + 1, BASELINE, 100, 1000 + 100 * i);
    cells_derive(cells, 3);
    perf_make(&perf, cells, 3);
    mean = row_mean(&perf.rows[0], &figures[figure_index("total_us")]);
    assert_number(mean.value, 0, 1e-9);
    assert_number(mean.high, 4.30265272975 * -first / sqrt(3), 0.01);
    perf_free(&perf);
    cells_free(cells, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearer_cells_of_the_baseline_count_more),
        cmocka_unit_test(baseline_is_compared_with_its_others),
        cmocka_unit_test(cells_of_another_rate_or_that_failed_are_no_baseline),
        cmocka_unit_test(cells_of_an_unfinished_pass_are_no_baseline),
        cmocka_unit_test(interval_has_the_error_of_the_baseline),
        cmocka_unit_test(rows_are_of_whole_passes),
        cmocka_unit_test(row_of_the_baseline_has_its_own_scatter),
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
