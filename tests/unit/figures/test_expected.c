/* What is expected of how a row's cells scatter. */
#include "../unit.h"

#include <math.h>

#include "../../../src/figures/expected.h"
#include "../../../src/figures/means.h"
#include "../../../src/figures/memory.h"
#include "../../../src/figures/number.h"
#include "numbers.h"

static void variances_that_are_alike_have_the_degrees_of_a_line(void **state)
{
    const struct rate_variance variances[] = {
        {100, 4e-4, 2}, {200, 4e-4, 2}, {400, 4e-4, 2}, {800, 4e-4, 2}, {1600, 4e-4, 2}};

    static const double degrees[] = {10.0 / 3, 20.0 / 3, 10, 20.0 / 3, 10.0 / 3};

    (void)state;
    /* Leverages of a line through five points in a row: 3/5, 3/10 and 1/5; over two degrees of freedom each.
     */
    for (int i = 0; i < 5; i++) {
        const struct moderation at = variance_at(variances, 5, variances[i].rate);

        assert_number(at.variance, 4e-4, 1e-12);
        assert_number(at.degrees, degrees[i], 1e-6);
    }
}

static void two_rates_tell_of_themselves(void **state)
{
    const struct rate_variance variances[] = {{100, 9e-4, 1}, {400, 1e-4, 3}};

    (void)state;
    assert_number(variance_at(variances, 2, 100).variance, 9e-4, 1e-9);
    assert_number(variance_at(variances, 2, 100).degrees, 1, 1e-6);
    assert_number(variance_at(variances, 2, 400).variance, 1e-4, 1e-9);
    assert_number(variance_at(variances, 2, 400).degrees, 3, 1e-6);
}

/* At each rate, the sum of degrees * (variance / line - 1) is zero, and so is that times the logarithm of the
 * rate: the most likely line through gamma variates. */
static void the_line_is_the_most_likely_one(void **state)
{
    const struct rate_variance variances[] = {
        {100, 9e-4, 1}, {200, 1e-5, 3}, {400, 6e-4, 2}, {0, UNKNOWN, 0}};
    double sum = 0, moment = 0;

    (void)state;
    for (int i = 0; i < 3; i++) {
        const double off =
            variances[i].degrees *
            (variances[i].variance / variance_at(variances, 4, variances[i].rate).variance - 1);

        sum += off;
        moment += off * log(variances[i].rate);
    }
    assert_number(sum, 0, 1e-6);
    assert_number(moment, 0, 1e-6);
}

static void nothing_tells_nothing(void **state)
{
    const struct rate_variance variances[] = {{100, UNKNOWN, 0}};

    (void)state;
    assert_number(variance_at(variances, 1, 100).degrees, 0, 0);
    assert_number(variance_at(variances, 0, 100).degrees, 0, 0);
}

static struct cell cells[4];

static struct cell *make(int place, const char *monitor, double child_us, double parent_us, double busy_us)
{
    const struct planned planned = {
        .cell = place + 1, .rep = 1, .turn = 1, .rate = 100, .monitor = memory_copy(monitor)};
    struct cell *cell = &cells[place];

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "inprogram_method", memory_copy("side-by-side"));
    cell_set_number(cell, "child_cpu_mean_us", child_us);
    cell_set_number(cell, "parent_cpu_us", parent_us);
    cell_set_number(cell, "host_busy_us", busy_us);
    return cell;
}

/* 980 and 1020 µs without a monitor are told from each other by 40: s² is 800. */
static void a_cell_scatters_as_one_of_the_baseline_and_more_as_it_costs_more(void **state)
{
    struct perf perf;
    const struct row *row;

    (void)state;
    make(0, BASELINE, 880, 100, 1350);
    cell_set_number(make(1, "auditd", 900, 100, 1500), "program_error_us", 30);
    make(2, BASELINE, 915, 105, 1450);
    perf_make(&perf, cells, 3);
    row = &perf.rows[0];
    assert_string_equal(row->test, "auditd");
    assert_number(expected_of(row, &figures[figure_index("daemon_us")], 0.25, 1000).variance,
                  8e-4 * 1.25 * 1.25, 1e-12);
    assert_number(expected_of(row, &figures[figure_index("daemon_us")], 0.25, 1000).degrees, 10.0 / 11, 1e-9);
    /* The machine's busy time scatters by 100: s² is 5000. */
    assert_number(expected_of(row, &figures[figure_index("total_us")], -0.5, 1000).variance, 5e-3 * 1.5 * 1.5,
                  1e-12);
    assert_number(expected_of(row, &figures[figure_index("execution_us")], 1, 1000).variance, 8e-4, 1e-12);
    /* What in-band alone has wrong is no part of what the machine does. */
    assert_number(expected_of(row, &figures[figure_index("counted_us")], 0.25, 1000).variance,
                  8e-4 * 1.25 * 1.25 + 9e-4, 1e-12);
    /* In % of a CPU, 100/s of 1 µs are 0.01. */
    assert_number(expected_of(row, &figures[figure_index("cpu")], 0.0025, 1000).variance,
                  8e-4 * 0.0125 * 0.0125, 1e-15);
    perf_free(&perf);
    for (int i = 0; i < 3; i++)
        cell_free(&cells[i]);
}

/* What two cells tell of a daemon that took that much in them, before other rows do. */
static struct interval daemon_of(double first_us, double second_us)
{
    struct interval mean;
    struct perf perf;

    make(0, BASELINE, 880, 100, 1350);
    make(1, "auditd", 900, 100, 1500);
    make(2, BASELINE, 915, 105, 1450);
    make(3, "auditd", 900, 100, 1500);
    cell_set_number(&cells[1], "daemon_us", first_us);
    cell_set_number(&cells[3], "daemon_us", second_us);
    for (int i = 0; i < 4; i++)
        cell_set_number(&cells[i], "execution_us", 1000);
    perf_make(&perf, cells, 4);
    mean = row_mean(&perf.rows[0], &figures[figure_index("daemon_us")]);
    perf_free(&perf);
    for (int i = 0; i < 4; i++)
        cell_free(&cells[i]);
    return mean;
}

static void what_is_nothing_in_each_cell_does_not_scatter(void **state)
{
    (void)state;
    assert_number(daemon_of(0, 0).low, 0, 0);
    assert_number(daemon_of(0, 0).high, 0, 0);
    /* As soon as there is something, it does as an execution does: by some 28 µs. */
    assert_true(daemon_of(0, 1).high - daemon_of(0, 1).low > 28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variances_that_are_alike_have_the_degrees_of_a_line),
        cmocka_unit_test(two_rates_tell_of_themselves),
        cmocka_unit_test(the_line_is_the_most_likely_one),
        cmocka_unit_test(nothing_tells_nothing),
        cmocka_unit_test(a_cell_scatters_as_one_of_the_baseline_and_more_as_it_costs_more),
        cmocka_unit_test(what_is_nothing_in_each_cell_does_not_scatter),
    };

    return cmocka_run_group_tests_name("expected", tests, NULL, NULL);
}
