/* Corrections for the number of comparisons. */
#include "../../../src/figures/interval.h"
#include "../../../src/figures/ranks.h"

#include <math.h>

#include "../unit.h"
#include "numbers.h"

/* R: p.adjust(c(0.01, 0.02, 0.03, 0.005), "holm"). */
static void p_values_are_corrected_for_their_number(void **state)
{
    double p[] = {0.01, 0.02, 0.03, 0.005};

    (void)state;
    holm_correct(p, 4);
    assert_number(p[0], 0.03, 1e-12);
    assert_number(p[1], 0.04, 1e-12);
    assert_number(p[2], 0.04, 1e-12);
    assert_number(p[3], 0.02, 1e-12);
}

static void corrected_p_values_end_at_one_and_keep_their_order(void **state)
{
    double p[] = {0.9, 0.6, 0.02}, none[] = {0};

    (void)state;
    holm_correct(p, 3);
    assert_number(p[0], 1, 0);
    assert_number(p[1], 1, 0);
    assert_number(p[2], 0.06, 1e-12);
    holm_correct(none, 0);
}

/* R: 2 * pt(-2.5, 5). */
static void p_value_of_an_estimate(void **state)
{
    (void)state;
    assert_number(estimate_p((struct estimate){5, 4, 5}), 0.05449, 1e-5);
    assert_number(estimate_p((struct estimate){-5, 4, 5}), 0.05449, 1e-5);
    assert_number(estimate_p((struct estimate){0, 0, 5}), 1, 0);
    assert_number(estimate_p((struct estimate){1, 0, 5}), 0, 0);
    assert_true(isnan(estimate_p((struct estimate){1, 1, 0})));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_values_are_corrected_for_their_number),
        cmocka_unit_test(corrected_p_values_end_at_one_and_keep_their_order),
        cmocka_unit_test(p_value_of_an_estimate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
