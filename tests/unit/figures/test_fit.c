/* Lines against exact solutions of the normal equations, worked out in fractions; the quantiles of Student's
 * t are those of R's qt(0.975, degrees). And lines through 1000 sets of points whose true line is known. */
#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <math.h>

#include "../../../src/figures/fit.h"
#include "../../../src/figures/number.h"
#include "numbers.h"

static void assert_interval(struct interval interval, double value, double low, double high)
{
    assert_number(interval.value, value, 1e-6 * fmax(1, fabs(value)));
    assert_number(interval.low, low, 1e-6 * fmax(1, fabs(low)));
    assert_number(interval.high, high, 1e-6 * fmax(1, fabs(high)));
}

static void assert_unknown(struct interval interval)
{
    assert_true(isnan(interval.value) && isnan(interval.low) && isnan(interval.high));
}

static void line_by_least_squares(void **state)
{
    const struct fit_point points[] = {{0, 10, NAN}, {1, 13, NAN}, {2, 14, NAN}, {3, 17, NAN}, {4, 19, NAN}};
    struct fit fit = fit_line(points, 5);

    (void)state;
    assert_interval(fit.fixed, 10.2, 8.927021477888, 11.472978522112);
    assert_interval(fit.slope, 2.2, 1.6803086945506, 2.7196913054494);
    assert_interval(fit.bend, 0, -0.7272810522335, 0.7272810522335);
    assert_interval(fit.doubling, 4.6363636363636, 3.3330346057544, 6.7241013369593);
}

static const struct fit_point weighted[] = {{0, 50, 1}, {0, 52, 1}, {100, 60, 2}, {200, 69, 2}, {400, 91, 4}};

static void points_with_smaller_errors_count_more(void **state)
{
    struct fit fit = fit_line(weighted, 5);

    (void)state;
    assert_interval(fit.fixed, 50.9081967213115, 48.8970102240072, 52.9193832186158);
    assert_interval(fit.slope, 0.0948524590163934, 0.0733893306715821, 0.1163155873612048);
    assert_interval(fit.bend, 4.256837098692e-05, -0.000218997230984, 0.000304133972958);
    assert_interval(fit.doubling, 536.7092983062565, 429.0531826564778, 706.504782891731);
}

/* Their size is taken from the scatter. */
static void errors_count_relative_to_each_other(void **state)
{
    struct fit_point points[5];
    struct fit fit, same = fit_line(weighted, 5);

    (void)state;
    for (int i = 0; i < 5; i++) {
        points[i] = weighted[i];
        points[i].error *= 10;
    }
    fit = fit_line(points, 5);
    assert_interval(fit.slope, same.slope.value, same.slope.low, same.slope.high);
}

static void one_unknown_error_and_all_points_count_alike(void **state)
{
    struct fit_point points[5], plain[5];
    struct fit fit, same;

    (void)state;
    for (int i = 0; i < 5; i++) {
        points[i] = plain[i] = weighted[i];
        plain[i].error = NAN;
    }
    points[4].error = NAN;
    fit = fit_line(points, 5);
    same = fit_line(plain, 5);
    assert_interval(fit.slope, same.slope.value, same.slope.low, same.slope.high);
    points[4].error = 0;
    fit = fit_line(points, 5);
    assert_interval(fit.slope, same.slope.value, same.slope.low, same.slope.high);
}

/* y = 5 + x²: the last term is 1, and nothing scatters. */
static void a_bend_is_found(void **state)
{
    const struct fit_point points[] = {{0, 5, NAN}, {1, 6, NAN}, {2, 9, NAN}, {3, 14, NAN}, {4, 21, NAN}};
    struct fit fit = fit_line(points, 5);

    (void)state;
    assert_interval(fit.bend, 1, 1, 1);
}

static void no_doubling_without_a_slope_above_zero(void **state)
{
    const struct fit_point flat[] = {{0, 5, NAN}, {1, 4, NAN}, {2, 6, NAN}, {3, 4, NAN}, {4, 5.1, NAN}};
    const struct fit_point falling[] = {{0, 9, NAN}, {1, 8, NAN}, {2, 7.1, NAN}, {3, 6, NAN}};
    const struct fit_point below[] = {{0, -9, NAN}, {1, -8, NAN}, {2, -7.1, NAN}, {3, -6, NAN}};

    (void)state;
    assert_unknown(fit_line(flat, 5).doubling);
    assert_unknown(fit_line(falling, 4).doubling);
    assert_unknown(fit_line(below, 4).doubling);
    assert_true(fit_line(below, 4).slope.low > 0);
}

static void too_few_points(void **state)
{
    const struct fit_point two[] = {{0, 5, NAN}, {10, 25, NAN}};
    const struct fit_point alike[] = {{7, 5, NAN}, {7, 6, NAN}, {7, 7, NAN}};
    const struct fit_point of_two[] = {{0, 5, NAN}, {0, 5.5, NAN}, {10, 25, NAN}, {10, 26, NAN}};
    struct fit fit = fit_line(two, 2);

    (void)state;
    assert_number(fit.slope.value, 2, 1e-9);
    assert_number(fit.fixed.value, 5, 1e-9);
    assert_true(isnan(fit.slope.low) && isnan(fit.slope.high));
    assert_unknown(fit.doubling);
    assert_unknown(fit.bend);
    assert_unknown(fit_line(two, 1).slope);
    assert_unknown(fit_line(alike, 3).slope);
    assert_unknown(fit_line(two, 0).fixed);
    assert_true(is_known(fit_line(of_two, 4).slope.low));
    assert_unknown(fit_line(of_two, 4).bend);
}

#define SETS 1000
#define FEWEST 930
#define MOST 970
#define FIXED 60.0
#define SLOPE 0.2

enum { OF_FIXED, OF_SLOPE, OF_BEND, OF_DOUBLING, KINDS };

/* As many cells as a kind has by default; with rules, they scatter more. */
static const double rules[] = {0, 0, 0, 0, 0, 50, 100, 200, 400};

#define CELLS (sizeof(rules) / sizeof(*rules))

static int holds(struct interval interval, double truth)
{
    return interval.low <= truth && truth <= interval.high;
}

static void count_hits(int hits[KINDS], double unlike, bool known)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(random, 20261122);
    for (int set = 0; set < SETS; set++) {
        struct fit_point points[CELLS];
        struct fit fit;

        for (size_t i = 0; i < CELLS; i++) {
            double error = 7 * (1 + unlike * rules[i] / 400);

            points[i].x = rules[i];
            points[i].y = FIXED + SLOPE * rules[i] + gsl_ran_gaussian(random, error);
            /* A cell knows its error to a few per cent. */
            points[i].error = known ? error * (1 + gsl_ran_gaussian(random, 0.03)) : NAN;
        }
        fit = fit_line(points, CELLS);
        hits[OF_FIXED] += holds(fit.fixed, FIXED);
        hits[OF_SLOPE] += holds(fit.slope, SLOPE);
        hits[OF_BEND] += holds(fit.bend, 0);
        hits[OF_DOUBLING] += holds(fit.doubling, FIXED / SLOPE);
    }
    gsl_rng_free(random);
}

static void assert_hits(double unlike, bool known)
{
    int hits[KINDS] = {0};

    count_hits(hits, unlike, known);
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("unlike %g, errors %sknown, %d: %d of %d\n", unlike, known ? "" : "not ", kind,
                      hits[kind], SETS);
        assert_in_range(hits[kind], FEWEST, MOST);
    }
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    assert_hits(0, false);
    assert_hits(1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_by_least_squares),
        cmocka_unit_test(points_with_smaller_errors_count_more),
        cmocka_unit_test(errors_count_relative_to_each_other),
        cmocka_unit_test(one_unknown_error_and_all_points_count_alike),
        cmocka_unit_test(a_bend_is_found),
        cmocka_unit_test(no_doubling_without_a_slope_above_zero),
        cmocka_unit_test(too_few_points),
        cmocka_unit_test(intervals_hold_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
