#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../../src/syscost/output.h"
#include "../../../src/syscost/summary.h"

static const struct call read_call = {.name = "read"}, open_call = {.name = "open-close"};

/* Two CPUs with three slices and one. */
static struct slice slices[4] = {
    {.group = 0, .tallies = {{1000, 400000, 500000, 10, 20}, {100, 300000, 310000, 30, 40}}},
    {.group = 1, .tallies = {{1000, 500000, 600000, 50, 60}, {100, 400000, 410000, 70, 80}}},
    {.group = 0, .tallies = {{2000, 1800000, 1900000, 90, 100}, {200, 800000, 810000, 110, 120}}},
    {.group = 0, .tallies = {{1000, 200000, 210000, 15, 25}, {100, 500000, 510000, 35, 45}}},
};
static struct worker workers[2] = {{.cpu = 1, .slices = slices, .capacity = 3, .count = 3},
                                   {.cpu = 5, .slices = slices + 3, .capacity = 3, .count = 1}};
static struct options options;
static struct run run;

static int with_groups(void **state)
{
    (void)state;
    options = (struct options){.duration_ns = 1500000000,
                               .slice_ns = 40000000,
                               .calls = {&read_call, &open_call},
                               .call_count = 2,
                               .has_groups = true,
                               .groups = {1000, 2000},
                               .seed = 4000000000};
    cpulist_parse("1,5", &options.cpus);
    run = (struct run){.options = &options,
                       .workers = workers,
                       .worker_count = 2,
                       .start_ns = 7,
                       .end_ns = INT64_C(9000000000000),
                       .real_offset_ns = INT64_C(1790000000000000000),
                       .real_step_ns = -3};
    return 0;
}

static char *text_of(void (*write_it)(FILE *out, const struct run *run))
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    write_it(out, &run);
    fclose(out);
    return text;
}

static void a_record_for_each_slice_and_call(void **state)
{
    char *text = text_of(write_csv);

    (void)state;
    assert_string_equal(text, "slice,cpu,group,call,calls,cpu_ns,elapsed_ns,start_mono_ns,end_mono_ns\n"
                              "0,1,1000,read,1000,400000,500000,10,20\n"
                              "0,1,1000,open-close,100,300000,310000,30,40\n"
                              "1,1,2000,read,1000,500000,600000,50,60\n"
                              "1,1,2000,open-close,100,400000,410000,70,80\n"
                              "2,1,1000,read,2000,1800000,1900000,90,100\n"
                              "2,1,1000,open-close,200,800000,810000,110,120\n"
                              "0,5,1000,read,1000,200000,210000,15,25\n"
                              "0,5,1000,open-close,100,500000,510000,35,45\n");
    free(text);
}

static void without_groups_the_column_is_empty(void **state)
{
    char *text;

    (void)state;
    options.has_groups = false;
    run.worker_count = 1;
    text = text_of(write_csv);
    assert_non_null(strstr(text, "\n0,1,,read,1000,400000,500000,10,20\n"));
    free(text);
}

static void summaries_are_of_slices(void **state)
{
    struct summary summary = summarize(&run, 0, 0);

    (void)state;
    /* 400, 900 and 200 ns a call. */
    assert_int_equal(summary.slices, 3);
    assert_int_equal(summary.calls, 4000);
    assert_float_equal(summary.mean_ns, 500, 1e-9);
    assert_float_equal(summary.median_ns, 400, 1e-9);
    summary = summarize(&run, 1, 1);
    assert_int_equal(summary.slices, 1);
    assert_int_equal(summary.calls, 100);
    assert_float_equal(summary.mean_ns, 4000, 1e-9);
    assert_float_equal(summary.median_ns, 4000, 1e-9);
}

static void an_even_median_is_between_two(void **state)
{
    struct summary summary;

    (void)state;
    run.worker_count = 1;
    /* 3000 and 4000. */
    summary = summarize(&run, 1, 0);
    assert_int_equal(summary.slices, 2);
    assert_float_equal(summary.median_ns, 3500, 1e-9);
}

static void the_json_has_settings_and_costs(void **state)
{
    char *text = text_of(write_json);

    (void)state;
    assert_string_equal(text,
                        "{\n"
                        "  \"duration_s\": 1.5,\n"
                        "  \"slice_s\": 0.04,\n"
                        "  \"cpus\": \"1,5\",\n"
                        "  \"calls\": [\"read\", \"open-close\"],\n"
                        "  \"groups\": [1000, 2000],\n"
                        "  \"seed\": 4000000000,\n"
                        "  \"costs\": [\n"
                        "    {\"call\": \"read\", \"group\": 1000, \"slices\": 3, \"calls\": 4000, "
                        "\"mean_ns\": 500.000, \"median_ns\": 400.000},\n"
                        "    {\"call\": \"read\", \"group\": 2000, \"slices\": 1, \"calls\": 1000, "
                        "\"mean_ns\": 500.000, \"median_ns\": 500.000},\n"
                        "    {\"call\": \"open-close\", \"group\": 1000, \"slices\": 3, \"calls\": 400, "
                        "\"mean_ns\": 4000.000, \"median_ns\": 4000.000},\n"
                        "    {\"call\": \"open-close\", \"group\": 2000, \"slices\": 1, \"calls\": 100, "
                        "\"mean_ns\": 4000.000, \"median_ns\": 4000.000}\n"
                        "  ],\n"
                        "  \"interrupted\": false,\n"
                        "  \"start_mono_ns\": 7,\n"
                        "  \"end_mono_ns\": 9000000000000,\n"
                        "  \"real_offset_ns\": 1790000000000000000,\n"
                        "  \"real_step_ns\": -3\n"
                        "}\n");
    free(text);
}

static void without_groups_there_is_a_cost_a_call(void **state)
{
    char *text;

    (void)state;
    options.has_groups = false;
    options.call_count = 1;
    run.interrupted_by = 15;
    run.worker_count = 0;
    text = text_of(write_json);
    assert_non_null(strstr(text, "  \"groups\": null,\n"));
    assert_non_null(strstr(text, "  \"costs\": [\n    {\"call\": \"read\", \"group\": null, \"slices\": 0, "
                                 "\"calls\": 0, \"mean_ns\": null, \"median_ns\": null}\n  ],\n"));
    assert_non_null(strstr(text, "  \"interrupted\": true,\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_record_for_each_slice_and_call, with_groups),
        cmocka_unit_test_setup(without_groups_the_column_is_empty, with_groups),
        cmocka_unit_test_setup(summaries_are_of_slices, with_groups),
        cmocka_unit_test_setup(an_even_median_is_between_two, with_groups),
        cmocka_unit_test_setup(the_json_has_settings_and_costs, with_groups),
        cmocka_unit_test_setup(without_groups_there_is_a_cost_a_call, with_groups),
    };

    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
