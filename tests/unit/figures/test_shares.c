/* What an execution costs more under a monitor as a share of what it costs itself. The bounds are the roots
 * of (M
 * - r B)² = qt(0.975, degrees)² V(r), searched for by bisection in another program that was written from
 * docs/figures.md. */
#include "../unit.h"

#include <math.h>
#include <string.h>

#include "../../../src/figures/means.h"
#include "../../../src/figures/memory.h"
#include "../../../src/figures/perf.h"
#include "numbers.h"

#define CELLS 30

static struct cell cells[CELLS];
static size_t cell_count;

static struct cell *add_cell(double number, const char *monitor)
{
    const struct planned planned = {
        .cell = number, .rep = 1, .turn = 1, .rate = 100, .monitor = memory_copy(monitor)};
    struct cell *cell = &cells[cell_count++];

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    return cell;
}

static struct cell *add_none(double number, double child_us, double parent_us, double busy_us)
{
    struct cell *cell = add_cell(number, BASELINE);

    cell_set_number(cell, "child_cpu_mean_us", child_us);
    cell_set_number(cell, "parent_cpu_us", parent_us);
    cell_set_number(cell, "host_busy_us", busy_us);
    return cell;
}

static struct cell *add_monitor(double number, double daemon_us, double busy_us)
{
    struct cell *cell = add_cell(number, "auditd");

    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "host_busy_us", busy_us);
    return cell;
}

/* What the launched program takes of itself, and with it what execrate takes; the monitor adds 40 and 10 µs.
 */
static struct cell *add_side(double number, const char *monitor, double daemon_us, double child_us,
                             double parent_us)
{
    struct cell *cell = add_cell(number, monitor);

    cell_set_text(cell, "inprogram_method", memory_copy("side-by-side"));
    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "child_cpu_mean_us", child_us + 40);
    cell_set_number(cell, "parent_cpu_us", parent_us + 10);
    cell_set_number(cell, "side_program_us", 40);
    cell_set_number(cell, "side_parent_us", 10);
    return cell;
}

static int forget_cells(void **state)
{
    (void)state;
    for (size_t i = 0; i < cell_count; i++)
        cell_free(&cells[i]);
    cell_count = 0;
    return 0;
}

static struct interval share_of(const char *test, const char *figure)
{
    struct interval share = {NAN, NAN, NAN};
    struct perf perf;

    cells_derive(cells, cell_count);
    perf_make(&perf, cells, cell_count);
    for (size_t i = 0; i < perf.count; i++)
        if (strcmp(perf.rows[i].test, test) == 0)
            share = row_share(&perf.rows[i], &figures[figure_index(figure)]);
    perf_free(&perf);
    return share;
}

static void assert_share(struct interval share, double value, double low, double high)
{
    assert_number(share.value, value, 1e-5);
    assert_number(share.low, low, 1e-5);
    assert_number(share.high, high, 1e-5);
}

/* 980 and 1020 µs without a monitor. */
static void daemon_has_the_error_of_the_baseline(void **state)
{
    (void)state;
    add_none(1, 880, 100, 1350);
    add_monitor(2, 240, 1890);
    add_monitor(3, 260, 1910);
    add_monitor(4, 250, 1900);
    add_none(5, 915, 105, 1450);
    assert_share(share_of("auditd", "daemon_us"), 0.25, 0.2266196642, 0.2754125160);
}

/* Where the baseline's cells are too expensive, the difference from them is too small and what it is divided
 * by is too large. */
static void errors_of_a_difference_and_of_the_baseline_go_together(void **state)
{
    (void)state;
    add_none(1, 880, 100, 1390);
    add_monitor(2, 240, 1890);
    add_monitor(3, 260, 1910);
    add_monitor(4, 250, 1900);
    add_none(5, 915, 105, 1410);
    assert_share(share_of("auditd", "total_us"), 0.5, 0.3657067485, 0.6787730948);
    /* The other way round. */
    cell_set_number(&cells[0], "host_busy_us", 1410);
    cell_set_number(&cells[4], "host_busy_us", 1390);
    assert_share(share_of("auditd", "total_us"), 0.5, 0.4750350537, 0.5249028282);
}

/* 1000 or 800 µs, as fast as the machine was; it was faster still when the baseline was measured. */
static void share_is_of_the_execution_in_the_same_cells(void **state)
{
    (void)state;
    add_none(1, 500, 100, 700);
    add_side(2, "auditd", 260, 900, 100);
    add_side(3, "auditd", 200, 720, 80);
    add_side(4, "auditd", 250, 900, 100);
    add_side(5, "auditd", 204, 720, 80);
    add_none(6, 600, 100, 800);
    assert_share(share_of("auditd", "daemon_us"), 0.2538888889, 0.2451191794, 0.2616921196);
}

static struct interval difference_of_shares(const char *a, const char *b, const char *figure)
{
    const struct row *row_a = NULL, *row_b = NULL;
    struct interval difference;
    struct perf perf;

    cells_derive(cells, cell_count);
    perf_make(&perf, cells, cell_count);
    for (size_t i = 0; i < perf.count; i++) {
        row_a = strcmp(perf.rows[i].test, a) == 0 ? &perf.rows[i] : row_a;
        row_b = strcmp(perf.rows[i].test, b) == 0 ? &perf.rows[i] : row_b;
    }
    assert_true(row_a && row_b);
    difference = row_share_difference(row_a, row_b, &figures[figure_index(figure)]);
    perf_free(&perf);
    return difference;
}

/* Each variance is that of what is left of the daemon, over the execution's mean squared; Welch's degrees of
 * freedom are 4.08. */
static void difference_of_shares_of_two_monitors(void **state)
{
    (void)state;
    add_side(1, "auditd", 260, 900, 100);
    add_side(2, "auditd", 200, 720, 80);
    add_side(3, "auditd", 250, 900, 100);
    add_side(4, "auditd", 204, 720, 80);
    add_side(5, "other", 100, 900, 100);
    add_side(6, "other", 84, 720, 80);
    add_side(7, "other", 102, 900, 100);
    add_side(8, "other", 80, 720, 80);
    assert_share(difference_of_shares("auditd", "other", "daemon_us"), 0.1522222222, 0.1445871075,
                 0.1598573369);
    assert_share(difference_of_shares("other", "auditd", "daemon_us"), -0.1522222222, -0.1598573369,
                 -0.1445871075);
}

/* 8 % of 100 µs of counted run time may be wrong, in all cells alike, which all cost the same: 0.008 of an
 * execution each. Of two builds, only as far as they differ. */
static void what_all_cells_have_in_common_is_in_a_difference_of_shares(void **state)
{
    static const char *const names[] = {"m@old", "m@new", "other"};
    struct interval builds, others;

    (void)state;
    for (int i = 0; i < 9; i++) {
        struct cell *cell = add_cell(i + 1, names[i % 3]);

        cell_set_text(cell, "inprogram_method", memory_copy("run-time"));
        cell_set_number(cell, "bpf_program_us", i % 3 == 1 ? 110 : 100);
        cell_set_number(cell, "bpf_parent_us", 0);
        cell_set_number(cell, "child_cpu_mean_us", i % 3 == 1 ? 1010 : 1000);
        cell_set_number(cell, "parent_cpu_us", 100);
    }
    builds = difference_of_shares("m@new", "m@old", "program_us");
    others = difference_of_shares("other", "m@old", "program_us");
    assert_number(builds.value, 0.01, 1e-9);
    assert_number(others.value, 0, 1e-9);
    assert_number((builds.high - builds.low) / 2, 1.96 * 0.0008, 1e-5);
    assert_number((others.high - others.low) / 2, 1.96 * 0.008 * sqrt(2), 1e-4);
}

/* One standard error of an execution's 1000 µs of which 100 are counted, in that many runs. */
static double error_of_counted(double runs)
{
    struct interval share;

    forget_cells(NULL);
    for (int i = 0; i < 3; i++) {
        struct cell *cell = add_cell(i + 1, "m");

        cell_set_text(cell, "inprogram_method", memory_copy("run-time"));
        cell_set_number(cell, "bpf_us", 125);
        cell_set_number(cell, "bpf_runs", runs);
        cell_set_number(cell, "bpf_program_us", 100);
        cell_set_number(cell, "bpf_parent_us", 25);
        cell_set_number(cell, "child_cpu_mean_us", 1000);
        cell_set_number(cell, "parent_cpu_us", 125);
    }
    share = share_of("m", "program_us");
    return (share.high - share.low) / 2 / 1.96;
}

/* 8 % of 0.1 µs a run, and 3 % of what is longer. */
static void what_the_counting_has_wrong_depends_on_how_long_a_run_is(void **state)
{
    (void)state;
    assert_number(error_of_counted(2500), 0.008, 2e-5);
    assert_number(error_of_counted(125), 0.0035, 2e-5);
    assert_number(error_of_counted(1.25), 0.003005, 2e-5);
    assert_number(error_of_counted(NAN), 0.008, 2e-5);
}

/* Errors of 2 µs each, and executions that differ by 15. */
static void known_error_and_that_of_the_execution(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double program_us = (double[]){50, 49, 51}[i];
        struct cell *cell = add_side(i + 1, "auditd", 240, (double[]){900, 885, 915}[i], 100);

        cell_set_number(cell, "child_cpu_mean_us", cell_number(cell, "child_cpu_mean_us") - 40 + program_us);
        cell_set_number(cell, "side_program_us", program_us);
        cell_set_number(cell, "side_program_error_us", 2);
    }
    assert_share(share_of("auditd", "program_us"), 0.05, 0.04757250643, 0.05245690569);
    /* Of a single cell, how far its pace is from another's is not known. */
    forget_cells(NULL);
    cell_set_number(add_side(1, "auditd", 240, 900, 100), "side_program_error_us", 2);
    assert_true(isnan(share_of("auditd", "program_us").low));
}

/* 500 and 1500 µs: with one degree of freedom, it can't be told apart from nothing. */
static void baseline_that_could_be_nothing_gives_no_bounds(void **state)
{
    struct interval share;

    (void)state;
    add_none(1, 400, 100, 1400);
    add_monitor(2, 240, 1890);
    add_monitor(3, 260, 1910);
    add_none(4, 1395, 105, 1400);
    share = share_of("auditd", "daemon_us");
    assert_number(share.value, 0.25, 1e-9);
    assert_true(isnan(share.low) && isnan(share.high));
}

static void one_cell_of_the_baseline_gives_no_bounds(void **state)
{
    struct interval share;

    (void)state;
    add_none(1, 900, 100, 1400);
    add_monitor(2, 240, 1890);
    add_monitor(3, 260, 1910);
    share = share_of("auditd", "daemon_us");
    assert_number(share.value, 0.25, 1e-9);
    assert_true(isnan(share.low) && isnan(share.high));
}

static void no_baseline_no_share(void **state)
{
    (void)state;
    add_monitor(2, 240, 1890);
    add_monitor(3, 260, 1910);
    assert_true(isnan(share_of("auditd", "daemon_us").value));
}

/* Each is told from the other, ±40 of 1000 µs; the baseline itself is known from its own two: R, 1000 ±
 * qt(0.975, 1)
 * * 20. */
static void row_of_the_baseline_itself(void **state)
{
    struct interval baseline;
    struct perf perf;

    (void)state;
    add_none(1, 880, 100, 1380);
    add_none(2, 915, 105, 1420);
    assert_share(share_of(BASELINE, "total_us"), 0, -0.6814111917, 0.4052614822);
    perf_make(&perf, cells, cell_count);
    baseline = row_mean(&perf.rows[0], &figures[figure_index("baseline_us")]);
    assert_number(baseline.value, 1000, 1e-9);
    assert_number(baseline.high, 1254.124, 0.001);
    perf_free(&perf);
}

static double degrees_of(const struct perf *perf, const char *test, const char *figure)
{
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, test) == 0)
            return row_share_degrees(&perf->rows[i], &figures[figure_index(figure)]);
    return NAN;
}

/* Eight rows tell of each other's scatter, but not of one whose in-band was got in another way, where that is
 * in the figure, nor of a saturated one. */
static void rows_that_are_alike_tell_of_each_others_scatter(void **state)
{
    struct perf perf;

    (void)state;
    for (int i = 0; i < 30; i++) {
        char name[] = {'a', (char)('0' + i / 3), '\0'};
        struct cell *cell =
            add_side(i + 1, name, 200 + 7 * (i * i % 11), 900 + 13 * (i * i % 7), 100 + i % 3);

        if (i / 3 == 8)
            cell_set_number(cell, "saturated", 1);
        if (i / 3 == 9)
            cell_set_text(cell, "inprogram_method", memory_copy("switched"));
    }
    cells_derive(cells, cell_count);
    perf_make(&perf, cells, cell_count);
    assert_true(degrees_of(&perf, "a0", "program_us") > 2.5);
    assert_true(degrees_of(&perf, "a9", "daemon_us") > 2.5);
    assert_number(degrees_of(&perf, "a8", "program_us"), 2, 1e-9);
    assert_number(degrees_of(&perf, "a8", "daemon_us"), 2, 1e-9);
    assert_number(degrees_of(&perf, "a9", "program_us"), 2, 1e-9);
    perf_free(&perf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(daemon_has_the_error_of_the_baseline, forget_cells),
        cmocka_unit_test_teardown(errors_of_a_difference_and_of_the_baseline_go_together, forget_cells),
        cmocka_unit_test_teardown(share_is_of_the_execution_in_the_same_cells, forget_cells),
        cmocka_unit_test_teardown(difference_of_shares_of_two_monitors, forget_cells),
        cmocka_unit_test_teardown(what_all_cells_have_in_common_is_in_a_difference_of_shares, forget_cells),
        cmocka_unit_test_teardown(what_the_counting_has_wrong_depends_on_how_long_a_run_is, forget_cells),
        cmocka_unit_test_teardown(known_error_and_that_of_the_execution, forget_cells),
        cmocka_unit_test_teardown(baseline_that_could_be_nothing_gives_no_bounds, forget_cells),
        cmocka_unit_test_teardown(one_cell_of_the_baseline_gives_no_bounds, forget_cells),
        cmocka_unit_test_teardown(no_baseline_no_share, forget_cells),
        cmocka_unit_test_teardown(row_of_the_baseline_itself, forget_cells),
        cmocka_unit_test_teardown(rows_that_are_alike_tell_of_each_others_scatter, forget_cells),
    };

    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
