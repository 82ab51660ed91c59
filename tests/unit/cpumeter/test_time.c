#include "../unit.h"

#include "../../../src/common/clock.h"
#include "../../../src/cpumeter/clock.h"
#include "../../../src/cpumeter/window.h"

static void a_machine_that_slept_was_suspended(void **state)
{
    struct sleep_watch watch = {0};

    (void)state;
    /* It slept before the first reading. */
    assert_false(sleep_watch_update(&watch, 100 * NS_PER_SEC, 500 * NS_PER_SEC));
    assert_false(sleep_watch_update(&watch, 101 * NS_PER_SEC, 501 * NS_PER_SEC + 1000000));
    assert_true(sleep_watch_update(&watch, 102 * NS_PER_SEC, 503 * NS_PER_SEC));
    assert_false(sleep_watch_update(&watch, 103 * NS_PER_SEC, 504 * NS_PER_SEC));
}

static void readings_are_due_at_multiples_of_the_interval(void **state)
{
    const struct window window = {.start_ns = 1000, .interval_ns = 10, .end_ns = 1035};

    (void)state;
    assert_true(window_next_ns(&window, 1000) == 1010);
    assert_true(window_next_ns(&window, 1009) == 1010);
    assert_true(window_next_ns(&window, 1010) == 1020);
    /* Those that were missed stay so. */
    assert_true(window_next_ns(&window, 1027) == 1030);
    assert_true(window_next_ns(&window, 1031) == 1035);
    assert_true(window_next_ns(&window, 2000) == 1035);
}

static void without_an_interval_the_end_is_next(void **state)
{
    const struct window until_end = {.start_ns = 1000, .end_ns = 1035};
    const struct window until_signal = {.start_ns = 1000, .end_ns = INT64_MAX};

    (void)state;
    assert_true(window_next_ns(&until_end, 1001) == 1035);
    assert_true(window_next_ns(&until_signal, 1001) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_that_slept_was_suspended),
        cmocka_unit_test(readings_are_due_at_multiples_of_the_interval),
        cmocka_unit_test(without_an_interval_the_end_is_next),
    };

    return cmocka_run_group_tests_name("time", tests, NULL, NULL);
}
