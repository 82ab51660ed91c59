#include "../unit.h"

#include <string.h>

#include "../../../src/execrate/parse.h"

static void good_rates(void **state)
{
    const struct {
        const char *text;
        uint64_t uhz;
    } cases[] = {
        {"100", 100000000},     {"0.5", 500000},
        {"1234.5", 1234500000}, {"0.1", 100000},
        {"0.000001", 1},        {"1e3", 1000000000},
        {".25", 250000},        {"1000000000", UINT64_C(1000000000000000)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t uhz = 0;

        assert_null(parse_rate(cases[i].text, &uhz));
        assert_true(uhz == cases[i].uhz);
    }
}

static void bad_rates(void **state)
{
    const char *const cases[] = {"",   "0",  "-1",   "nan", "NaN",       "inf",        "1e400",
                                 "1x", "x",  "0x10", " 5",  "5 ",        "1,5",        "1.2.3",
                                 "e5", "1e", "+-1",  ".",   "0.0000001", "1000000001", "1e13"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        uint64_t uhz = 42;

        assert_non_null(parse_rate(cases[i], &uhz));
        assert_int_equal(uhz, 42);
    }
}

static void rate_above_the_clock_says_so(void **state)
{
    uint64_t uhz;

    (void)state;
    assert_non_null(strstr(parse_rate("2e9", &uhz), "resolution of the clock"));
}

static void threads(void **state)
{
    const char *const bad[] = {"", "0", "-1", "1025", "2x", " 2", "+2", "Auto", "99999999999999999999"};
    unsigned n = 42;

    (void)state;
    assert_null(parse_threads("auto", &n));
    assert_int_equal(n, 0);
    assert_null(parse_threads("1024", &n));
    assert_int_equal(n, 1024);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_threads(bad[i], &n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_rates),
        cmocka_unit_test(bad_rates),
        cmocka_unit_test(rate_above_the_clock_says_so),
        cmocka_unit_test(threads),
    };

    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
