/* Change points in series in which it is known where there are any. */
#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "../../../src/figures/changes.h"
#include "numbers.h"

#define SERIES 300
#define LONGEST 100

/* Mean 0, standard deviation 1; with a sigma, log-normal. */
static double noise(gsl_rng *random, double sigma)
{
    double mean = exp(sigma * sigma / 2), deviation = mean * sqrt(expm1(sigma * sigma));

    if (!(sigma > 0))
        return gsl_ran_gaussian(random, 1);
    return (exp(gsl_ran_gaussian(random, sigma)) - mean) / deviation;
}

struct found {
    int any, in_place;
};

/* Series of that length, which are higher by step from first on. In how many of them a change was found, and
 * a single one within two of the place. */
static struct found find(size_t length, size_t first, double step, double sigma)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    struct found found = {0, 0};

    gsl_rng_set(random, 20260404);
    for (int i = 0; i < SERIES; i++) {
        struct change changes[LONGEST];
        double values[LONGEST];
        size_t count;

        for (size_t j = 0; j < length; j++)
            values[j] = 100 + (j >= first ? step : 0) + noise(random, sigma);
        count = changes_find(values, length, changes);
        found.any += count > 0;
        found.in_place += count == 1 && changes[0].first + 2 >= first && changes[0].first <= first + 2;
    }
    gsl_rng_free(random);
    return found;
}

/* The level is 10 of 1000; 300 series tell it to within 12. */
static void series_without_a_change_rarely_have_one(void **state)
{
    static const size_t lengths[] = {10, 30, 100};

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int skewed = 0; skewed <= 1; skewed++) {
            struct found found = find(lengths[i], 0, 0, skewed ? 0.8 : 0);

            print_message("%zu %s values without a change: found in %.1f of 1000\n", lengths[i],
                          skewed ? "skewed" : "normal", 1000.0 * found.any / SERIES);
            assert_in_range(found.any * 1000 / SERIES, 0, 22);
        }
}

static void a_step_is_found_where_it_is(void **state)
{
    struct found late = find(30, 25, 3, 0), middle = find(40, 20, 2, 0.4);

    (void)state;
    print_message(
        "a step of 3 standard deviations before the last 5 of 30: found in %d of %d, in place in %d\n",
        late.any, SERIES, late.in_place);
    print_message("a step of 2 in the middle of 40, skewed: found in %d of %d, in place in %d\n", middle.any,
                  SERIES, middle.in_place);
    assert_in_range(late.any * 100 / SERIES, 97, 100);
    assert_in_range(late.in_place * 100 / SERIES, 90, 100);
    assert_in_range(middle.any * 100 / SERIES, 95, 100);
}

/* Alone at the end, it would be there by chance in fewer than one of 100 orders. */
static void one_that_stands_out_is_no_change(void **state)
{
    double values[250] = {0};
    struct change changes[250];

    (void)state;
    for (int i = 0; i < 250; i++)
        values[i] = i % 2;
    values[249] = 1000;
    assert_int_equal(changes_find(values, 250, changes), 0);
}

/* The larger one is found first, be it before or behind the other. */
static void several_changes_are_in_their_order(void **state)
{
    static const double levels[2][3] = {{10, 20, 5}, {5, 20, 10}};
    struct change changes[36];
    double values[36];

    (void)state;
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < 36; i++)
            values[i] = levels[order][i / 12] + i % 3;
        assert_int_equal(changes_find(values, 36, changes), 2);
        assert_int_equal(changes[0].first, 12);
        assert_int_equal(changes[1].first, 24);
        assert_true(changes[0].p <= 0.01 && changes[0].p > 0);
    }
}

static void too_few_or_equal_values_have_none(void **state)
{
    const double few[] = {1, 1, 9, 9}, equal[] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    struct change changes[12];

    (void)state;
    assert_int_equal(changes_find(few, 0, changes), 0);
    assert_int_equal(changes_find(few, 3, changes), 0);
    assert_int_equal(changes_find(few, 4, changes), 0);
    assert_int_equal(changes_find(equal, 12, changes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_without_a_change_rarely_have_one),
        cmocka_unit_test(a_step_is_found_where_it_is),
        cmocka_unit_test(one_that_stands_out_is_no_change),
        cmocka_unit_test(several_changes_are_in_their_order),
        cmocka_unit_test(too_few_or_equal_values_have_none),
    };

    return cmocka_run_group_tests_name("changes", tests, NULL, NULL);
}
