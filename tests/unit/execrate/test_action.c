#include "../unit.h"

#include <string.h>

#include "../../../src/execrate/action.h"

static void lists(void **state)
{
    const struct action *actions[ACTIONS_MAX];
    unsigned count = 0;

    (void)state;
    assert_null(parse_actions("exec", actions, &count));
    assert_int_equal(count, 1);
    assert_ptr_equal(actions[0], &action_exec);

    assert_null(parse_actions("connect,open,exec", actions, &count));
    assert_int_equal(count, 3);
    assert_string_equal(actions[0]->name, "connect");
    assert_string_equal(actions[1]->name, "open");
    assert_ptr_equal(actions[2], &action_exec);

    assert_null(
        parse_actions("exec,open,read-sensitive,write-below-bin,change-namespace,connect", actions, &count));
    assert_int_equal(count, 6);
}

static void bad_lists(void **state)
{
    const char *const cases[] = {"",      ",",         "exec,",     ",exec",     "exe",
                                 "execs", "exec open", "open,open", "exec,,open"};
    const struct action *actions[ACTIONS_MAX];
    unsigned count;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_non_null(parse_actions(cases[i], actions, &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(bad_lists),
    };

    return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}
