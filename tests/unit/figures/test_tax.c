#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/interval.h"
#include "../../../src/figures/memory.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/tax.h"
#include "numbers.h"

static struct cell cells[32];
static size_t count;

static int setup(void **state)
{
    (void)state;
    count = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++)
        cell_free(&cells[i]);
    return 0;
}

static struct syscalls *add_window(const char *test, double rep, const char *way)
{
    const struct planned planned = {
        .cell = (double)count + 1, .rep = rep, .turn = 1, .rate = 100, .monitor = memory_copy(test)};
    struct cell *cell = &cells[count++];

    cell_init(cell, &planned);
    cell_set_text(cell, "status", memory_copy("ok"));
    cell->syscalls.exists = true;
    cell->syscalls.count = 1;
    snprintf(cell->syscalls.way, sizeof(cell->syscalls.way), "%s", way);
    snprintf(cell->syscalls.costs[0].name, sizeof(cell->syscalls.costs[0].name), "getppid");
    return &cell->syscalls;
}

/* One that found that much with an error of that much, from 21 comparisons. */
static void add_side(const char *test, double rep, double added_ns, double error_ns)
{
    struct syscalls *syscalls = add_window(test, rep, "groups");

    syscalls->costs[0].added = (struct estimate){added_ns, error_ns * error_ns, 20};
    syscalls->costs[0].without_ns = 100;
    syscalls->costs[0].with_ns = 100 + added_ns;
}

static void add_apart(const char *test, double rep, double with_ns)
{
    struct syscalls *syscalls = add_window(test, rep, "apart");

    syscalls->costs[0].added = (struct estimate){UNKNOWN, UNKNOWN, UNKNOWN};
    syscalls->costs[0].without_ns = UNKNOWN;
    syscalls->costs[0].with_ns = with_ns;
}

/* Without its header. */
static char *table(void)
{
    static char text[4096];
    FILE *out = fmemopen(text, sizeof(text), "w");

    taxes_write(out, cells, count);
    fclose(out);
    return strchr(text, '\n') + 1;
}

static char *row_of(const char *format, double without_ns, double with_ns, struct interval added, int reps)
{
    const double numbers[] = {without_ns, with_ns, added.value, added.low, added.high};
    char text[5][NUMBER_TEXT_SIZE];

    for (size_t i = 0; i < 5; i++)
        number_format(number_round(numbers[i]), text[i]);
    return memory_print("%s,%s,%s,%s,%s,%s,%d,\n", format, text[0], text[1], text[2], text[3], text[4], reps);
}

static void assert_table(const char *format, double without_ns, double with_ns, struct interval added,
                         int reps)
{
    char *expected = row_of(format, without_ns, with_ns, added, reps);

    assert_string_equal(table(), expected);
    free(expected);
}

static void one_window_side_by_side_has_its_own_error(void **state)
{
    (void)state;
    add_side("m", 1, 50, 4);
    assert_table("m,getppid,side-by-side", 100, 150, interval_of((struct estimate){50, 16, 20}), 1);
}

static void starts_that_agree_are_better_known(void **state)
{
    (void)state;
    add_side("m", 1, 50, 4);
    add_side("m", 2, 52, 4);
    assert_table("m,getppid,side-by-side", 100, 151, interval_of((struct estimate){51, 8, 40}), 2);
}

static void starts_that_differ_widen_all_intervals(void **state)
{
    char *expected;

    (void)state;
    /* Squared deviations of 2 * 30² over 4² make a ratio of 112.5 with 1 degree of freedom; the other
     * monitor, which has a single window, has no part in it, but is not better off. */
    add_side("m", 1, 20, 4);
    add_side("m", 2, 80, 4);
    add_side("n", 1, 10, 2);
    expected =
        row_of("n,getppid,side-by-side", 100, 110, interval_of((struct estimate){10, 4 * 112.5, 1}), 1);
    assert_string_equal(strstr(table(), "n,getppid"), expected);
    free(expected);
}

static void apart_each_repetition_is_one_observation(void **state)
{
    const double differences[] = {50, 44};

    (void)state;
    /* Two starts of the baseline in the first repetition, two of the monitor in the second. */
    add_apart("none", 1, 100);
    add_apart("m", 1, 160);
    add_apart("none", 1, 120);
    add_apart("none", 2, 200);
    add_apart("m", 2, 243);
    add_apart("m", 2, 245);
    assert_table("m,getppid,apart", 155, 202, interval_of_mean(differences, 2), 2);
}

static void a_repetition_without_a_baseline_has_no_difference(void **state)
{
    const double difference = 50;

    (void)state;
    add_apart("none", 1, 100);
    add_apart("m", 1, 150);
    add_apart("m", 2, 400);
    assert_table("m,getppid,apart", 100, 150, interval_of_mean(&difference, 1), 1);
    cells[0].syscalls.exists = false;
    assert_string_equal(table(),
                        "m,getppid,apart,,,,,,0,the baseline has no window in the same repetition\n");
}

static void what_counts_for_nothing_is_told(void **state)
{
    (void)state;
    add_side("m", 1, 50, 4);
    add_side("m", 2, 90, 4);
    snprintf(cells[1].syscalls.reason, sizeof(cells[1].syscalls.reason), "it was late, so");
    assert_non_null(strstr(table(), "m,getppid,side-by-side,100,150,50,"));
    assert_non_null(strstr(table(), ",1,\"it was late, so\"\n"));
    snprintf(cells[0].syscalls.reason, sizeof(cells[0].syscalls.reason), "the monitor died");
    assert_string_equal(table(), "m,,side-by-side,,,,,,0,the monitor died\n");
}

static void cells_that_are_measured_again_have_no_part(void **state)
{
    (void)state;
    add_side("m", 1, 50, 4);
    cell_set_text(&cells[0], "status", memory_copy("not-run"));
    assert_string_equal(table(), "");
    cell_set_text(&cells[0], "status", memory_copy("unreadable"));
    assert_string_equal(table(), "");
}

static void monitors_come_by_name_and_the_baseline_has_no_row(void **state)
{
    char *text;

    (void)state;
    add_side("z", 1, 50, 4);
    add_apart("none", 1, 100);
    add_side("b", 1, 50, 4);
    text = table();
    assert_int_equal(strncmp(text, "b,", 2), 0);
    assert_int_equal(strncmp(strchr(text, '\n') + 1, "z,", 2), 0);
    assert_null(strstr(text, "none"));
}

/* Of monitors that truly cost 50 ns more: starts scatter by that many ns, and each tells that by 1 ns, from
 * 81 comparisons. */
static int hits_of_run(gsl_rng *random, int reps, double start_ns)
{
    int hits = 0;

    for (int monitor = 0; monitor < 5; monitor++)
        for (int rep = 1; rep <= reps; rep++) {
            const char test[] = {(char)('a' + monitor), '\0'};
            struct syscalls *syscalls = add_window(test, rep, "groups");
            const double found_ns = 50 + gsl_ran_gaussian(random, start_ns) + gsl_ran_gaussian(random, 1);

            syscalls->costs[0].added = (struct estimate){found_ns, gsl_ran_chisq(random, 80) / 80, 80};
            syscalls->costs[0].without_ns = 100;
        }
    for (const char *row = table(); *row; row = strchr(row, '\n') + 1) {
        double low_ns, high_ns;

        assert_int_equal(sscanf(row, "%*[^,],getppid,side-by-side,100,%*f,%*f,%lf,%lf", &low_ns, &high_ns),
                         2);
        hits += low_ns <= 50 && 50 <= high_ns;
    }
    teardown(NULL);
    count = 0;
    return hits;
}

static void of_1000_intervals_about_950_hold_the_truth(void **state)
{
    static const double starts_ns[] = {0, 1, 3};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);

    (void)state;
    gsl_rng_set(random, 20260101);
    for (int reps = 2; reps <= 4; reps++)
        for (size_t i = 0; i < 3; i++) {
            int hits = 0;

            for (int runs = 0; runs < 400; runs++)
                hits += hits_of_run(random, reps, starts_ns[i]);
            print_message("%d repetitions, %.0f ns: %d of 2000\n", reps, starts_ns[i], hits);
            assert_in_range(hits, 1860, 1960);
        }
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_window_side_by_side_has_its_own_error, setup, teardown),
        cmocka_unit_test_setup_teardown(starts_that_agree_are_better_known, setup, teardown),
        cmocka_unit_test_setup_teardown(starts_that_differ_widen_all_intervals, setup, teardown),
        cmocka_unit_test_setup_teardown(apart_each_repetition_is_one_observation, setup, teardown),
        cmocka_unit_test_setup_teardown(a_repetition_without_a_baseline_has_no_difference, setup, teardown),
        cmocka_unit_test_setup_teardown(what_counts_for_nothing_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(cells_that_are_measured_again_have_no_part, setup, teardown),
        cmocka_unit_test_setup_teardown(monitors_come_by_name_and_the_baseline_has_no_row, setup, teardown),
        cmocka_unit_test_setup_teardown(of_1000_intervals_about_950_hold_the_truth, setup, teardown),
    };

    return cmocka_run_group_tests_name("tax", tests, NULL, NULL);
}
