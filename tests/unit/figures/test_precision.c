/* What a run is known to. */
#include "../unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/memory.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/precision.h"
#include "numbers.h"

/* Student's t at 97.5 %. */
#define T2 4.302652729696
#define T10 2.228138851965

#define MOST_CELLS 64

struct run {
    struct cell cells[MOST_CELLS];
    size_t count;
    struct perf perf;
    struct precision *list;
    size_t rows;
};

/* A cell of a monitor whose whole cost is its daemon's. */
static struct cell *add(struct run *run, const char *monitor, double rate, double counted_us)
{
    struct cell *cell = &run->cells[run->count];
    const struct planned planned = {
        .cell = (double)++run->count, .rep = 1, .turn = 1, .rate = rate, .monitor = memory_copy(monitor)};

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_text(cell, "inprogram_method", memory_copy("side-by-side"));
    cell_set_number(cell, "counted_us", counted_us);
    return cell;
}

/* Several cells with that mean and standard deviation. */
static void add_row(struct run *run, const char *monitor, double rate, int cells, double mean_us,
                    double deviation_us)
{
    double scale = deviation_us * sqrt((cells - 1.0) / (cells - cells % 2));

    for (int i = 0; i < cells; i++)
        add(run, monitor, rate, mean_us + (i == cells - 1 && cells % 2 ? 0 : i % 2 ? scale : -scale));
}

static void judge(struct run *run, double percent)
{
    perf_make(&run->perf, run->cells, run->count);
    run->list = precision_make(&run->perf, percent, &run->rows);
}

static void run_free(struct run *run)
{
    free(run->list);
    perf_free(&run->perf);
    for (size_t i = 0; i < run->count; i++)
        cell_free(&run->cells[i]);
}

static void assert_row(const struct run *run, size_t row, const char *monitor, double rate)
{
    assert_in_range(row, 0, run->rows - 1);
    assert_string_equal(run->list[row].row->test, monitor);
    assert_number(run->list[row].row->rate, rate, 0);
}

static void a_row_is_known_to_a_share_or_to_5_us(void **state)
{
    struct run run = {0};

    (void)state;
    /* Half of the intervals: T10 * deviation / sqrt(11). */
    add_row(&run, "cheap", 100, 11, 60, 4.9 * sqrt(11) / T10);
    add_row(&run, "cheap", 200, 11, 60, 5.1 * sqrt(11) / T10);
    add_row(&run, "dear", 100, 11, 400, 19.9 * sqrt(11) / T10);
    add_row(&run, "dear", 200, 11, -400, 20.1 * sqrt(11) / T10);
    judge(&run, 5);
    assert_int_equal(run.rows, 4);
    /* Widest first: 5.1 of 5 is more than 20.1 of 20. */
    assert_row(&run, 0, "cheap", 100);
    assert_number(run.list[0].half_width_us, 4.9, 1e-9);
    assert_number(run.list[0].allowed_us, 5, 0);
    assert_true(run.list[0].known);
    assert_false(run.list[1].known);
    assert_row(&run, 2, "dear", 100);
    assert_number(run.list[2].allowed_us, 20, 1e-9);
    assert_true(run.list[2].known);
    assert_false(run.list[3].known);
    run_free(&run);
}

/* Slower by a third in half of the cells, at everything. */
static void what_the_machine_s_pace_does_is_in_the_execution_too(void **state)
{
    struct run run = {0};

    (void)state;
    for (int i = 0; i < 6; i++) {
        double pace = i % 2 ? 4 : 3;
        struct cell *cell = add(&run, "paced", 100, 50 * pace + (i < 2 ? 1 : i < 4 ? -1 : 0));

        cell_set_number(cell, "execution_us", 200 * pace);
    }
    judge(&run, 5);
    /* What is left of 0.25 of an execution: 1, 1, -1, -1, 0, 0, so about t * sqrt(4 / 5 / 6); exactly by the
     * way that test_shares.c has its bounds from. */
    assert_number(run.list[0].counted_us, 175, 1e-9);
    assert_number(run.list[0].half_width_us, 0.951563789, 1e-8);
    assert_true(run.list[0].known);
    run_free(&run);
}

static void a_row_without_an_interval_is_the_widest(void **state)
{
    struct run run = {0};

    (void)state;
    add_row(&run, "a", 100, 3, 100, 1000);
    add(&run, "b", 100, 7);
    judge(&run, 5);
    assert_row(&run, 0, "b", 100);
    assert_false(is_known(run.list[0].half_width_us));
    assert_false(run.list[0].known);
    assert_row(&run, 1, "a", 100);
    assert_number(run.list[1].half_width_us, T2 * 1000 / sqrt(3), 1e-6);
    run_free(&run);
}

static void what_is_saturated_is_no_aim_nor_is_the_baseline_or_what_can_not_be_known(void **state)
{
    struct run run = {0};

    (void)state;
    add_row(&run, "monitor", 100, 3, 100, 30);
    add_row(&run, "monitor", 1600, 3, 100, 30);
    for (size_t i = 4; i < run.count; i++)
        cell_set_number(&run.cells[i], "saturated", 1);
    add_row(&run, BASELINE, 100, 3, 0, 30);
    add_row(&run, "rest", 0, 3, 100, 30);
    add(&run, "nothing", 100, UNKNOWN);
    judge(&run, 5);
    assert_int_equal(run.rows, 1);
    assert_row(&run, 0, "monitor", 100);
    run_free(&run);
}

static void a_table_says_it(void **state)
{
    struct run run = {0};
    char text[400] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");

    (void)state;
    add(&run, "once", 100, 7.5);
    add_row(&run, "twice", 200, 2, 100, sqrt(2) * 2);
    perf_make(&run.perf, run.cells, run.count);
    precision_write(out, &run.perf, 50);
    fclose(out);
    /* 12.706 standard errors of 2. */
    assert_string_equal(text, "test,exec_per_sec,counted_us,half_width_us,allowed_us,known\n"
                              "once,100,7.5,,5,false\n"
                              "twice,200,100,25.412,50,true\n");
    run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_known_to_a_share_or_to_5_us),
        cmocka_unit_test(what_the_machine_s_pace_does_is_in_the_execution_too),
        cmocka_unit_test(a_row_without_an_interval_is_the_widest),
        cmocka_unit_test(what_is_saturated_is_no_aim_nor_is_the_baseline_or_what_can_not_be_known),
        cmocka_unit_test(a_table_says_it),
    };

    return cmocka_run_group_tests_name("precision", tests, NULL, NULL);
}
