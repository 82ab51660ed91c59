/* What hosts differ by, where that is known. */
#include "../unit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/number.h"
#include "../../../src/figures/spreads.h"
#include "files.h"
#include "numbers.h"

#define RUNS 4000
#define MOST_HOSTS 50

static struct host_figure host(double value, double reach, double degrees)
{
    return (struct host_figure){{value, value - reach, value + reach}, degrees};
}

/* Their standard errors are 1 / qt(0.975, 4) = 0.36018, and their squares with 12 degrees of freedom
 * together. */
static void deviation_is_without_the_errors_of_measuring(void **state)
{
    const struct host_figure hosts[] = {host(10, 1, 4), host(14, 1, 4), host(12, 1, 4)};
    struct spread spread = spread_of(hosts, 3);

    (void)state;
    assert_int_equal(spread.count, 3);
    assert_number(spread.lowest, 10, 1e-5);
    assert_number(spread.highest, 14, 1e-5);
    assert_number(spread.deviation.value, 1.967299, 1e-5);
    assert_true(spread.deviation.low > 0.8 && spread.deviation.low < 1.05);
    /* 4 * 2 / qchisq(0.025, 2) = 12.57^2 without errors. */
    assert_true(spread.deviation.high > 12.4 && spread.deviation.high < 12.6);
}

static void hosts_that_scatter_less_than_their_errors_do_not_differ(void **state)
{
    const struct host_figure hosts[] = {host(10, 2, 4), host(10.5, 2, 4), host(9.5, 2, 4)};
    const struct host_figure too_near[] = {host(10, 2, 4), host(10.01, 2, 4), host(9.99, 2, 4)};
    struct spread spread = spread_of(hosts, 3);

    (void)state;
    assert_number(spread.deviation.value, 0, 1e-5);
    assert_number(spread.deviation.low, 0, 1e-5);
    assert_true(spread.deviation.high > 2);
    /* That they can't differ would be too much. */
    assert_number(spread_of(too_near, 3).deviation.low, 0, 1e-5);
    assert_false(is_known(spread_of(too_near, 3).deviation.high));
}

static void nothing_is_said_without_intervals(void **state)
{
    const struct host_figure hosts[] = {
        host(10, 1, 4), {{14, UNKNOWN, UNKNOWN}, UNKNOWN}, host(12, 1, UNKNOWN)};

    (void)state;
    assert_false(is_known(spread_of(hosts, 2).deviation.value));
    assert_false(is_known(spread_of(hosts, 2).deviation.low));
    assert_number(spread_of(hosts, 2).highest, 14, 1e-5);
    assert_false(is_known(spread_of(hosts, 1).deviation.value));
    assert_false(is_known(spread_of(hosts + 2, 1).deviation.value));
}

/* Of 1000 intervals, how many hold the true deviation; errors of hosts differ by a factor of up to 3. */
static int holds_of_1000(size_t count, double truth, double degrees)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    int held = 0;

    gsl_rng_set(random, 20260505);
    for (int run = 0; run < RUNS; run++) {
        struct host_figure hosts[MOST_HOSTS];
        struct spread spread;

        for (size_t i = 0; i < count; i++) {
            double error = 0.5 + (double)i / (double)(count - 1);
            double value = 20 + gsl_ran_gaussian(random, truth) + gsl_ran_gaussian(random, error);
            double variance = error * error * gsl_ran_chisq(random, degrees) / degrees;

            hosts[i] = host(value, gsl_cdf_tdist_Pinv(0.975, degrees) * sqrt(variance), degrees);
        }
        spread = spread_of(hosts, count);
        held += spread.deviation.low <= truth && !(truth > spread.deviation.high);
    }
    gsl_rng_free(random);
    print_message("%zu hosts, %.0f degrees of freedom, deviation %.1f: %d of 1000 intervals hold it\n", count,
                  degrees, truth, held * 1000 / RUNS);
    return held * 1000 / RUNS;
}

static void intervals_hold_what_hosts_truly_differ_by(void **state)
{
    static const size_t counts[] = {2, 3, 10, 50};

    (void)state;
    for (int i = 0; i < 4; i++)
        for (int few = 0; few <= 1; few++) {
            double degrees = few ? 2 : 8;

            /* Where there is nothing, an interval errs on one side alone. */
            assert_in_range(holds_of_1000(counts[i], 0, degrees), 960, 1000);
            assert_in_range(holds_of_1000(counts[i], 1, degrees), 930, 990);
            assert_in_range(holds_of_1000(counts[i], 4, degrees), 935, 975);
        }
}

static void hosts_on_either_side_of_zero_are_counted(void **state)
{
    const struct host_figure hosts[] = {
        host(-10, 4, 4), host(12, 4, 4), host(1, 4, 4), host(9, 4, 4), {{-5, UNKNOWN, UNKNOWN}, UNKNOWN}};
    struct spread spread = spread_of(hosts, 5);

    (void)state;
    assert_int_equal(spread.below, 1);
    assert_int_equal(spread.above, 2);
    /* 1 - 0.975^5 */
    assert_number(spread.chance, 0.1189042, 1e-5);
    assert_number(spread_of(hosts + 1, 3).chance, 1, 1e-5);
    /* 1 - 0.975^2 */
    assert_number(spread_of(hosts, 2).chance, 0.049375, 1e-5);
}

/* What it writes of that table. */
static bool written(const char *table, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    bool whole;

    assert_non_null(out);
    whole = spreads_write(out, file_with(table));
    fclose(out);
    return whole;
}

static void a_table_is_read_series_by_series(void **state)
{
    char text[1000];

    (void)state;
    assert_true(written("series,value,low,high,degrees\na,10,9,11,4\na,14,13,15,4\na,12,11,13,4\nb,-3,,,\n",
                        text, sizeof(text)));
    assert_non_null(strstr(text, "\na,3,10,14,1.967,"));
    assert_non_null(strstr(text, ",0,3,1\nb,1,-3,-3,,,,0,0,1\n"));
    assert_true(written("series,value,low,high,degrees\n", text, sizeof(text)));
    assert_false(written("series,value,low,high,degrees\na,x,,,\n", text, sizeof(text)));
    assert_false(written("series,value,low,high,degrees\na,,1,2,3\n", text, sizeof(text)));
    assert_false(written("series,value\na,1\n", text, sizeof(text)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deviation_is_without_the_errors_of_measuring),
        cmocka_unit_test(hosts_that_scatter_less_than_their_errors_do_not_differ),
        cmocka_unit_test(nothing_is_said_without_intervals),
        cmocka_unit_test(intervals_hold_what_hosts_truly_differ_by),
        cmocka_unit_test(hosts_on_either_side_of_zero_are_counted),
        cmocka_unit_test(a_table_is_read_series_by_series),
    };

    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
