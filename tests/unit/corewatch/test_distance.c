#include "../unit.h"

#include <pthread.h>

#include "../../../src/common/clock.h"
#include "../../../src/corewatch/distance.h"

#define SECONDS_AT_MOST 20

static struct thrown thrown;

static void *throw_back(void *interval)
{
    distance_answer(&thrown, *(const uint64_t *)interval, now_ns() + SECONDS_AT_MOST * NS_PER_SEC);
    return NULL;
}

static int64_t throw_in(uint64_t interval)
{
    pthread_t other;
    int64_t trip_ns;

    assert_int_equal(pthread_create(&other, NULL, throw_back, &interval), 0);
    trip_ns = distance_ask_ns(&thrown, interval, now_ns() + SECONDS_AT_MOST * NS_PER_SEC);
    assert_int_equal(pthread_join(other, NULL), 0);
    return trip_ns;
}

static void it_comes_back_in_each_interval(void **state)
{
    (void)state;
    assert_true(throw_in(0) > 0);
    assert_true(throw_in(1) > 0);
    assert_true(throw_in(7) > 0);
}

static void nobody_waits_longer_than_until_then(void **state)
{
    const int64_t begin_ns = now_ns();

    (void)state;
    assert_true(distance_ask_ns(&thrown, 8, begin_ns + NS_PER_MSEC) == 0);
    distance_answer(&thrown, 9, now_ns() + NS_PER_MSEC);
    assert_true(now_ns() - begin_ns < SECONDS_AT_MOST * NS_PER_SEC);
    /* What was left of it does not matter later. */
    assert_true(throw_in(10) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_back_in_each_interval),
        cmocka_unit_test(nobody_waits_longer_than_until_then),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
