#include "../unit.h"

#include "../../../src/execrate/schedule.h"

static void first_launch_is_due_at_once(void **state)
{
    (void)state;
    assert_int_equal(schedule_due_ns(1600 * UHZ_PER_HZ, 0), 0);
}

static void no_drift_over_a_billion_launches(void **state)
{
    (void)state;
    /* 1600/s: 625 us. */
    assert_int_equal(schedule_due_ns(1600 * UHZ_PER_HZ, 1000000000), INT64_C(625000000000000));
    /* 3/s: a period of 333333333.3 ns; adding up a rounded period would be 333 ms off. */
    assert_int_equal(schedule_due_ns(3 * UHZ_PER_HZ, 1000000000), INT64_C(333333333333333333));
    assert_int_equal(schedule_due_ns(3 * UHZ_PER_HZ, 999999999), INT64_C(333333333000000000));
}

static void fractional_rates(void **state)
{
    (void)state;
    assert_int_equal(schedule_due_ns(UHZ_PER_HZ / 2, 1), INT64_C(2000000000));
    assert_int_equal(schedule_due_ns(UHZ_PER_HZ / 2, 7), INT64_C(14000000000));
    assert_int_equal(schedule_due_ns(1234500000, 2469), INT64_C(2000000000));
    assert_int_equal(schedule_due_ns(1, 1), INT64_C(1000000000000000));
}

static void due_times_never_go_back(void **state)
{
    int64_t last_ns = -1;

    (void)state;
    for (uint64_t i = 0; i < 100000; i++) {
        int64_t due_ns = schedule_due_ns(999999937, i);

        assert_true(due_ns > last_ns);
        last_ns = due_ns;
    }
}

static void count_is_of_due_times_before_the_end(void **state)
{
    (void)state;
    assert_int_equal(schedule_count(100 * UHZ_PER_HZ, 1000000000), 100);
    assert_int_equal(schedule_count(1234500000, 2000000000), 2469);
    assert_int_equal(schedule_count(UHZ_PER_HZ / 10, INT64_C(30000000000)), 3);
    assert_int_equal(schedule_count(UHZ_PER_HZ / 2, 1000000000), 1);
    assert_int_equal(schedule_count(UHZ_PER_HZ / 2, 2000000000), 1);
    assert_int_equal(schedule_count(UHZ_PER_HZ / 2, 2000000001), 2);
    assert_int_equal(schedule_count(1000 * UHZ_PER_HZ, 1), 1);
}

static void count_agrees_with_due_times(void **state)
{
    const uint64_t rates_uhz[] = {1, 333333, 700000, 1000000, 123456789, 1600000000, 999999999999};
    const int64_t durations_ns[] = {1, 999, 1000000000, 1234567890, 60000000000};

    (void)state;
    for (size_t r = 0; r < sizeof(rates_uhz) / sizeof(*rates_uhz); r++) {
        for (size_t d = 0; d < sizeof(durations_ns) / sizeof(*durations_ns); d++) {
            uint64_t count = schedule_count(rates_uhz[r], durations_ns[d]);

            assert_true(schedule_due_ns(rates_uhz[r], count - 1) < durations_ns[d]);
            assert_true(schedule_due_ns(rates_uhz[r], count) >= durations_ns[d]);
        }
    }
}

static void absurd_count_does_not_wrap(void **state)
{
    (void)state;
    assert_true(schedule_count(UINT64_C(1000000000000000), INT64_C(315360000000000000)) ==
                UINT64_C(315360000000000000));
    assert_true(schedule_count(UINT64_MAX, INT64_MAX) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_launch_is_due_at_once),
        cmocka_unit_test(no_drift_over_a_billion_launches),
        cmocka_unit_test(fractional_rates),
        cmocka_unit_test(due_times_never_go_back),
        cmocka_unit_test(count_is_of_due_times_before_the_end),
        cmocka_unit_test(count_agrees_with_due_times),
        cmocka_unit_test(absurd_count_does_not_wrap),
    };

    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
