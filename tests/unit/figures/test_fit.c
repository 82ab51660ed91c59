/* Lines against exact solutions of the normal equations, worked out in fractions; the quantiles of Student's
 * t are those of its density, integrated numerically. And lines through 4000 sets of points whose true line
 * is known. */
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
    /* Variances 477/3500, 17/1750 and 19/770, with 1575/1034, 1225/627 and 242/125 degrees of freedom. */
    assert_interval(fit.fixed, 10.2, 8.025622651801, 12.374377348199);
    assert_interval(fit.slope, 2.2, 1.766158551682, 2.633841448318);
    assert_interval(fit.bend, 0, -0.697746302077, 0.697746302077);
    assert_interval(fit.doubling, 4.636363636364, 3.2182637999850, 6.785476804354);
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

/* The point of 10 alone has an x of its own: nothing tells its error. At 0, where there are three, the line
 * is known from these. */
static void no_bounds_where_a_point_decides_by_itself(void **state)
{
    struct fit_point points[] = {{0, 5, NAN}, {0, 6, NAN}, {0, 7, NAN}, {10, 25, NAN}};
    struct fit fit = fit_line(points, 4);

    (void)state;
    assert_number(fit.slope.value, 1.9, 1e-9);
    assert_true(isnan(fit.slope.low) && isnan(fit.slope.high));
    assert_unknown(fit.doubling);
    for (int i = 0; i < 4; i++)
        points[i].error = 1;
    assert_true(is_known(fit_line(points, 4).slope.low));
}

/* The same points with a larger unit of x, as of bytes by rules: a number of rules beyond all that is tried.
 */
static void doubling_in_any_unit(void **state)
{
    struct fit_point points[] = {{0, 1e7, NAN}, {1, 1e7 + 3, NAN}, {2, 1e7 + 4, NAN}, {3, 1e7 + 7, NAN}};
    struct fit fit = fit_line(points, 4), scaled;

    (void)state;
    for (int i = 0; i < 4; i++)
        points[i].x /= 1e9;
    scaled = fit_line(points, 4);
    assert_true(fit.doubling.value > 1e6 && is_known(fit.doubling.low));
    assert_interval(scaled.doubling, fit.doubling.value / 1e9, fit.doubling.low / 1e9,
                    fit.doubling.high / 1e9);
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

#define SETS 4000
#define FIXED 60.0
#define SLOPE 0.2

enum { OF_FIXED, OF_SLOPE, OF_BEND, OF_DOUBLING, KINDS };

/* As many cells as a kind has by default, or with three repetitions. */
static const double by_default[] = {0, 0, 0, 0, 0, 50, 100, 200, 400};
static const double repeated[] = {0, 0, 0, 50, 50, 50, 100, 100, 100, 200, 200, 200, 400, 400, 400};

#define CELLS(rules) (rules), sizeof(rules) / sizeof(*(rules))

struct tried {
    const double *rules;
    size_t count;
    double times; /* by how much an error at 400 rules is larger than without any */
    bool known;
    /* Of 1000, at least and at most; the mean half of a slope's interval, at most. */
    double fewest, most, reach;
};

/* Of a doubling, how many hold the truth of those that there are. */
struct hits {
    double held[KINDS], given[KINDS], reach;
};

static void count_one(struct hits *hits, int kind, struct interval interval, double truth)
{
    if (!is_known(interval.low))
        return;
    hits->given[kind]++;
    hits->held[kind] += interval.low <= truth && truth <= interval.high;
}

static struct hits count_hits(const struct tried *tried)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct hits hits = {0};

    gsl_rng_set(random, 20261122);
    for (int set = 0; set < SETS; set++) {
        struct fit_point points[16];
        struct fit fit;

        for (size_t i = 0; i < tried->count; i++) {
            double error = 7 * (1 + (tried->times - 1) * tried->rules[i] / 400);

            points[i].x = tried->rules[i];
            points[i].y = FIXED + SLOPE * points[i].x + gsl_ran_gaussian(random, error);
            /* A cell knows its error to a few per cent. */
            points[i].error = tried->known ? error * (1 + gsl_ran_gaussian(random, 0.03)) : NAN;
        }
        fit = fit_line(points, tried->count);
        count_one(&hits, OF_FIXED, fit.fixed, FIXED);
        count_one(&hits, OF_SLOPE, fit.slope, SLOPE);
        count_one(&hits, OF_BEND, fit.bend, 0);
        count_one(&hits, OF_DOUBLING, fit.doubling, FIXED / SLOPE);
        hits.reach += (fit.slope.high - fit.slope.low) / 2 / SETS;
    }
    gsl_rng_free(random);
    return hits;
}

static void assert_hits(const struct tried *tried)
{
    struct hits hits = count_hits(tried);

    print_message("%zu cells, errors %g times as large%s: slope ± %.4f;", tried->count, tried->times,
                  tried->known ? ", known" : "", hits.reach);
    for (int kind = 0; kind < KINDS; kind++)
        print_message(" %.0f of %.0f", 1000 * hits.held[kind] / SETS, 1000 * hits.given[kind] / SETS);
    print_message("\n");
    for (int kind = 0; kind < KINDS; kind++) {
        double held = 1000 * hits.held[kind] / hits.given[kind];

        assert_true(held >= tried->fewest && held <= tried->most);
    }
    assert_true(hits.reach <= tried->reach);
}

static void intervals_hold_the_truth(void **state)
{
    /* That errors may be unlike takes twice the width where they are not. */
    const struct tried tried[] = {
        {CELLS(by_default), 1, true, 930, 970, 0.042},    {CELLS(by_default), 2, true, 930, 970, 0.07},
        {CELLS(by_default), 1, false, 930, 1000, 0.084},  {CELLS(by_default), 1.5, false, 930, 1000, 0.1},
        {CELLS(by_default), 2.5, false, 930, 1000, 0.13}, {CELLS(repeated), 1, false, 930, 1000, 0.034},
        {CELLS(repeated), 1.5, false, 930, 1000, 0.045},  {CELLS(repeated), 2.5, false, 920, 1000, 0.065},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(tried) / sizeof(*tried); i++)
        assert_hits(&tried[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_by_least_squares),
        cmocka_unit_test(points_with_smaller_errors_count_more),
        cmocka_unit_test(errors_count_relative_to_each_other),
        cmocka_unit_test(one_unknown_error_and_all_points_count_alike),
        cmocka_unit_test(no_bounds_where_a_point_decides_by_itself),
        cmocka_unit_test(doubling_in_any_unit),
        cmocka_unit_test(a_bend_is_found),
        cmocka_unit_test(no_doubling_without_a_slope_above_zero),
        cmocka_unit_test(too_few_points),
        cmocka_unit_test(intervals_hold_the_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
