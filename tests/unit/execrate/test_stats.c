#include "../unit.h"

#include <errno.h>

#include "../../../src/execrate/stats.h"

#define MS 1000000

static void nearest_rank(void **state)
{
    int64_t values[1000];

    (void)state;
    for (int i = 0; i < 1000; i++)
        values[i] = i + 1;
    assert_int_equal(percentile(values, 1000, 500), 500);
    assert_int_equal(percentile(values, 1000, 990), 990);
    assert_int_equal(percentile(values, 1000, 999), 999);
    assert_int_equal(percentile(values, 1000, 1000), 1000);
    /* Ranks round up: 0.5 * 5 = 2.5 is the third. */
    assert_int_equal(percentile(values, 5, 500), 3);
    assert_int_equal(percentile(values, 5, 900), 5);
    assert_int_equal(percentile(values, 4, 500), 2);
    assert_int_equal(percentile(values, 100, 990), 99);
    assert_int_equal(percentile(values, 101, 990), 100);
    /* Also where the nearest would be below: 6.3, 168.3. */
    assert_int_equal(percentile(values, 7, 900), 7);
    assert_int_equal(percentile(values, 170, 990), 169);
}

static void percentile_of_one_and_of_none(void **state)
{
    int64_t value = 7;

    (void)state;
    assert_int_equal(percentile(&value, 1, 500), 7);
    assert_int_equal(percentile(&value, 1, 999), 7);
    assert_int_equal(percentile(&value, 0, 500), 0);
}

static void a_rate_is_reached_with_99_percent_of_it(void **state)
{
    (void)state;
    assert_true(is_reached(800, 800));
    assert_true(is_reached(792, 800));
    assert_false(is_reached(791.99, 800));
}

static void saturation_is_more_than_one_percent(void **state)
{
    (void)state;
    assert_false(is_saturated(0, 0));
    assert_false(is_saturated(1000, 0));
    assert_false(is_saturated(1000, 10));
    assert_true(is_saturated(1000, 11));
    assert_false(is_saturated(99, 0));
    assert_true(is_saturated(99, 1));
}

/* 10 launches at 100/s from t = 1 s; all on time, 1 ms late, 2 ms long, 300 us CPU. */
static void make_run(struct run *run, struct options *options, struct launch *launches)
{
    *options = (struct options){.rate_uhz = 100000000, .duration_ns = 100 * MS};
    *run = (struct run){.options = options,
                        .launches = launches,
                        .capacity = 10,
                        .start_ns = 1000 * MS,
                        .stop_ns = 1100 * MS,
                        .self_cpu_usec = 500};
    for (int i = 0; i < 10; i++) {
        int64_t start_ns = (1000 + 10 * i + 1) * (int64_t)MS;

        launches[i] = (struct launch){
            .start_ns = start_ns, .reaped_ns = start_ns + 2 * MS, .cpu_usec = 300, .pid = 100 + i};
    }
}

static void a_run_on_time(void **state)
{
    struct launch launches[10];
    struct options options;
    struct run run;
    struct stats stats;

    (void)state;
    make_run(&run, &options, launches);
    stats_compute(&stats, &run);
    assert_int_equal(stats.asked, 10);
    assert_int_equal(stats.launched, 10);
    assert_int_equal(stats.failed, 0);
    assert_int_equal(stats.missed, 0);
    assert_false(stats.saturated);
    assert_float_equal(stats.achieved_hz, 100, 1e-6);
    assert_true(stats.reached);
    assert_int_equal(stats.lateness_ns.p50, MS);
    assert_int_equal(stats.lateness_ns.max, MS);
    assert_int_equal(stats.spawn_to_exit_ns.p99, 2 * MS);
    assert_int_equal(stats.child_cpu_usec.p50, 300);
    assert_float_equal(stats.child_cpu_mean_usec, 300, 1e-6);
    assert_float_equal(stats.self_cpu_usec_per_launch, 50, 1e-6);
}

static void failed_and_missed_are_counted_apart(void **state)
{
    struct launch launches[10];
    struct options options;
    struct run run;
    struct stats stats;

    (void)state;
    make_run(&run, &options, launches);
    launches[3] = (struct launch){.start_ns = launches[3].start_ns, .error = EAGAIN};
    launches[4].error = ENOEXEC; /* has a child that exited with 127 */
    launches[4].wait_status = 127 << 8;
    launches[4].reaped_ns += 1000 * (int64_t)MS;
    launches[4].cpu_usec = 9000;
    launches[5].wait_status = 1 << 8;
    launches[9] = (struct launch){0};
    stats_compute(&stats, &run);
    assert_int_equal(stats.launched, 7);
    assert_int_equal(stats.failed, 2);
    assert_int_equal(stats.missed, 1);
    assert_int_equal(stats.asked, 10);
    assert_int_equal(stats.failures[EAGAIN], 1);
    assert_int_equal(stats.failures[ENOEXEC], 1);
    assert_int_equal(stats.nonzero_exits, 1);
    assert_true(stats.saturated);
    /* The rate and what a launch costs are those of the others. */
    assert_float_equal(stats.achieved_hz, 70, 1e-6);
    assert_int_equal(stats.spawn_to_exit_ns.p50, 2 * MS);
    assert_int_equal(stats.spawn_to_exit_ns.max, 2 * MS);
    assert_int_equal(stats.child_cpu_usec.max, 300);
    assert_float_equal(stats.child_cpu_mean_usec, 300, 1e-6);
}

#define MANY 2000

/* Each percentile is another value: 1 to 2000 us late, the latest first. */
static void each_percentile_is_its_own(void **state)
{
    static struct launch launches[MANY];
    const struct options options = {.rate_uhz = INT64_C(1000000000), .duration_ns = INT64_C(2000) * MS};
    const struct run run = {.options = &options,
                            .launches = launches,
                            .capacity = MANY,
                            .start_ns = 1000 * MS,
                            .stop_ns = INT64_C(3000) * MS,
                            .end_ns = INT64_C(9000) * MS};
    struct stats stats;

    (void)state;
    for (int i = 0; i < MANY; i++) {
        int64_t late_ns = (MANY - i) * INT64_C(1000), start_ns = (1000 + i) * (int64_t)MS + late_ns;

        launches[i] = (struct launch){
            .start_ns = start_ns, .reaped_ns = start_ns + 2 * late_ns, .cpu_usec = MANY - i, .pid = 1};
    }
    stats_compute(&stats, &run);
    assert_int_equal(stats.lateness_ns.p50, 1000000);
    assert_int_equal(stats.lateness_ns.p90, 1800000);
    assert_int_equal(stats.lateness_ns.p99, 1980000);
    assert_int_equal(stats.lateness_ns.p999, 1998000);
    assert_int_equal(stats.lateness_ns.max, 2000000);
    assert_int_equal(stats.spawn_to_exit_ns.p90, 3600000);
    assert_int_equal(stats.child_cpu_usec.p99, 1980);
    assert_float_equal(stats.child_cpu_mean_usec, 1000.5, 1e-6);
    /* Until the load's end, not that of the last child. */
    assert_float_equal(stats.covered_s, 2, 1e-9);
}

static void too_late_is_as_bad_as_missed(void **state)
{
    struct launch launches[10];
    struct options options;
    struct run run;
    struct stats stats;

    (void)state;
    make_run(&run, &options, launches);
    launches[0].start_ns = run.start_ns + ON_TIME_NS;
    stats_compute(&stats, &run);
    assert_false(stats.saturated);
    launches[0].start_ns = run.start_ns + ON_TIME_NS + 1;
    stats_compute(&stats, &run);
    assert_true(stats.saturated);
    assert_int_equal(stats.lateness_ns.max, ON_TIME_NS + 1);
}

static void not_yet_due_at_an_interrupt_is_not_missed(void **state)
{
    struct launch launches[10];
    struct options options;
    struct run run;
    struct stats stats;

    (void)state;
    make_run(&run, &options, launches);
    run.stop_ns = 1045 * MS;
    run.interrupted_by = 2;
    for (int i = 4; i < 10; i++)
        launches[i] = (struct launch){0};
    stats_compute(&stats, &run);
    assert_int_equal(stats.launched, 4);
    assert_int_equal(stats.missed, 1);
    assert_int_equal(stats.asked, 5);
}

static void nothing_launched_divides_by_nothing(void **state)
{
    struct launch launches[10] = {0};
    struct options options;
    struct run run;
    struct stats stats;

    (void)state;
    make_run(&run, &options, launches);
    for (int i = 0; i < 10; i++)
        launches[i] = (struct launch){0};
    run.stop_ns = run.start_ns;
    stats_compute(&stats, &run);
    assert_int_equal(stats.asked, 0);
    /* Not assert_float_equal(), which a NaN passes. */
    assert_true(stats.achieved_hz == 0);
    assert_true(stats.self_cpu_usec_per_launch == 0);
    assert_false(stats.saturated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_rank),
        cmocka_unit_test(percentile_of_one_and_of_none),
        cmocka_unit_test(a_rate_is_reached_with_99_percent_of_it),
        cmocka_unit_test(saturation_is_more_than_one_percent),
        cmocka_unit_test(a_run_on_time),
        cmocka_unit_test(failed_and_missed_are_counted_apart),
        cmocka_unit_test(each_percentile_is_its_own),
        cmocka_unit_test(too_late_is_as_bad_as_missed),
        cmocka_unit_test(not_yet_due_at_an_interrupt_is_not_missed),
        cmocka_unit_test(nothing_launched_divides_by_nothing),
    };

    return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
