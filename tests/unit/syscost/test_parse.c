#include "../unit.h"

#include <string.h>

#include "../../../src/syscost/parse.h"

static void slices(void **state)
{
    const char *const bad[] = {"", "0", "-1", "nan", "inf", "40ms", "0.0009", "10.1", "1e9", " 1"};
    int64_t ns = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_slice(bad[i], &ns));
    assert_int_equal(ns, 42);
    assert_null(parse_slice("0.001", &ns));
    assert_int_equal(ns, 1000000);
    assert_null(parse_slice("10", &ns));
    assert_int_equal(ns, 10000000000);
    assert_null(parse_slice("0.007", &ns));
    assert_int_equal(ns, 7000000);
}

static void good_calls(void **state)
{
    const struct call *found[CALLS_MAX];
    unsigned count = 0;

    (void)state;
    assert_null(parse_calls("read", found, &count));
    assert_int_equal(count, 1);
    assert_string_equal(found[0]->name, "read");
    assert_null(parse_calls("open-close,connect,getppid,read", found, &count));
    assert_int_equal(count, 4);
    assert_string_equal(found[0]->name, "open-close");
    assert_string_equal(found[1]->name, "connect");
    assert_string_equal(found[2]->name, "getppid");
    assert_string_equal(found[3]->name, "read");
}

static void bad_calls(void **state)
{
    const char *const bad[] = {"",
                               ",",
                               "read,",
                               ",read",
                               "rea",
                               "reads",
                               "Read",
                               " read",
                               "read connect",
                               "read,,connect",
                               "read,write",
                               "read,read",
                               "read,connect,getppid,open-close,read"};
    const struct call *found[CALLS_MAX];
    unsigned count = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_calls(bad[i], found, &count));
    assert_int_equal(count, 42);
}

static void what_was_expected_names_all_calls(void **state)
{
    const struct call *found[CALLS_MAX];
    const char *expected = parse_calls("none", found, &(unsigned){0});
    unsigned count = 0;

    (void)state;
    for (const struct call *call = calls; call->name; call++, count++)
        assert_non_null(strstr(expected, call->name));
    assert_int_equal(count, CALLS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices),
        cmocka_unit_test(good_calls),
        cmocka_unit_test(bad_calls),
        cmocka_unit_test(what_was_expected_names_all_calls),
    };

    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
