/* What a monitor's detailed cells tell of the others. */
#include "../unit.h"

#include <math.h>
#include <string.h>

#include "../../../src/figures/base.h"
#include "../../../src/figures/means.h"
#include "../../../src/figures/memory.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/pooled.h"
#include "numbers.h"

/* Student's t at 97.5 %, with so many degrees of freedom. */
#define T4 2.776445105198
#define T6 2.446911851145
#define T1000 1.962339080641

/* Of a single cell, nothing is known but what is expected: its own error, and 15 % of the share by rates, in
 * the mean and in what another rate differs from it. */
static void one_cell_has_what_is_expected(void **state)
{
    double share = 0.06, error = 0.004;
    const struct pool pool = {&share, &error, 1};

    (void)state;
    assert_number(pool_error(&pool), T4 / T1000 * sqrt(0.004 * 0.004 + 2 * 0.009 * 0.009), 1e-9);
}

/* Three cells have two degrees of freedom more; s² is 1e-4. */
static void several_cells_tell_how_they_scatter(void **state)
{
    double shares[] = {0.05, 0.06, 0.07}, errors[] = {0.004, 0.004, 0.004};
    const struct pool pool = {shares, errors, 3};
    const double own = 1.6e-5, variance = (2 * 1e-4 + 4 * (own + 0.009 * 0.009)) / 6;

    (void)state;
    assert_number(pool_error(&pool), T6 / T1000 * sqrt(variance / 3 + variance - own), 1e-9);
}

/* If they scatter less than their own errors, these are what is wrong. */
static void errors_of_their_own_are_the_least(void **state)
{
    double shares[] = {0.001, 0.001, 0.001}, errors[] = {0.04, 0.04, 0.04};
    const struct pool pool = {shares, errors, 3};

    (void)state;
    assert_number(pool_error(&pool), T6 / T1000 * 0.04 / sqrt(3), 1e-9);
}

#define CELLS 8

static struct cell cells[CELLS];
static size_t cell_count;

static struct cell *add(const char *monitor, double rate, double pass, bool coarse)
{
    const struct planned planned = {.cell = (double)cell_count + 1,
                                    .rep = pass,
                                    .turn = 1,
                                    .rate = rate,
                                    .coarse = coarse,
                                    .monitor = memory_copy(monitor)};
    struct cell *cell = &cells[cell_count++];

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_text(cell, "inprogram_method", memory_copy("apart"));
    cell_set_number(cell, "daemon_us", 50);
    cell_set_number(cell, "child_cpu_mean_us", 900);
    cell_set_number(cell, "parent_cpu_us", 100);
    return cell;
}

static void add_side(const char *monitor, double rate, double pass, double program_us)
{
    struct cell *cell = add(monitor, rate, pass, false);

    cell_set_text(cell, "inprogram_method", memory_copy("side-by-side"));
    cell_set_number(cell, "side_program_us", program_us);
    cell_set_number(cell, "side_program_error_us", 2);
    cell_set_number(cell, "side_parent_us", 0);
    cell_set_number(cell, "side_parent_error_us", 0);
}

static int forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < cell_count; i++)
        cell_free(&cells[i]);
    cell_count = 0;
    return 0;
}

/* 100 of 900 µs and 200 of 800: 0.1806 of an execution in all cells, detailed or not. */
static void all_cells_of_a_monitor_have_the_mean_share(void **state)
{
    const double share = (100.0 / 900 + 200.0 / 800) / 2;

    (void)state;
    add_side("auditd", 100, 1, 100);
    add("auditd", 200, 1, true);
    add("auditd", 100, 2, true);
    add_side("auditd", 200, 2, 200);
    cells_derive(cells, cell_count);
    for (size_t i = 0; i < cell_count; i++) {
        assert_string_equal(cell_text(&cells[i], "inprogram_method"), "side-by-side");
        assert_number(cell_number(&cells[i], "program_us"), 1000 * share / (1 + share), 1e-3);
        assert_number(cell_number(&cells[i], "execution_us"), 1000 / (1 + share), 1e-3);
    }
}

static void cells_of_an_unfinished_pass_tell_nothing(void **state)
{
    (void)state;
    add_side("auditd", 100, 1, 100);
    add("auditd", 200, 1, true);
    add_side("auditd", 200, 2, 900);
    cell_set_text(add("auditd", 100, 2, true), "status", memory_copy("not-run"));
    cells[3].ok = false;
    cells_derive(cells, cell_count);
    assert_number(cell_number(&cells[1], "program_us"), 100, 1e-3);
}

static void without_a_detailed_cell_that_tells_it_is_apart(void **state)
{
    (void)state;
    add_side("auditd", 100, 1, UNKNOWN);
    add("auditd", 200, 1, true);
    add_side("falco", 100, 1, 100);
    cells_derive(cells, cell_count);
    assert_string_equal(cell_text(&cells[1], "inprogram_method"), "apart");
    assert_false(is_known(cell_number(&cells[0], "program_us")));
    /* All cells of another monitor are detailed. */
    assert_false(cells[2].pooled.exists);
    assert_number(cell_number(&cells[2], "program_us"), 100, 0);
}

static const struct row *row_at(const struct perf *perf, const char *test, double rate)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, test) == 0 && fabs(perf->rows[i].rate - rate) <= 0)
            return &perf->rows[i];
    fail_msg("no row of %s", test);
    return NULL;
}

/* The same cells tell both rows, and both shares have all of the error. In builds of one monitor, it is of
 * each. */
static void the_error_is_the_same_for_all_cells(void **state)
{
    const double share = 100.0 / 900, error = hypot(2.0 / 900, sqrt(2) * 0.15 * share) * T4;
    const struct figure *inband = &figures[figure_index("program_us")];
    struct interval at, difference;
    struct perf perf;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *monitor = i ? "m@b" : "m@a";

        add_side(monitor, 100, 1, 100);
        add(monitor, 200, 1, true);
        add(monitor, 200, 1, true);
        add(monitor, 200, 1, true);
    }
    cells_derive(cells, cell_count);
    perf_make(&perf, cells, cell_count);
    at = row_share(row_at(&perf, "m@a", 200), inband);
    assert_number(at.value, share, 1e-5);
    /* By a line; the ratio's interval is longer to one side. */
    assert_number((at.high - at.low) / 2, error, 5e-3 * error);
    difference = row_share_difference(row_at(&perf, "m@a", 200), row_at(&perf, "m@b", 200), inband);
    assert_number((difference.high - difference.low) / 2, sqrt(2) * error, 5e-3 * error);
    perf_free(&perf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cell_has_what_is_expected),
        cmocka_unit_test(several_cells_tell_how_they_scatter),
        cmocka_unit_test(errors_of_their_own_are_the_least),
        cmocka_unit_test_teardown(all_cells_of_a_monitor_have_the_mean_share, forget),
        cmocka_unit_test_teardown(cells_of_an_unfinished_pass_tell_nothing, forget),
        cmocka_unit_test_teardown(without_a_detailed_cell_that_tells_it_is_apart, forget),
        cmocka_unit_test_teardown(the_error_is_the_same_for_all_cells, forget),
    };

    return cmocka_run_group_tests_name("pooled", tests, NULL, NULL);
}
