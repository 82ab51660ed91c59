#include "../unit.h"

#include <string.h>

#include "../../../src/execrate/environment.h"

/* Each byte more is copied at each execution: a change of the size is a change of what is measured. */
static void it_has_the_size_that_it_had(void **state)
{
    (void)state;
    assert_int_equal(environment_variables(), 25);
    assert_int_equal(environment_bytes(), 1411);
    assert_in_range(environment_bytes(), 1024, 2048);
}

static void the_size_is_that_of_the_variables(void **state)
{
    size_t count = 0, bytes = 0;

    (void)state;
    for (char *const *variable = environment; *variable; variable++) {
        count++;
        for (const char *p = *variable; *p != '\0'; p++)
            bytes++;
        bytes++;
    }
    assert_int_equal(environment_variables(), count);
    assert_int_equal(environment_bytes(), bytes);
}

static size_t name_length(const char *variable)
{
    return strspn(variable, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
}

static void each_variable_has_a_name_of_its_own_and_a_value(void **state)
{
    (void)state;
    for (size_t i = 0; environment[i]; i++) {
        size_t length = name_length(environment[i]);

        assert_true(length > 0);
        assert_int_equal(environment[i][length], '=');
        assert_int_not_equal(environment[i][length + 1], '\0');
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(strncmp(environment[i], environment[k], length + 1), 0);
    }
}

static int has(const char *start)
{
    for (size_t i = 0; environment[i]; i++)
        if (strncmp(environment[i], start, strlen(start)) == 0)
            return 1;
    return 0;
}

static void a_script_finds_its_programs_and_nothing_is_preloaded(void **state)
{
    (void)state;
    assert_true(has("PATH=/"));
    assert_true(has("HOME=/"));
    assert_true(has("LANG="));
    assert_false(has("LD_"));
    assert_false(has("GLIBC_"));
    assert_false(has("MALLOC_"));
    assert_false(has("EXECTAX_"));
    assert_false(has("MONITOR_"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_has_the_size_that_it_had),
        cmocka_unit_test(the_size_is_that_of_the_variables),
        cmocka_unit_test(each_variable_has_a_name_of_its_own_and_a_value),
        cmocka_unit_test(a_script_finds_its_programs_and_nothing_is_preloaded),
    };

    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
