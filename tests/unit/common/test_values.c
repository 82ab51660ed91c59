#include "../unit.h"

#include <string.h>

#include "../../../src/common/values.h"

static void durations(void **state)
{
    const char *const bad[] = {"", "0", "-1", "nan", "inf", "1s", "0x1", "1e-10", "1e9", " 1"};
    int64_t ns;

    (void)state;
    assert_null(parse_duration("2", &ns));
    assert_int_equal(ns, 2000000000);
    assert_null(parse_duration("0.1", &ns));
    assert_int_equal(ns, 100000000);
    assert_null(parse_duration("1e-9", &ns));
    assert_int_equal(ns, 1);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_duration(bad[i], &ns));
}

static void good_groups(void **state)
{
    gid_t groups[2];

    (void)state;
    assert_null(parse_groups("1000,2000", groups));
    assert_int_equal(groups[0], 1000);
    assert_int_equal(groups[1], 2000);
    assert_null(parse_groups("4294967294,1", groups));
    assert_int_equal(groups[0], 4294967294);
    assert_int_equal(groups[1], 1);
}

static void bad_groups(void **state)
{
    const char *const bad[] = {
        "",    "1",    "1,",      ",1",           "1,2,3",        "0,1",
        "1,0", "-1,2", "1,-2",    "1 ,2",         "1, 2",         "root,staff",
        "1;2", "1,2x", "0x1,0x2", "1,4294967295", "4294967295,1", "1,99999999999999999999"};
    gid_t groups[2] = {7, 8};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_groups(bad[i], groups));
    assert_non_null(strstr(parse_groups("5,5", groups), "different"));
    assert_non_null(strstr(parse_groups("05,5", groups), "different"));
    assert_int_equal(groups[0], 7);
    assert_int_equal(groups[1], 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(good_groups),
        cmocka_unit_test(bad_groups),
    };

    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
