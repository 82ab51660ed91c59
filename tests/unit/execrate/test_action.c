#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../../src/execrate/action.h"

static void each_action_is_whole_and_has_a_name_of_its_own(void **state)
{
    (void)state;
    assert_in_range(action_count(), 2, ACTIONS_MAX);
    for (size_t i = 0; i < action_count(); i++) {
        const struct action *action = action_at(i);

        assert_true(strlen(action->name) > 0);
        assert_int_equal(strspn(action->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(action->name));
        assert_true(strlen(action->summary) > 0);
        assert_null(strpbrk(action->summary, "\t\n"));
        assert_non_null(action->run);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(action->name, action_at(k)->name);
    }
}

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
}

static void all_in_one_list(void **state)
{
    const struct action *actions[ACTIONS_MAX];
    char text[4096] = "";
    unsigned count = 0;

    (void)state;
    for (size_t i = 0; i < action_count(); i++)
        strcat(strcat(text, i ? "," : ""), action_at(i)->name);
    assert_null(parse_actions(text, actions, &count));
    assert_int_equal(count, action_count());
    for (size_t i = 0; i < action_count(); i++)
        assert_ptr_equal(actions[i], action_at(i));
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

static void an_unknown_name_is_told_all_others(void **state)
{
    const struct action *actions[ACTIONS_MAX];
    const char *expected;
    unsigned count;

    (void)state;
    expected = parse_actions("fork", actions, &count);
    for (size_t i = 0; i < action_count(); i++)
        assert_non_null(strstr(expected, action_at(i)->name));
}

static void the_list_has_a_line_for_each(void **state)
{
    char *text, *line;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    actions_list(out);
    fclose(out);
    line = text;
    for (size_t i = 0; i < action_count(); i++) {
        char expected[1024];

        snprintf(expected, sizeof(expected), "%s\t%s\n", action_at(i)->name, action_at(i)->summary);
        assert_memory_equal(line, expected, strlen(expected));
        line += strlen(expected);
    }
    assert_string_equal(line, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_action_is_whole_and_has_a_name_of_its_own),
        cmocka_unit_test(lists),
        cmocka_unit_test(all_in_one_list),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(an_unknown_name_is_told_all_others),
        cmocka_unit_test(the_list_has_a_line_for_each),
    };

    return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}
