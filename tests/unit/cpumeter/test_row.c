#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../../src/cpumeter/row.h"

static void empty_fields_stay_empty(void **state)
{
    struct row list[] = {
        {.time_ns = 1,
         .source = "cgroup",
         .name = "a",
         .status = "ok",
         .fields = ROW_CPU,
         .cpu_ns = UINT64_MAX},
        {.time_ns = 2,
         .source = "bpf",
         .name = "1:x:y",
         .status = "gone",
         .fields = ROW_CPU | ROW_COUNT,
         .count = 5},
        {.time_ns = 3,
         .source = "memory",
         .name = "a",
         .status = "ok",
         .fields = ROW_MEMORY,
         .memory_bytes = 6},
        {.time_ns = 4,
         .source = "memory",
         .name = "b",
         .status = "ok",
         .fields = ROW_MEMORY | ROW_MEMORY_PEAK,
         .memory_peak_bytes = 7},
        {.time_ns = 5, .source = "host", .name = "tasks", .status = "ok", .cpu_ns = 8, .count = 9},
    };
    const struct rows rows = {.rows = list, .count = sizeof(list) / sizeof(*list)};
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);

    (void)state;
    rows_write_header(out);
    rows_write(out, &rows);
    fclose(out);
    assert_string_equal(written, "time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n"
                                 "1,cgroup,a,18446744073709551615,,,,ok\n"
                                 "2,bpf,1:x:y,0,5,,,gone\n"
                                 "3,memory,a,,,6,,ok\n"
                                 "4,memory,b,,,0,7,ok\n"
                                 "5,host,tasks,,,,,ok\n");
    free(written);
}

static void rows_are_kept_while_more_come(void **state)
{
    struct rows rows = {0};

    (void)state;
    for (uint64_t i = 0; i < 1000; i++)
        rows_add_cpu(&rows, "cgroup", "a", i, STATUS_OK);
    assert_int_equal(rows.count, 1000);
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(rows.rows[i].cpu_ns == i && rows.rows[i].fields == ROW_CPU);
    free(rows.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_fields_stay_empty),
        cmocka_unit_test(rows_are_kept_while_more_come),
    };

    return cmocka_run_group_tests_name("row", tests, NULL, NULL);
}
