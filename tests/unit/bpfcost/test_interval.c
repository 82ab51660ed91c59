#include "../unit.h"

#include <math.h>
#include <stdlib.h>

#include "../../../src/bpfcost/interval.h"

/* From a table of the sign test: the ranks of the bounds of the median, at least 95 %. */
static void ranks_are_those_of_the_table(void **state)
{
    (void)state;
    assert_int_equal(interval_outside(0), 0);
    assert_int_equal(interval_outside(5), 0);
    assert_int_equal(interval_outside(6), 1);
    assert_int_equal(interval_outside(8), 1);
    assert_int_equal(interval_outside(9), 2);
    assert_int_equal(interval_outside(15), 4);
    assert_int_equal(interval_outside(20), 6);
    assert_int_equal(interval_outside(25), 8);
    assert_int_equal(interval_outside(50), 18);
    assert_int_equal(interval_outside(100), 40);
}

static void many_values_do_not_underflow(void **state)
{
    (void)state;
    /* 0.5^2000 is less than the least double. 1000 - 1.96 * sqrt(500) = 956.2 */
    assert_in_range(interval_outside(2000), 955, 957);
}

static void median_of_odd_and_even(void **state)
{
    double odd[] = {9, 1, 5}, even[] = {4, 1, 3, 100};
    struct interval interval;

    (void)state;
    interval = interval_of_median(odd, 3);
    assert_true(interval.value == 5);
    assert_true(isnan(interval.low) && isnan(interval.high));
    assert_true(interval_of_median(even, 4).value == 3.5);
}

static void bounds_are_values(void **state)
{
    double values[] = {20, 3, 17, 1, 9, 5, 13, 11, 7, 15};
    const struct interval interval = interval_of_median(values, 10);

    (void)state;
    assert_true(interval.value == 10);
    assert_true(interval.low == 3 && interval.high == 17);
}

static void one_wild_value_moves_nothing(void **state)
{
    double values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1e9};
    const struct interval interval = interval_of_median(values, 10);

    (void)state;
    assert_true(interval.value == 5.5 && interval.low == 2 && interval.high == 9);
}

static void nothing_is_unknown(void **state)
{
    double none[1];

    (void)state;
    assert_true(isnan(interval_of_median(none, 0).value));
}

/* Values of a lopsided distribution, -log(u), whose median is log 2. */
static void covers_the_median_19_times_of_20(void **state)
{
    enum { TRIALS = 4000, COUNT = 20 };
    int covered = 0;

    (void)state;
    srand48(1);
    for (int trial = 0; trial < TRIALS; trial++) {
        double values[COUNT];
        struct interval interval;

        for (int i = 0; i < COUNT; i++)
            values[i] = -log(1 - drand48());
        interval = interval_of_median(values, COUNT);
        covered += interval.low <= M_LN2 && M_LN2 <= interval.high;
    }
    /* 95.9 % by the binomial distribution, whose standard error is 0.3 % here. */
    assert_in_range(covered, TRIALS * 0.947, TRIALS * 0.971);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_those_of_the_table),     cmocka_unit_test(many_values_do_not_underflow),
        cmocka_unit_test(median_of_odd_and_even),           cmocka_unit_test(bounds_are_values),
        cmocka_unit_test(one_wild_value_moves_nothing),     cmocka_unit_test(nothing_is_unknown),
        cmocka_unit_test(covers_the_median_19_times_of_20),
    };

    return cmocka_run_group_tests_name("interval", tests, NULL, NULL);
}
