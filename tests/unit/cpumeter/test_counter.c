#include "../unit.h"

#include "../../../src/cpumeter/counter.h"
#include "../../../src/cpumeter/host.h"

static void a_growing_counter_is_taken_as_it_is(void **state)
{
    struct counter counter = {0};

    (void)state;
    assert_false(counter_update(&counter, 100));
    assert_true(counter_value(&counter) == 100);
    assert_false(counter_update(&counter, 100));
    assert_false(counter_update(&counter, 150));
    assert_true(counter_value(&counter) == 150);
}

static void the_first_reading_may_be_zero(void **state)
{
    struct counter counter = {0};

    (void)state;
    assert_false(counter_update(&counter, 0));
    assert_false(counter_update(&counter, 7));
    assert_true(counter_value(&counter) == 7);
}

static void after_a_reset_it_goes_on(void **state)
{
    struct counter counter = {0};

    (void)state;
    counter_update(&counter, 1000);
    assert_true(counter_update(&counter, 30));
    assert_true(counter_value(&counter) == 1030);
    assert_false(counter_update(&counter, 50));
    assert_true(counter_value(&counter) == 1050);
    assert_true(counter_update(&counter, 0));
    assert_false(counter_update(&counter, 5));
    assert_true(counter_value(&counter) == 1055);
}

static void what_does_not_fit_stays_at_the_maximum(void **state)
{
    struct counter counter = {0};

    (void)state;
    counter_update(&counter, UINT64_MAX - 1);
    assert_true(counter_update(&counter, 1));
    assert_true(counter_value(&counter) == UINT64_MAX);
    assert_true(counter_update(&counter, 0));
    assert_false(counter_update(&counter, 9));
    assert_true(counter_value(&counter) == UINT64_MAX);
}

static void a_dip_is_held(void **state)
{
    struct held held = {0};

    (void)state;
    assert_true(held_update(&held, 100, false) == 100);
    assert_true(held_update(&held, 90, false) == 100);
    assert_true(held_update(&held, 99, false) == 100);
    assert_true(held_update(&held, 101, false) == 101);
}

static void a_rebased_figure_goes_on_up_or_down(void **state)
{
    struct held held = {0};

    (void)state;
    held_update(&held, 1000, false);
    assert_true(held_update(&held, 400, true) == 1000);
    assert_true(held_update(&held, 410, false) == 1010);
    assert_true(held_update(&held, 5000, true) == 1010);
    assert_true(held_update(&held, 5001, false) == 1011);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_growing_counter_is_taken_as_it_is),
        cmocka_unit_test(the_first_reading_may_be_zero),
        cmocka_unit_test(after_a_reset_it_goes_on),
        cmocka_unit_test(what_does_not_fit_stays_at_the_maximum),
        cmocka_unit_test(a_dip_is_held),
        cmocka_unit_test(a_rebased_figure_goes_on_up_or_down),
    };

    return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
