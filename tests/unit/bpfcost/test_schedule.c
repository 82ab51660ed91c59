#include "../unit.h"

#include <stdlib.h>

#include "../../../src/bpfcost/schedule.h"

static void forth_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < ROUND_PHASES; i++)
        assert_int_equal(round_phases[i], round_phases[ROUND_PHASES - 1 - i]);
}

static void each_state_as_often(void **state)
{
    int count[STATES] = {0};

    (void)state;
    for (int i = 0; i < ROUND_PHASES; i++)
        count[round_phases[i]]++;
    for (int i = 0; i < STATES; i++)
        assert_int_equal(count[i], ROUND_PHASES / STATES);
}

/* Each state adds one thing to the one before it. */
static void one_switch_at_a_time(void **state)
{
    (void)state;
    assert_int_equal(round_phases[0], OFF);
    for (int i = 1; i < ROUND_PHASES; i++)
        assert_true(abs((int)round_phases[i] - (int)round_phases[i - 1]) <= 1);
    assert_true(OFF < ON && ON < COUNTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forth_and_back),
        cmocka_unit_test(each_state_as_often),
        cmocka_unit_test(one_switch_at_a_time),
    };

    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
