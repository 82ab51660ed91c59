#include "../unit.h"

#include "../../../src/common/clock.h"

static void nanoseconds_and_timespec_are_the_same_time(void **state)
{
    const struct timespec time = {.tv_sec = 4000000000, .tv_nsec = 999999999};
    struct timespec back;

    (void)state;
    assert_true(from_timespec(&time) == INT64_C(4000000000999999999));
    back = to_timespec(INT64_C(4000000000999999999));
    assert_true(back.tv_sec == 4000000000);
    assert_true(back.tv_nsec == 999999999);
}

static void the_monotonic_clock_goes_forward(void **state)
{
    const int64_t before_ns = clock_ns(CLOCK_MONOTONIC);
    const int64_t between_ns = now_ns();

    (void)state;
    assert_true(before_ns > 0);
    assert_true(between_ns >= before_ns);
    assert_true(clock_ns(CLOCK_MONOTONIC) >= between_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nanoseconds_and_timespec_are_the_same_time),
        cmocka_unit_test(the_monotonic_clock_goes_forward),
    };

    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
