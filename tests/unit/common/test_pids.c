#include "../unit.h"

#include <stdio.h>

#include "../../../src/common/pids.h"

static void procs_are_read(void **state)
{
    struct pids pids = {0};

    (void)state;
    assert_true(pids_parse(&pids, ""));
    assert_int_equal(pids.count, 0);
    assert_true(pids_parse(&pids, "12\n7\n4194304\n"));
    assert_int_equal(pids.count, 3);
    assert_int_equal(pids.list[0], 12);
    assert_int_equal(pids.list[2], 4194304);
    pids_free(&pids);
}

static void several_cgroups_add_up(void **state)
{
    struct pids pids = {0};
    char text[8 * 1000], *end = text;

    (void)state;
    for (int pid = 1000; pid < 2000; pid++)
        end += sprintf(end, "%d\n", pid);
    assert_true(pids_parse(&pids, text));
    assert_true(pids_parse(&pids, "5\n"));
    assert_int_equal(pids.count, 1001);
    assert_int_equal(pids.list[999], 1999);
    assert_int_equal(pids.list[1000], 5);
    pids_free(&pids);
}

static void processes_of_other_namespaces_are_left_out(void **state)
{
    struct pids pids = {0};

    (void)state;
    assert_true(pids_parse(&pids, "0\n3\n0\n"));
    assert_int_equal(pids.count, 1);
    assert_int_equal(pids.list[0], 3);
    pids_free(&pids);
}

static void other_texts_are_refused(void **state)
{
    const char *const texts[] = {"x\n", "-1\n", " 1\n",         "1 2\n",
                                 "1",   "\n",   "2147483648\n", "99999999999999999999\n"};
    struct pids pids = {0};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_false(pids_parse(&pids, texts[i]));
    assert_int_equal(pids.count, 0);
    pids_free(&pids);
}

static void sorted_ones_are_found(void **state)
{
    struct pids pids = {0};

    (void)state;
    pids_sort(&pids);
    assert_false(pids_has(&pids, 1));
    assert_true(pids_parse(&pids, "30\n2147483647\n1\n7\n"));
    pids_sort(&pids);
    assert_int_equal(pids.list[0], 1);
    assert_int_equal(pids.list[3], 2147483647);
    assert_true(pids_has(&pids, 30));
    assert_true(pids_has(&pids, 2147483647));
    assert_false(pids_has(&pids, 8));
    pids_free(&pids);
}

#define STAT(name, state, threads)                                                                           \
    "42 (" name ") " state " 1 42 42 0 -1 4194304 100 0 0 0 1 2 3 4 20 0 " threads " 0 8000 1000 200\n"

static void only_zombies_without_threads_are_dead(void **state)
{
    (void)state;
    assert_true(pids_stat_is_dead(STAT("true", "Z", "1")));
    assert_true(pids_stat_is_dead(STAT("true", "X", "0")));
    assert_true(pids_stat_is_dead(STAT("a) S (b", "Z", "1")));
    assert_false(pids_stat_is_dead(STAT("true", "S", "1")));
    assert_false(pids_stat_is_dead(STAT("Z) Z 1", "R", "1")));
    assert_false(pids_stat_is_dead(STAT("its first thread ended", "Z", "2")));
    assert_false(pids_stat_is_dead("42 (true) Z"));
    assert_false(pids_stat_is_dead(""));
}

static void traced_ones_are_not_stopped(void **state)
{
    (void)state;
    assert_true(pids_stat_is_stopped(STAT("true", "T", "1")));
    assert_true(pids_stat_is_stopped(STAT("a) S (b", "T", "1")));
    assert_false(pids_stat_is_stopped(STAT("true", "t", "1")));
    assert_false(pids_stat_is_stopped(STAT("true", "S", "1")));
    assert_false(pids_stat_is_stopped(STAT(") T ", "R", "1")));
    assert_false(pids_stat_is_stopped(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(procs_are_read),
        cmocka_unit_test(several_cgroups_add_up),
        cmocka_unit_test(processes_of_other_namespaces_are_left_out),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(sorted_ones_are_found),
        cmocka_unit_test(only_zombies_without_threads_are_dead),
        cmocka_unit_test(traced_ones_are_not_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
