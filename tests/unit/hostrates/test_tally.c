#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/hostrates/output.h"

static struct reading reading(int64_t time_ns, uint64_t executions, uint64_t syscalls)
{
    return (struct reading){.time_ns = time_ns,
                            .counts = {[EXECUTIONS] = executions, [SYSCALLS] = syscalls, [FORKS] = 7}};
}

static struct tally tally_of(const struct reading readings[], size_t count)
{
    struct tally tally = {0};

    for (size_t i = 0; i < count; i++)
        tally_add(&tally, &readings[i]);
    return tally;
}

static void rates_are_of_the_time_that_passed(void **state)
{
    const struct reading readings[] = {reading(5000000000, 100, 0), reading(6000000000, 140, 1000),
                                       reading(8000000000, 160, 5000)};
    struct tally tally = tally_of(readings, 3);

    (void)state;
    assert_float_equal(tally_seconds(&tally), 3, 1e-9);
    assert_int_equal(tally_count(&tally, EXECUTIONS), 60);
    assert_int_equal(tally_count(&tally, SYSCALLS), 5000);
    assert_float_equal(tally.lowest_per_sec[EXECUTIONS], 10, 1e-9);
    assert_float_equal(tally.highest_per_sec[EXECUTIONS], 40, 1e-9);
    assert_float_equal(tally.lowest_per_sec[SYSCALLS], 1000, 1e-9);
    assert_float_equal(tally.highest_per_sec[SYSCALLS], 2000, 1e-9);
    assert_float_equal(tally.highest_per_sec[FORKS], 0, 1e-9);
}

static void what_the_end_cuts_off_is_counted_but_is_no_second(void **state)
{
    const struct reading readings[] = {reading(0, 0, 0), reading(1000000000, 10, 0),
                                       reading(1499999999, 500, 0)};
    struct tally tally = tally_of(readings, 3);

    (void)state;
    assert_int_equal(tally_count(&tally, EXECUTIONS), 500);
    assert_int_equal(tally.spans, 1);
    assert_float_equal(tally.highest_per_sec[EXECUTIONS], 10, 1e-9);
}

static void forks_are_found(void **state)
{
    uint64_t forks = 0;

    (void)state;
    assert_true(forks_parse("cpu  1 2 3\nctxt 99\nbtime 5\nprocesses 4711\nprocs_running 1\n", &forks));
    assert_int_equal(forks, 4711);
    assert_false(forks_parse("cpu  1 2 3\nprocs_running 1\n", &forks));
    assert_false(forks_parse("cpu  1 2 3\nprocesses \n", &forks));
    assert_false(forks_parse("cpu  1 2 3\nprocesses 12x\n", &forks));
    assert_false(forks_parse("", &forks));
}

static char *written(const struct tally *tally, bool with_syscalls)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    output_write(out, tally, with_syscalls, 3, false);
    fclose(out);
    return text;
}

static void the_result_has_counts_and_rates(void **state)
{
    struct reading readings[] = {reading(0, 0, 0), reading(2000000000, 10, 400)};
    struct tally tally;
    char *text;

    (void)state;
    readings[1].counts[READS] = 5;
    readings[1].counts[CONNECTS] = 6;
    readings[1].counts[OPENS] = 8;
    tally = tally_of(readings, 2);
    text = written(&tally, true);
    assert_string_equal(text,
                        "{\n  \"duration_s\": 2.000,\n"
                        "  \"executions\": {\"count\": 10, \"per_sec\": 5.000, \"lowest_per_sec\": 5.000, "
                        "\"highest_per_sec\": 5.000},\n"
                        "  \"forks\": {\"count\": 0, \"per_sec\": 0.000, \"lowest_per_sec\": 0.000, "
                        "\"highest_per_sec\": 0.000},\n"
                        "  \"syscalls\": {\"count\": 400, \"per_sec\": 200.000, \"lowest_per_sec\": 200.000, "
                        "\"highest_per_sec\": 200.000, \"reads\": 5, \"connects\": 6, \"opens\": 8},\n"
                        "  \"missed\": 3,\n  \"interrupted\": false\n}\n");
    free(text);
}

static void what_is_not_known_is_null(void **state)
{
    const struct reading readings[] = {reading(5, 3, 4)};
    struct tally tally = tally_of(readings, 1);
    char *text = written(&tally, false);

    (void)state;
    assert_non_null(
        strstr(text, "\"executions\": {\"count\": 0, \"per_sec\": null, \"lowest_per_sec\": null"));
    assert_non_null(strstr(text, "\"syscalls\": null"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_of_the_time_that_passed),
        cmocka_unit_test(what_the_end_cuts_off_is_counted_but_is_no_second),
        cmocka_unit_test(forks_are_found),
        cmocka_unit_test(the_result_has_counts_and_rates),
        cmocka_unit_test(what_is_not_known_is_null),
    };

    return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
