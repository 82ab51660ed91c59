/* Intervals against values that were worked out by hand; the quantiles of Student's t are those of R's
 * qt(0.975, degrees). */
#include "../unit.h"

#include <math.h>
#include <stdlib.h>

#include "../../../src/figures/interval.h"
#include "numbers.h"

#define T_1 12.7062047362
#define T_2 4.30265272975
#define T_4 2.77644510520

static void assert_near(double value, double expected)
{
    assert_number(value, expected, 1e-6 * fmax(1, fabs(expected)));
}

static void assert_interval(struct interval interval, double value, double low, double high)
{
    assert_near(interval.value, value);
    assert_near(interval.low, low);
    assert_near(interval.high, high);
}

static void assert_no_bounds(struct interval interval, double value)
{
    assert_near(interval.value, value);
    assert_true(isnan(interval.low) && isnan(interval.high));
}

/* R: t.test(1:5)$conf.int. The variance of 1 to 5 is 2.5. */
static void mean_has_a_t_interval(void **state)
{
    const double values[] = {1, 2, 3, 4, 5};

    (void)state;
    assert_interval(interval_of_mean(values, 5), 3, 3 - T_4 * sqrt(0.5), 3 + T_4 * sqrt(0.5));
    assert_interval(interval_of_mean(values, 2), 1.5, 1.5 - T_1 / 2, 1.5 + T_1 / 2);
}

static void one_value_has_no_interval(void **state)
{
    const double value = 7;

    (void)state;
    assert_no_bounds(interval_of_mean(&value, 1), 7);
    assert_true(isnan(interval_of_mean(&value, 0).value));
}

static void equal_values_have_an_interval_without_width(void **state)
{
    const double values[] = {4, 4, 4};

    (void)state;
    assert_interval(interval_of_mean(values, 3), 4, 4, 4);
}

/* R: t.test(1:5, c(2, 4, 6, 8))$conf.int, 4.749 degrees of freedom. */
static void difference_has_welch_interval(void **state)
{
    const double a[] = {1, 2, 3, 4, 5}, b[] = {2, 4, 6, 8};

    (void)state;
    assert_interval(interval_of_difference(a, 5, b, 4), -2, -5.8446363839, 1.8446363839);
    assert_no_bounds(interval_of_difference(a, 5, b, 1), 1);
}

static struct interval ratio_of_independent(const double *a, size_t a_count, const double *b, size_t b_count)
{
    struct estimate over = estimate_mean(a, a_count), under = estimate_mean(b, b_count), left[3];
    double ratio = over.value / under.value;

    for (int i = 0; i < 3; i++) {
        double r = ratio + i - 1;

        left[i] =
            estimate_minus(over, (struct estimate){r * under.value, r * r * under.variance, under.degrees});
    }
    return interval_of_ratio(ratio, left);
}

/* The roots of (mean(a) - r mean(b))² = qt(0.975, 2.947147)² (var(a) / 4 + r² var(b) / 3). */
static void ratio_after_fieller(void **state)
{
    const double a[] = {10, 12, 11, 13}, b[] = {4, 5, 6}, near_zero[] = {-5, 1, 6};

    (void)state;
    assert_interval(ratio_of_independent(a, 4, b, 3), 2.3, 1.5811159028, 3.7541628114);
    assert_no_bounds(ratio_of_independent(a, 4, near_zero, 3), 11.5 / (2.0 / 3));
    assert_no_bounds(ratio_of_independent(a, 4, b, 1), 11.5 / 4);
}

/* The roots of mean(a - r b)² = qt(0.975, 3)² var(a - r b) / 4. */
static void ratio_of_pairs(void **state)
{
    const double a[] = {10, 12, 11, 13}, b[] = {4, 5, 4, 6}, ratio = 46.0 / 19;
    struct estimate left[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        double rest[4];

        for (int j = 0; j < 4; j++)
            rest[j] = a[j] - (ratio + i - 1) * b[j];
        left[i] = estimate_mean(rest, 4);
    }
    assert_interval(interval_of_ratio(ratio, left), ratio, 2.11536477189, 2.99008586987);
}

/* Two cells, each told from the other: 4 apart. Their variance is 8. */
static const double two_values[] = {100, 104}, each_other[] = {0, 1, 1, 0};
static const struct shared two_cells = {two_values, 2, each_other};

static void scatter_of_two_cells_is_their_variance(void **state)
{
    struct estimate scatter = shared_scatter(&two_cells);

    (void)state;
    assert_near(scatter.variance, 8);
    assert_near(scatter.degrees, 1);
}

/* With equal weights, it is the variance of any number of cells: of 1, 2, 3, 6 that is 14 / 3. */
static void scatter_of_equal_weights_is_the_variance(void **state)
{
    const double values[] = {1, 2, 3, 6};
    double weights[16];
    struct shared shared = {values, 4, weights};

    (void)state;
    for (int i = 0; i < 16; i++)
        weights[i] = i % 5 ? 1.0 / 3 : 0;
    assert_near(shared_scatter(&shared).variance, 14.0 / 3);
    assert_near(shared_scatter(&shared).degrees, 3);
}

/* Worked out from the definition: residuals -2.2, -1 and 4.2, divided by 1 + 0.58, 1 + 0.52 and 1 + 0.68. */
static void scatter_of_unequal_weights_has_fewer_degrees(void **state)
{
    const double values[] = {1, 2, 6}, weights[] = {0, 0.7, 0.3, 0.6, 0, 0.4, 0.2, 0.8, 0};
    const struct shared shared = {values, 3, weights};

    (void)state;
    assert_near(shared_scatter(&shared).variance, 4.740395292);
    assert_near(shared_scatter(&shared).degrees, 1.773117201);
}

static void one_cell_of_the_baseline_says_nothing_of_its_error(void **state)
{
    const double value = 100, own = 1, differences[] = {10, 12}, weights[] = {1, 1};
    const struct shared shared = {&value, 1, &own};
    const struct compared compared = {.differences = differences, .count = 2, .weights = weights};

    (void)state;
    assert_no_bounds(interval_of(estimate_compared(&compared, &shared)), 11);
}

/* The differences' own variance is 2, of their mean 1. Both took off the mean of the baseline's cells, whose
 * variance is 8 / 2. Degrees: (2 * 1 + 4)² / ((2 * 1)² / 1 + 4² / 1) = 1.8, R: qt(0.975, 1.8) * sqrt(5)
 * = 10.72168. */
static void error_of_a_shared_baseline_is_added(void **state)
{
    const double differences[] = {10, 12}, weights[] = {0.5, 0.5, 0.5, 0.5};
    const struct compared compared = {.differences = differences, .count = 2, .weights = weights};

    (void)state;
    assert_interval(interval_of(estimate_compared(&compared, &two_cells)), 11, 11 - 10.7216806766,
                    11 + 10.7216806766);
}

/* What else is known of the differences' scatter makes the variance of their mean 1 + 3, with 1 + 4 degrees
 * of freedom. Degrees of the sum: (2 * 4 + 4)² / ((2 * 4)² / 5 + 4² / 1) = 5. */
static void what_else_is_known_of_the_scatter_counts(void **state)
{
    const double differences[] = {10, 12}, weights[] = {0.5, 0.5, 0.5, 0.5};
    const struct compared compared = {
        .differences = differences, .count = 2, .weights = weights, .moderation = {3, 4}};

    (void)state;
    assert_near(estimate_compared(&compared, &two_cells).variance, 4 + 4);
    assert_near(estimate_compared(&compared, &two_cells).degrees, 5);
    assert_near(estimate_between(&compared, &compared, &two_cells).variance, 4 + 4);
}

/* Each took off another cell, so that the error of these is in the scatter of the differences. */
static void error_that_the_scatter_shows_is_not_added(void **state)
{
    const double differences[] = {10, 12}, weights[] = {1, 0, 0, 1};
    const struct compared compared = {.differences = differences, .count = 2, .weights = weights};

    (void)state;
    assert_near(estimate_compared(&compared, &two_cells).variance, 1);
    assert_near(estimate_compared(&compared, &two_cells).degrees, 1);
}

/* Both took off the same: 3 ± qt(0.975, 2) * sqrt(1 + 1), as by Welch without a baseline. */
static void shared_baseline_cancels_out_between_two(void **state)
{
    const double a[] = {10, 12}, b[] = {7, 9}, weights[] = {0.5, 0.5, 0.5, 0.5};
    const struct compared of_a = {.differences = a, .count = 2, .weights = weights},
                          of_b = {.differences = b, .count = 2, .weights = weights};

    (void)state;
    assert_interval(interval_of(estimate_between(&of_a, &of_b, &two_cells)), 3, 3 - T_2 * sqrt(2),
                    3 + T_2 * sqrt(2));
}

/* a took off the one cell, b the other: their difference has the error of both, 8 * (1 + 1). */
static void different_baselines_do_not_cancel_out(void **state)
{
    const double a[] = {10, 12}, b[] = {7, 9}, first[] = {1, 0, 1, 0}, second[] = {0, 1, 0, 1};
    const struct compared of_a = {.differences = a, .count = 2, .weights = first},
                          of_b = {.differences = b, .count = 2, .weights = second};

    (void)state;
    assert_near(estimate_between(&of_a, &of_b, &two_cells).variance, 1 + 1 + 16);
}

/* Cells of variance 7. a took off the first, b the second and the third one: their difference has the error
 * of (1, -0.5, -0.5), 1.5 cells, of which the scatter of b shows 0.5. */
static void error_that_the_scatter_of_either_shows_is_not_added_between_two(void **state)
{
    const double values[] = {1, 2, 6}, others[] = {0, 0.5, 0.5, 0.5, 0, 0.5, 0.5, 0.5, 0};
    const double a[] = {10, 12}, b[] = {7, 9}, first[] = {1, 0, 0, 1, 0, 0}, each[] = {0, 1, 0, 0, 0, 1};
    const struct shared shared = {values, 3, others};
    const struct compared of_a = {.differences = a, .count = 2, .weights = first},
                          of_b = {.differences = b, .count = 2, .weights = each};

    (void)state;
    assert_near(estimate_between(&of_a, &of_b, &shared).variance, 1 + 1 + 7);
    assert_near(estimate_between(&of_b, &of_a, &shared).variance, 1 + 1 + 7);
}

/* Both scatter by the same cells, more than their means differ. */
static void scatter_is_never_taken_off(void **state)
{
    const double a[] = {10, 12}, b[] = {7, 9}, each[] = {1, 0, 0, 1};
    const struct compared of_a = {.differences = a, .count = 2, .weights = each},
                          of_b = {.differences = b, .count = 2, .weights = each};

    (void)state;
    assert_near(estimate_between(&of_a, &of_b, &two_cells).variance, 1 + 1);
}

static void known_errors_need_no_repetition(void **state)
{
    const struct known_errors nothing = {0};
    const double value = 70, error = 3;
    struct estimate mean = estimate_known(&value, &error, 1, &nothing);
    struct interval interval = interval_of(mean);

    (void)state;
    assert_near(mean.value, 70);
    assert_near(mean.variance, 9);
    assert_true(interval.high - 70 > 1.96 * 3 && interval.high - 70 < 1.97 * 3);
}

static void known_errors_are_those_of_a_mean(void **state)
{
    const struct known_errors agree = {.squares = 5, .degrees = 10};
    const double values[] = {10, 20}, errors[] = {3, 4};
    struct estimate mean = estimate_known(values, errors, 2, &agree);

    (void)state;
    assert_near(mean.value, 15);
    assert_near(mean.variance, (9 + 16) / 4.0);
    assert_true(mean.degrees >= 1000);
}

static void where_all_scatter_more_than_their_errors_say_these_are_enlarged(void **state)
{
    const double values[] = {10, 20}, errors[] = {1, 1}, others[] = {5, 5, 8}, other_errors[] = {2, 2, 2};
    struct known_errors all = {0};
    struct estimate mean;

    (void)state;
    known_errors_add(&all, values, errors, 2);
    known_errors_add(&all, others, other_errors, 3);
    /* One alone says nothing. */
    known_errors_add(&all, values, errors, 1);
    assert_near(all.squares, 50 + 6 / 4.0);
    assert_near(all.degrees, 3);
    mean = estimate_known(values, errors, 2, &all);
    assert_near(mean.variance, 51.5 / 3 * 2 / 4);
    assert_near(mean.degrees, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_has_a_t_interval),
        cmocka_unit_test(one_value_has_no_interval),
        cmocka_unit_test(equal_values_have_an_interval_without_width),
        cmocka_unit_test(difference_has_welch_interval),
        cmocka_unit_test(ratio_after_fieller),
        cmocka_unit_test(ratio_of_pairs),
        cmocka_unit_test(scatter_of_two_cells_is_their_variance),
        cmocka_unit_test(scatter_of_equal_weights_is_the_variance),
        cmocka_unit_test(scatter_of_unequal_weights_has_fewer_degrees),
        cmocka_unit_test(one_cell_of_the_baseline_says_nothing_of_its_error),
        cmocka_unit_test(error_of_a_shared_baseline_is_added),
        cmocka_unit_test(what_else_is_known_of_the_scatter_counts),
        cmocka_unit_test(error_that_the_scatter_shows_is_not_added),
        cmocka_unit_test(shared_baseline_cancels_out_between_two),
        cmocka_unit_test(different_baselines_do_not_cancel_out),
        cmocka_unit_test(error_that_the_scatter_of_either_shows_is_not_added_between_two),
        cmocka_unit_test(scatter_is_never_taken_off),
        cmocka_unit_test(known_errors_need_no_repetition),
        cmocka_unit_test(known_errors_are_those_of_a_mean),
        cmocka_unit_test(where_all_scatter_more_than_their_errors_say_these_are_enlarged),
    };

    return cmocka_run_group_tests_name("interval", tests, NULL, NULL);
}
