/* What rows tell of each other's scatter, against another program that was written from docs/figures.md, with
 * its own series for digamma and trigamma, and bisection. */
#include "../unit.h"

#include "../../../src/figures/moderation.h"
#include "../../../src/figures/number.h"
#include "numbers.h"

#define ROWS 10

/* times: how many times as large the variance is with what the others tell. */
static void assert_moderations(const struct scatter *scatters, size_t count, const double *times,
                               const double *degrees)
{
    struct moderation moderations[ROWS];

    moderations_find(scatters, count, moderations);
    for (size_t i = 0; i < count; i++) {
        if (scatters[i].variance > 0)
            assert_number(1 + moderations[i].variance / scatters[i].variance, times[i], 1e-8 * times[i]);
        else
            assert_number(moderations[i].variance, 0, 0);
        assert_number(moderations[i].degrees, degrees[i], 1e-6 * degrees[i]);
    }
}

/* The larger the level, the larger the scatter. One whose variance is zero stays as it is, one without a
 * degree of freedom gets what is expected at its level. */
static void scatters_are_drawn_to_a_line(void **state)
{
    const struct scatter scatters[ROWS] = {{0.05, 1e-6, 2}, {0.07, 6e-5, 2}, {0.1, 4e-6, 2}, {0.2, 1.6e-5, 3},
                                           {0.3, 9e-4, 2},  {0.5, 4e-5, 4},  {0.6, 5e-4, 4}, {0.9, 3e-4, 2},
                                           {0.4, 0, 2},     {0.4, 1e-4, 0}};
    struct moderation moderations[ROWS];

    (void)state;
    assert_moderations(
        scatters, 8,
        (double[]){1.9174658499583777, 0.7027126487275775, 1.6532106315636237, 1.3208728380330874,
                   0.6787816097166158, 1.5909576286489961, 0.8814898311033207, 1.1079422317122674},
        (double[]){0.962811625620986, 1.0022302616779348, 1.0364928381559415, 1.0701135774614174,
                   1.0653719651960245, 1.0344632689122069, 1.0177603328712088, 0.9727839341549414});
    moderations_find(scatters, ROWS, moderations);
    assert_number(moderations[8].variance, 0, 0);
    assert_number(moderations[8].degrees, 0, 0);
    assert_number(moderations[9].degrees, 1.0510983393237947, 1e-6);
    assert_number(moderations[9].variance, 0.00010829673164939436, 1e-12);
}

/* No more than chance explains: their mean, as well known as a mean of logarithms is. Levels that are alike
 * have no line. */
static void scatters_that_are_alike_become_one(void **state)
{
    static const double squares[8] = {1, 2, 1.5, 0.5, 3, 2, 1, 1.2};
    struct scatter scatters[8];

    (void)state;
    for (int i = 0; i < 8; i++)
        scatters[i] = (struct scatter){0.1, 1e-4 * squares[i], 2};
    assert_moderations(
        scatters, 8,
        (double[]){1.992063817323539, 1.074816600287716, 1.38056567263299, 3.8265582513951846,
                   0.7690675279424416, 1.074816600287716, 1.992063817323539, 1.6863147449782647},
        (double[]){10.692821147892465, 10.692821147892465, 10.692821147892465, 10.692821147892465,
                   10.692821147892465, 10.692821147892465, 10.692821147892465, 10.692821147892465});
}

static void scatters_that_are_unlike_tell_little(void **state)
{
    const struct scatter scatters[8] = {{0.1, 1e-1, 4}, {0.1, 1e-2, 4}, {0.1, 1e-3, 4}, {0.1, 1e-4, 4},
                                        {0.1, 1e-5, 4}, {0.1, 1e-6, 4}, {0.1, 1e-7, 4}, {0.1, 1e-8, 4}};

    (void)state;
    assert_moderations(
        scatters, 8,
        (double[]){0.9375214321879607, 0.9376522931614768, 0.9389609028966367, 0.9520470002482371,
                   1.082907973764242, 2.3915177089242903, 15.477615060524771, 146.33858857652956},
        (double[]){0.26663530027633703, 0.26663530027633703, 0.26663530027633703, 0.26663530027633703,
                   0.26663530027633703, 0.26663530027633703, 0.26663530027633703, 0.26663530027633703});
}

static void few_scatters_tell_nothing(void **state)
{
    const struct scatter scatters[9] = {{0.1, 1e-4, 2}, {0.1, 2e-4, 2}, {0.1, 3e-4, 2},
                                        {0.1, 4e-4, 2}, {0.1, 5e-4, 2}, {0.1, 6e-4, 2},
                                        {0.1, 7e-4, 2}, {0.1, 0, 2},    {0.1, UNKNOWN, 2}};

    (void)state;
    assert_moderations(scatters, 9, (double[]){1, 1, 1, 1, 1, 1, 1, 1, 1},
                       (double[]){0, 0, 0, 0, 0, 0, 0, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scatters_are_drawn_to_a_line),
        cmocka_unit_test(scatters_that_are_alike_become_one),
        cmocka_unit_test(scatters_that_are_unlike_tell_little),
        cmocka_unit_test(few_scatters_tell_nothing),
    };

    return cmocka_run_group_tests_name("moderation", tests, NULL, NULL);
}
