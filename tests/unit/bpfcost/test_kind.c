#include "../unit.h"

#include <string.h>

#include "../../../src/bpfcost/kind.h"

static void names_are_told_apart_in_a_list(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        char name[128];

        strcpy(name, kind_name(&kinds[i]));
        assert_null(strpbrk(name, ",/\" \t"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(name, kind_name(&kinds[j]));
    }
}

static void every_kind_has_a_first_program_which_is_empty_unless_it_wakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        assert_int_equal(kind_has(&kinds[i], FIRST, EMPTY), !kinds[i].wakes);
        assert_int_equal(kind_has(&kinds[i], FIRST, WAKE), kinds[i].wakes);
    }
}

/* What it adds is told from what a program in the same place takes that wakes nobody. */
static void waking_has_a_kind_without_it(void **state)
{
    int count = 0;

    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        char without[128];

        if (!kinds[i].wakes)
            continue;
        count++;
        strcpy(without, kind_name(&kinds[i]) + strlen("wake:"));
        for (size_t j = 0; j < kind_count; j++)
            count += !kinds[j].wakes && strcmp(kind_name(&kinds[j]), without) == 0;
        for (int place = 0; place < PLACES; place++)
            for (int work = 0; work < WORKS; work++)
                assert_int_equal(kind_has(&kinds[i], (enum place)place, (enum work)work),
                                 place == FIRST && work == WAKE);
    }
    assert_int_equal(count, 2);
}

static void beside_needs_another_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        assert_int_equal(kind_has(&kinds[i], BESIDE, EMPTY), kinds[i].beside != NULL);
}

/* The program counts in the measuring thread only, and that is checked. */
static void work_is_done_by_the_measuring_thread(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        for (int place = 0; place < PLACES; place++)
            assert_false(kind_has(&kinds[i], (enum place)place, WORK) &&
                         (kinds[i].by_another_process || kinds[i].never));
}

static void dear_calls_are_those_of_processes(void **state)
{
    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        const char *name = kind_name(&kinds[i]);
        const bool of_processes = strstr(name, "_fork") || strstr(name, "_exit") || strstr(name, "_exec");

        if (!strstr(name, "sys_exit") && !kinds[i].never)
            assert_int_equal(kind_is_dear(&kinds[i]), of_processes);
    }
}

static void a_sham_is_never_passed(void **state)
{
    int count = 0;

    (void)state;
    for (size_t i = 0; i < kind_count; i++) {
        count += kinds[i].never;
        assert_false(kinds[i].never && kinds[i].by_all_calls);
    }
    assert_int_equal(count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told_apart_in_a_list),
        cmocka_unit_test(every_kind_has_a_first_program_which_is_empty_unless_it_wakes),
        cmocka_unit_test(waking_has_a_kind_without_it),
        cmocka_unit_test(beside_needs_another_end),
        cmocka_unit_test(work_is_done_by_the_measuring_thread),
        cmocka_unit_test(dear_calls_are_those_of_processes),
        cmocka_unit_test(a_sham_is_never_passed),
    };

    return cmocka_run_group_tests_name("kind", tests, NULL, NULL);
}
