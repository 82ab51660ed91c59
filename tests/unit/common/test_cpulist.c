#include "../unit.h"

#include <string.h>

#include "../../../src/common/cpulist.h"

static void lists_are_normalized(void **state)
{
    const struct {
        const char *text;
        const char *normal;
        unsigned count;
    } cases[] = {
        {"0", "0", 1},         {"0,2-3", "0,2-3", 3},         {"3,1,2", "1-3", 3}, {"5-5", "5", 1},
        {"0-3,2-6", "0-6", 7}, {"1023-1024", "1023-1024", 2}, {"8191", "8191", 1}, {"007", "7", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cpulist cpus;
        char text[64];

        assert_null(cpulist_parse(cases[i].text, &cpus));
        cpulist_format(&cpus, text, sizeof(text));
        assert_string_equal(text, cases[i].normal);
        assert_int_equal(cpulist_count(&cpus), cases[i].count);
    }
}

static void bad_lists(void **state)
{
    const char *const cases[] = {
        "",    ",",     "0,", ",0", "0,,1", "a",    "1-",     "-1",
        "3-1", "1-2-3", " 0", "0 ", "0x1",  "8192", "0-8192", "99999999999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct cpulist cpus;

        assert_non_null(cpulist_parse(cases[i], &cpus));
    }
}

static void lowest_cpu_outside(void **state)
{
    struct cpulist cpus, allowed;

    (void)state;
    cpulist_parse("0-3", &allowed);
    cpulist_parse("1,3", &cpus);
    assert_int_equal(cpulist_outside(&cpus, &allowed), -1);
    cpulist_parse("1,5,7", &cpus);
    assert_int_equal(cpulist_outside(&cpus, &allowed), 5);
}

static void each_cpu_in_turn(void **state)
{
    const int expected[] = {0, 3, 4, CPULIST_MAX - 1, -1};
    struct cpulist cpus;
    int cpu = -1;

    (void)state;
    cpulist_parse("3-4,0,8191", &cpus);
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        cpu = cpulist_next(&cpus, (unsigned)(cpu + 1));
        assert_int_equal(cpu, expected[i]);
    }
    assert_int_equal(cpulist_next(&cpus, CPULIST_MAX), -1);
}

static void format_fits_the_buffer(void **state)
{
    struct cpulist cpus;
    char text[32];

    (void)state;
    memset(text, 'x', sizeof(text));
    cpulist_parse("0,2,4,6,8,10", &cpus);
    cpulist_format(&cpus, text, 6);
    assert_int_equal(text[5], '\0');
    for (size_t i = 6; i < sizeof(text); i++)
        assert_int_equal(text[i], 'x');
}

static void affinity_of_this_process(void **state)
{
    struct cpulist before, after;

    (void)state;
    assert_int_equal(cpulist_get_affinity(&before) < 0, 0);
    assert_true(cpulist_count(&before) >= 1);
    assert_int_equal(cpulist_set_affinity(&before), 0);
    assert_int_equal(cpulist_get_affinity(&after) < 0, 0);
    assert_memory_equal(&before, &after, sizeof(before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_normalized),     cmocka_unit_test(bad_lists),
        cmocka_unit_test(lowest_cpu_outside),       cmocka_unit_test(format_fits_the_buffer),
        cmocka_unit_test(affinity_of_this_process), cmocka_unit_test(each_cpu_in_turn),
    };

    return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
