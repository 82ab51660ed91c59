#include "../unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/execrate/output.h"

static char *launches_text(const struct run *run)
{
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);

    write_launches(out, run);
    fclose(out);
    return written;
}

static void launches_have_a_record_each(void **state)
{
    struct launch launches[5] = {
        {.start_ns = 1000000007, .reaped_ns = 1000001007, .cpu_usec = 12, .pid = 5},
        {.start_ns = 1010000000, .error = EAGAIN},
        {.start_ns = 1020000000, .reaped_ns = 1020000001, .cpu_usec = 1, .pid = 6, .wait_status = 3 << 8},
        {.start_ns = 1030000000, .reaped_ns = 1030000002, .cpu_usec = 2, .pid = 7, .wait_status = 9},
        {0},
    };
    const struct options options = {.rate_uhz = 100000000, .duration_ns = 50000000};
    const struct run run = {.options = &options,
                            .launches = launches,
                            .capacity = 5,
                            .start_ns = 1000000000,
                            .real_offset_ns = INT64_C(1700000000000000000)};
    char *text = launches_text(&run);

    (void)state;
    assert_string_equal(
        text, "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status\n"
              "0,1000000000,1000000007,1700000001000000000,1700000001000000007,12,1000,0\n"
              "1,1010000000,1010000000,1700000001010000000,1700000001010000000,,,EAGAIN\n"
              "2,1020000000,1020000000,1700000001020000000,1700000001020000000,1,1,3\n"
              "3,1030000000,1030000000,1700000001030000000,1700000001030000000,2,2,SIGKILL\n");
    free(text);
}

static void without_pacing_nothing_is_due(void **state)
{
    struct launch launches[1] = {{.start_ns = 10, .reaped_ns = 30, .cpu_usec = 4, .pid = 5}};
    const struct options options = {.max = true, .duration_ns = 50000000};
    const struct run run = {
        .options = &options, .launches = launches, .capacity = 1, .start_ns = 5, .real_offset_ns = 100};
    char *text = launches_text(&run);

    (void)state;
    assert_non_null(strstr(text, "\n0,,10,,110,4,20,0\n"));
    free(text);
}

static void groups_are_in_both_results(void **state)
{
    struct launch launches[2] = {
        {.start_ns = 10,
         .reaped_ns = 30,
         .cpu_usec = 4,
         .pid = 5,
         .group = 1,
         .launcher_cpu_ns = 6,
         .minor_faults = 7,
         .voluntary_switches = 8,
         .involuntary_switches = 9,
         .cpu = 11},
        {.start_ns = 20, .error = EAGAIN},
    };
    const struct options options = {
        .rate_uhz = 100000000, .duration_ns = 50000000, .has_groups = true, .groups = {3, 4}, .seed = 12};
    const struct run run = {.options = &options, .launches = launches, .capacity = 2};
    const struct stats stats = {0};
    char *text = launches_text(&run), *json = NULL;
    size_t size;
    FILE *out = open_memstream(&json, &size);

    (void)state;
    assert_non_null(strstr(
        text, ",status,group,launcher_cpu_ns,minor_faults,voluntary_switches,involuntary_switches,cpu\n"));
    assert_non_null(strstr(text, ",4,20,0,1,6,7,8,9,11\n"));
    assert_non_null(strstr(text, ",EAGAIN,0,,,,,0\n"));
    free(text);
    write_json(out, &run, &stats);
    fclose(out);
    assert_non_null(strstr(json, "\"groups\": [3, 4],\n  \"block_launches\": 16,\n  \"seed\": 12,\n"));
    free(json);
}

static void json_has_failures_by_name(void **state)
{
    const struct options options = {.rate_uhz = 500000, .duration_ns = 1500000000, .command = "/bin/\"x"};
    const struct run run = {
        .options = &options, .threads = 3, .start_ns = 1000, .end_ns = 2000, .real_offset_ns = 70000};
    struct stats stats = {.asked = 5,
                          .launched = 2,
                          .failed = 3,
                          .lateness_ns = {.p50 = 1500, .p90 = 2500, .p99 = 3500, .p999 = 4500, .max = 5500}};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    stats.failures[EAGAIN] = 2;
    stats.failures[ENOMEM] = 1;
    write_json(out, &run, &stats);
    fclose(out);
    assert_non_null(strstr(text, "\"rate_hz\": 0.5,"));
    assert_non_null(strstr(text, "\"duration_s\": 1.5,"));
    assert_non_null(strstr(text, "\"tag\": null,"));
    assert_non_null(strstr(text, "\"environment\": {\"variables\": 25, \"bytes\": 1411},"));
    assert_non_null(strstr(text, "\"start_real_ns\": 71000,"));
    assert_non_null(strstr(text, "\"end_real_ns\": 72000,"));
    assert_non_null(strstr(text, "\"command\": \"/bin/\\\"x\","));
    assert_non_null(strstr(text, "\"lateness_us\": {\"p50\": 1.500, \"p90\": 2.500, \"p99\": 3.500, "
                                 "\"p999\": 4.500, \"max\": 5.500},"));
    assert_non_null(strstr(text, "\"failures\": {\"EAGAIN\": 2, \"ENOMEM\": 1},"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_have_a_record_each),
        cmocka_unit_test(without_pacing_nothing_is_due),
        cmocka_unit_test(groups_are_in_both_results),
        cmocka_unit_test(json_has_failures_by_name),
    };

    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
