#include "../unit.h"

#include <string.h>

#include "../../../src/cpumeter/field.h"

static void numbers_follow_each_other(void **state)
{
    const char *text = "  12 0\t18446744073709551615 x";
    uint64_t value;

    (void)state;
    assert_true(field_next(&text, &value));
    assert_true(value == 12);
    assert_true(field_next(&text, &value));
    assert_true(value == 0);
    assert_true(field_next(&text, &value));
    assert_true(value == UINT64_MAX);
    assert_string_equal(text, " x");
    assert_false(field_next(&text, &value));
    assert_string_equal(text, " x");
}

static void what_does_not_fit_is_no_number(void **state)
{
    const char *const cases[] = {"", " ", "-1", "+1", "x", "18446744073709551616", "\n5"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *text = cases[i];
        uint64_t value = 42;

        assert_false(field_next(&text, &value));
        assert_true(value == 42);
    }
}

static void a_key_is_a_whole_word_at_the_start_of_a_line(void **state)
{
    const char *text = "nr_usage_usec 1\nusage_usec_more 2\nx usage_usec 3\nusage_usec\t 4\nusage_usec 5\n";
    uint64_t value;

    (void)state;
    assert_true(field_find(text, "usage_usec", &value));
    assert_true(value == 4);
    assert_false(field_find(text, "user_usec", &value));
    assert_false(field_find("", "user_usec", &value));
    assert_false(field_find("user_usec", "user_usec", &value));
    assert_false(field_find("user_usec none\nuser_usec 1\n", "user_usec", &value));
}

static void scaling_does_not_wrap(void **state)
{
    (void)state;
    assert_true(field_scale(5, 1000) == 5000);
    assert_true(field_scale(UINT64_MAX / 1000, 1000) == UINT64_MAX / 1000 * 1000);
    assert_true(field_scale(UINT64_MAX / 1000 + 1, 1000) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_follow_each_other),
        cmocka_unit_test(what_does_not_fit_is_no_number),
        cmocka_unit_test(a_key_is_a_whole_word_at_the_start_of_a_line),
        cmocka_unit_test(scaling_does_not_wrap),
    };

    return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
