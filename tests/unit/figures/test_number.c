#include "../unit.h"

#include <math.h>
#include <string.h>

#include "../../../src/figures/number.h"
#include "numbers.h"

static void assert_printed(double number, const char *expected)
{
    char text[NUMBER_TEXT_SIZE];

    number_format(number, text);
    assert_string_equal(text, expected);
}

static void rounds_halves_away_from_zero(void **state)
{
    (void)state;
    assert_number(number_round(0.0005), 0.001, 0);
    assert_number(number_round(-0.0005), -0.001, 0);
    assert_number(number_round(2.00049), 2, 0);
    assert_number(number_round(1.0625), 1.063, 0);
    assert_false(signbit(number_round(-0.0001)));
    assert_true(isnan(number_round(UNKNOWN)));
}

/* The expected texts are what jq 1.6 prints. */
static void prints_the_shortest_text_that_reads_the_same(void **state)
{
    (void)state;
    assert_printed(0, "0");
    assert_printed(100, "100");
    assert_printed(-0.5, "-0.5");
    assert_printed(0.001, "0.001");
    assert_printed(123456789.125, "123456789.125");
    assert_printed(0.1 + 0.2, "0.30000000000000004");
    assert_printed(0.0001, "0.0001");
    assert_printed(0.00001, "1e-05");
    assert_printed(1e12, "1000000000000");
    assert_printed(1e16, "1e+16");
    assert_printed(1.5e17, "1.5e+17");
    assert_printed(1234567890123456789.0, "1234567890123456800");
    assert_printed(UNKNOWN, "");
    assert_printed((double)INFINITY, "");
    assert_printed(number_round(-1e306), "");
}

static int whole(const char *text, int64_t *value)
{
    return number_parse_whole(text, text + strlen(text), value);
}

static void reads_whole_numbers(void **state)
{
    int64_t value;

    (void)state;
    assert_true(whole("0", &value) && value == 0);
    assert_true(whole("-12", &value) && value == -12);
    assert_true(whole("1790000000000000001", &value) && value == 1790000000000000001);
    assert_true(whole("4611686018427387903", &value) && value == INT64_MAX / 2);
    assert_false(whole("4611686018427387904", &value));
    assert_false(whole("9223372036854775808", &value));
    assert_false(whole("18446744073709551617", &value));
    assert_false(whole("", &value));
    assert_false(whole("-", &value));
    assert_false(whole("+1", &value));
    assert_false(whole("1.5", &value));
    assert_false(whole(" 1", &value));
}

static void reads_numbers(void **state)
{
    double value;

    (void)state;
    assert_true(number_parse("1.25", &value) && value == 1.25);
    assert_true(number_parse("-3", &value) && value == -3);
    assert_false(number_parse("", &value));
    assert_false(number_parse("1x", &value));
    assert_false(number_parse("nan", &value));
    assert_false(number_parse("-inf", &value));
    assert_true(number_parse("-4e18", &value) && value == -4e18);
    assert_false(number_parse("5e18", &value));
    assert_false(number_parse("1e306", &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_halves_away_from_zero),
        cmocka_unit_test(prints_the_shortest_text_that_reads_the_same),
        cmocka_unit_test(reads_whole_numbers),
        cmocka_unit_test(reads_numbers),
    };

    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
