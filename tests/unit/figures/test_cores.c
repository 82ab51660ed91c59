#include "../unit.h"

#include <math.h>

#include "../../../src/figures/cores.h"
#include "files.h"
#include "numbers.h"

static struct cores read_good(const char *text)
{
    struct problem problem = {""};
    struct cores cores = {0};

    cores_read(&cores, file_with(text), &problem);
    assert_string_equal(problem.text, "");
    return cores;
}

static void the_share_is_that_of_looks_within(void **state)
{
    struct cores cores = read_good("mono_ns,slowdown,shared,distance_ns,far\n100,1.7,1,40,0\n200,1,0,40,"
                                   "0\n300,1.8,1,40,0\n400,1,0,40,0\n500,1,0,40,0\n");

    (void)state;
    assert_number(cores_percent(&cores, LOOK_SHARED, 100, 600), 40, 1e-9);
    assert_number(cores_percent(&cores, LOOK_SHARED, 101, 500), 100.0 / 3, 1e-9);
    assert_number(cores_percent(&cores, LOOK_SHARED, 400, 600), 0, 1e-9);
    assert_true(isnan(cores_percent(&cores, LOOK_SHARED, 501, 600)));
    assert_true(isnan(cores_percent(&cores, LOOK_SHARED, 100, NAN)));
    cores_free(&cores);
}

static void a_time_is_between_its_two_looks(void **state)
{
    struct cores cores = read_good("mono_ns,slowdown,shared,distance_ns,far\n100,1,0,40,0\n200,1,0,40,0\n300,"
                                   "1.8,1,40,0\n400,1,0,40,0\n500,1,0,40,0\n");

    (void)state;
    assert_false(cores_may_be_misplaced(&cores, 50));
    assert_false(cores_may_be_misplaced(&cores, 199));
    assert_true(cores_may_be_misplaced(&cores, 200));
    assert_true(cores_may_be_misplaced(&cores, 300));
    assert_true(cores_may_be_misplaced(&cores, 399));
    assert_false(cores_may_be_misplaced(&cores, 400));
    assert_false(cores_may_be_misplaced(&cores, 501));
    cores_free(&cores);
}

static void a_look_that_shows_nothing_is_in_no_share_but_says_nothing_good(void **state)
{
    struct cores cores =
        read_good("mono_ns,slowdown,shared,distance_ns,far\n100,1,0,40,0\n200,,,,\n300,1.7,1,40,0\n");

    (void)state;
    assert_true(cores_may_be_misplaced(&cores, 150));
    assert_number(cores_percent(&cores, LOOK_SHARED, 100, 301), 50, 1e-9);
    assert_true(isnan(cores_percent(&cores, LOOK_SHARED, 200, 300)));
    cores_free(&cores);
}

static void before_the_first_and_after_the_last_look_there_is_one(void **state)
{
    struct cores cores = read_good("mono_ns,slowdown,shared,distance_ns,far\n100,,,,\n");

    (void)state;
    assert_true(cores_may_be_misplaced(&cores, 50));
    assert_true(cores_may_be_misplaced(&cores, 150));
    cores_free(&cores);
}

static void cpus_far_from_each_other_are_misplaced(void **state)
{
    struct cores cores = read_good("mono_ns,slowdown,shared,distance_ns,far\n100,1,0,40,0\n200,1,0,300,"
                                   "1\n300,1.7,1,300,1\n400,1,0,40,0\n");

    (void)state;
    assert_number(cores_percent(&cores, LOOK_FAR, 100, 401), 25, 1e-9);
    assert_number(cores_percent(&cores, LOOK_SHARED, 100, 401), 25, 1e-9);
    assert_true(cores_may_be_misplaced(&cores, 150));
    assert_false(cores_may_be_misplaced(&cores, 450));
    cores_free(&cores);
}

static void without_looks_nothing_is_shared(void **state)
{
    struct cores cores = read_good("mono_ns,slowdown,shared,distance_ns,far\n");

    (void)state;
    assert_false(cores_may_be_misplaced(&cores, 1));
    assert_true(isnan(cores_percent(&cores, LOOK_SHARED, 0, 1)));
    cores_free(&cores);
}

static void looks_in_disorder_are_a_problem(void **state)
{
    struct problem problem = {""};
    struct cores cores = {0};

    (void)state;
    cores_read(&cores, file_with("mono_ns,slowdown,shared,distance_ns,far\n100,1,0,40,0\n100,1,0,40,0\n"),
               &problem);
    assert_string_equal(problem.text, "line 3 is not later than the one before");
    cores_free(&cores);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_is_that_of_looks_within),
        cmocka_unit_test(a_time_is_between_its_two_looks),
        cmocka_unit_test(a_look_that_shows_nothing_is_in_no_share_but_says_nothing_good),
        cmocka_unit_test(before_the_first_and_after_the_last_look_there_is_one),
        cmocka_unit_test(cpus_far_from_each_other_are_misplaced),
        cmocka_unit_test(without_looks_nothing_is_shared),
        cmocka_unit_test(looks_in_disorder_are_a_problem),
    };

    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
