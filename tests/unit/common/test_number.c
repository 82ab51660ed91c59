#include "../unit.h"

#include "../../../src/common/number.h"

static void the_number_that_a_text_begins_with(void **state)
{
    const char *text = "0012,34";
    uint64_t value = 0;

    (void)state;
    assert_true(number_next(&text, 12, &value));
    assert_true(value == 12);
    assert_string_equal(text, ",34");
}

static void what_does_not_begin_with_a_number_is_left_alone(void **state)
{
    const struct {
        const char *text;
        uint64_t max;
    } cases[] = {
        {"", UINT64_MAX},   {" 1", UINT64_MAX},         {"-1", UINT64_MAX},
        {"+1", UINT64_MAX}, {"x", UINT64_MAX},          {"18446744073709551616", UINT64_MAX},
        {"8", 7},           {"4294967296", UINT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *text = cases[i].text;
        uint64_t value = 42;

        assert_false(number_next(&text, cases[i].max, &value));
        assert_ptr_equal(text, cases[i].text);
        assert_true(value == 42);
    }
}

static void whole_numbers(void **state)
{
    const char *const bad[] = {"",   "4",  "11",  "-5",  "+5",  " 5",
                               "5 ", "5x", "0x5", "5.0", "5e0", "18446744073709551621"};
    uint64_t value = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_false(number_parse(bad[i], 5, 10, &value));
    assert_true(value == 42);
    assert_true(number_parse("5", 5, 10, &value));
    assert_true(value == 5);
    assert_true(number_parse("010", 5, 10, &value));
    assert_true(value == 10);
    assert_true(number_parse("18446744073709551615", 0, UINT64_MAX, &value));
    assert_true(value == UINT64_MAX);
}

static void real_numbers(void **state)
{
    const char *const bad[] = {"",    " 1",  "1 ",  "1x",   "1,5",   "1.2.3",  "e5",     "1e",     ".",
                               "+-1", "nan", "inf", "0x10", "1e400", "1e-400", "0.4999", "1000.1", "-1"};
    double value = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_false(number_parse_real(bad[i], 0.5, 1000, &value));
    assert_true(value == 42);
    assert_true(number_parse_real("0.5", 0.5, 1000, &value));
    assert_true(value == 0.5);
    assert_true(number_parse_real("1e3", 0.5, 1000, &value));
    assert_true(value == 1000);
    assert_true(number_parse_real("+.75", 0.5, 1000, &value));
    assert_true(value == 0.75);
}

static void seconds(void **state)
{
    int64_t ns = 42;

    (void)state;
    assert_false(number_parse_seconds("0", 1e-9, &ns));
    assert_false(number_parse_seconds("315360000.1", 1e-9, &ns));
    assert_true(ns == 42);
    assert_true(number_parse_seconds("1e-9", 1e-9, &ns));
    assert_true(ns == 1);
    /* To the nearest, not down. */
    assert_true(number_parse_seconds("0.0000000019", 1e-9, &ns));
    assert_true(ns == 2);
    assert_true(number_parse_seconds("315360000", 1e-9, &ns));
    assert_true(ns == INT64_C(315360000000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_that_a_text_begins_with),
        cmocka_unit_test(what_does_not_begin_with_a_number_is_left_alone),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(real_numbers),
        cmocka_unit_test(seconds),
    };

    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
