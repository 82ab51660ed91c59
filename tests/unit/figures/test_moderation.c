/* What rows tell of each other's scatter, against another program that was written from docs/figures.md, with
 * its own series for digamma and trigamma, and bisection. */
#include "../unit.h"

#include "../../../src/figures/moderation.h"
#include "../../../src/figures/number.h"
#include "numbers.h"

#define ROWS 10

/* times: how many times as large the variance is with what the others tell. */
static void assert_moderations(const struct scatter *scatters, size_t count, const double *times,
                               double degrees)
{
    struct moderation moderations[ROWS];

    moderations_find(scatters, count, moderations);
    for (size_t i = 0; i < count; i++) {
        if (scatters[i].variance > 0)
            assert_number(1 + moderations[i].variance / scatters[i].variance, times[i], 1e-8 * times[i]);
        else
            assert_number(moderations[i].variance, 0, 0);
        assert_number(moderations[i].degrees, degrees, 1e-6 * degrees);
    }
}

/* The larger the level, the larger the scatter; those that tell nothing stay as they are. */
static void scatters_are_drawn_to_a_line(void **state)
{
    const struct scatter scatters[ROWS] = {{0.05, 1e-6, 2}, {0.07, 6e-5, 2}, {0.1, 4e-6, 2}, {0.2, 1.6e-5, 3},
                                           {0.3, 9e-4, 2},  {0.5, 4e-5, 4},  {0.6, 5e-4, 4}, {0.9, 3e-4, 2},
                                           {0.4, 0, 2},     {0.4, 1e-4, 0}};
    struct moderation moderations[ROWS];

    (void)state;
    assert_moderations(scatters, 8,
                       (double[]){1.456430835058292, 0.6620572793021268, 1.2618622712826155,
                                  1.0860939404622072, 0.6548498308173056, 1.2854294532916017,
                                  0.8337439209835951, 0.923098586496333},
                       1.131635795660966);
    moderations_find(scatters, ROWS, moderations);
    assert_number(moderations[0].degrees, 1.131635795660966, 1e-6);
    for (int i = 8; i < ROWS; i++) {
        assert_number(moderations[i].variance, 0, 0);
        assert_number(moderations[i].degrees, 0, 0);
    }
}

/* No more than chance explains: their mean, known with all of their degrees of freedom. Levels that are alike
 * have no line. */
static void scatters_that_are_alike_become_one(void **state)
{
    static const double squares[8] = {1, 2, 1.5, 0.5, 3, 2, 1, 1.2};
    struct scatter scatters[8];

    (void)state;
    for (int i = 0; i < 8; i++)
        scatters[i] = (struct scatter){0.1, 1e-4 * squares[i], 2};
    assert_moderations(scatters, 8,
                       (double[]){2.110968419656066, 1.1110397653835886, 1.4443493168077477,
                                  4.110825728201021, 0.7777302139594294, 1.1110397653835886,
                                  2.110968419656066, 1.7776588682319072},
                       16);
}

static void scatters_that_are_unlike_tell_little(void **state)
{
    const struct scatter scatters[8] = {{0.1, 1e-1, 4}, {0.1, 1e-2, 4}, {0.1, 1e-3, 4}, {0.1, 1e-4, 4},
                                        {0.1, 1e-5, 4}, {0.1, 1e-6, 4}, {0.1, 1e-7, 4}, {0.1, 1e-8, 4}};

    (void)state;
    assert_moderations(scatters, 8,
                       (double[]){0.9353300018742065, 0.9353308732263452, 0.9353395867477329,
                                  0.9354267219616084, 0.9362980741003648, 0.9450115954879265,
                                  1.032146809363544, 1.9034989481197202},
                       0.2765659243568642);
}

static void few_scatters_tell_nothing(void **state)
{
    const struct scatter scatters[9] = {{0.1, 1e-4, 2}, {0.1, 2e-4, 2}, {0.1, 3e-4, 2},
                                        {0.1, 4e-4, 2}, {0.1, 5e-4, 2}, {0.1, 6e-4, 2},
                                        {0.1, 7e-4, 2}, {0.1, 0, 2},    {0.1, UNKNOWN, 2}};

    (void)state;
    assert_moderations(scatters, 9, (double[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, 0);
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
