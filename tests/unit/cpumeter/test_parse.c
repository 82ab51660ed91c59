#include "../unit.h"

#include <string.h>

#include "../../../src/cpumeter/parse.h"

static void a_named_value_is_cut_at_the_first_equals_sign(void **state)
{
    char text[] = "monitor=/sys/fs/cgroup/a=b";
    const char *name;
    const char *value;

    (void)state;
    assert_null(parse_named(text, &name, &value));
    assert_string_equal(name, "monitor");
    assert_string_equal(value, "/sys/fs/cgroup/a=b");
}

static void bad_named_values_stay_whole(void **state)
{
    const char *const bad[] = {"", "x", "=", "=x", "x=", "a b=x", "a,b=x", "a\"b=x", "a\nb=x"};
    const char *name = NULL;
    const char *value = NULL;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char text[20];

        strcpy(text, bad[i]);
        assert_non_null(parse_named(text, &name, &value));
        assert_string_equal(text, bad[i]);
    }
    assert_null(name);
    assert_null(value);
}

static void names_have_a_length(void **state)
{
    char text[102];

    (void)state;
    memset(text, 'a', sizeof(text));
    text[100] = '\0';
    assert_null(parse_name(text));
    text[100] = 'a';
    text[101] = '\0';
    assert_non_null(parse_name(text));
    assert_non_null(parse_name(""));
}

static void pids(void **state)
{
    const char *const bad[] = {"",   "0",  "-1",  "+1",         " 1",
                               "1 ", "1x", "0x1", "2147483648", "99999999999999999999"};
    pid_t pid = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_pid(bad[i], &pid));
    assert_int_equal(pid, 42);
    assert_null(parse_pid("2147483647", &pid));
    assert_int_equal(pid, 2147483647);
}

static void seconds(void **state)
{
    const char *const bad[] = {"", "0", "-1", "nan", "inf", "1s", "0x1", "1e-4", "1e9", " 1", "1e400"};
    int64_t ns = 42;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_seconds(bad[i], &ns));
    assert_true(ns == 42);
    assert_null(parse_seconds("0.001", &ns));
    assert_true(ns == 1000000);
    assert_null(parse_seconds("1.5e1", &ns));
    assert_true(ns == INT64_C(15000000000));
}

static void program_ids(void **state)
{
    uint32_t id;

    (void)state;
    assert_null(parse_program_id("0", &id));
    assert_int_equal(id, 0);
    assert_null(parse_program_id("4294967295", &id));
    assert_true(id == UINT32_MAX);
    assert_non_null(parse_program_id("4294967296", &id));
    assert_non_null(parse_program_id("-1", &id));
    assert_non_null(parse_program_id("", &id));
}

static void owners(void **state)
{
    const char *const bad[] = {"",        "pid",    "pid=",   "pid=0",         "pid=x",
                               "cgroup=", "cgroup", "user=1", "/sys/fs/cgroup"};
    struct owner owner;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_non_null(parse_owner(bad[i], &owner));
    assert_null(parse_owner("pid=7", &owner));
    assert_int_equal(owner.pid, 7);
    assert_null(owner.cgroup);
    assert_null(parse_owner("cgroup=/a", &owner));
    assert_string_equal(owner.cgroup, "/a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_value_is_cut_at_the_first_equals_sign),
        cmocka_unit_test(bad_named_values_stay_whole),
        cmocka_unit_test(names_have_a_length),
        cmocka_unit_test(pids),
        cmocka_unit_test(seconds),
        cmocka_unit_test(program_ids),
        cmocka_unit_test(owners),
    };

    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
