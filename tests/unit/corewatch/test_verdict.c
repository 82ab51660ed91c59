#include "../unit.h"

#include <math.h>

#include "../../../src/corewatch/verdict.h"

static void the_fastest_time_alone_is_kept(void **state)
{
    struct times times = {.alone_ns = 30};

    (void)state;
    verdict_note_alone(&times);
    assert_int_equal(times.fastest_ns, 30);
    times.alone_ns = 40;
    verdict_note_alone(&times);
    assert_int_equal(times.fastest_ns, 30);
    times.alone_ns = 20;
    verdict_note_alone(&times);
    assert_int_equal(times.fastest_ns, 20);
    times.alone_ns = 0;
    verdict_note_alone(&times);
    assert_int_equal(times.fastest_ns, 20);
}

static void the_slowest_counts(void **state)
{
    const struct times times[] = {{.together_ns = 22, .fastest_ns = 20},
                                  {.together_ns = 35, .fastest_ns = 20}};

    (void)state;
    assert_true(fabs(verdict_slowdown(times, 2) - 1.75) < 1e-9);
    assert_true(fabs(verdict_slowdown(times, 1) - 1.1) < 1e-9);
}

static void without_one_of_the_times_nothing_is_known(void **state)
{
    const struct times late[] = {{.together_ns = 22, .fastest_ns = 20}, {.together_ns = 0, .fastest_ns = 20}},
                       never_alone[] = {{.together_ns = 22, .fastest_ns = 0},
                                        {.together_ns = 35, .fastest_ns = 20}};

    (void)state;
    assert_true(verdict_slowdown(late, 2) <= 0);
    assert_true(verdict_slowdown(never_alone, 2) <= 0);
}

static void cpus_that_share_a_core_are_told_from_others(void **state)
{
    (void)state;
    assert_false(verdict_is_shared(1.2));
    assert_true(verdict_is_shared(1.5));
}

static void the_longest_distance_counts(void **state)
{
    const struct times times[] = {{.distance_ns = 0}, {.distance_ns = 300}, {.distance_ns = 40}};

    (void)state;
    assert_int_equal(verdict_distance_ns(times, 3), 300);
    assert_int_equal(verdict_distance_ns(times, 1), 0);
    assert_false(verdict_is_far(60));
    assert_true(verdict_is_far(260));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_time_alone_is_kept),
        cmocka_unit_test(the_slowest_counts),
        cmocka_unit_test(without_one_of_the_times_nothing_is_known),
        cmocka_unit_test(the_longest_distance_counts),
        cmocka_unit_test(cpus_that_share_a_core_are_told_from_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
