#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/launches.h"
#include "files.h"
#include "numbers.h"

#define HEADER                                                                                               \
    "seq,due_mono_ns,start_mono_ns,due_real_ns,start_real_ns,child_cpu_us,spawn_to_exit_ns,status\n"

static void percentiles_are_the_lower_one_of_two(void **state)
{
    /* Sorted: 1, 2, ... 200. The first that n * percent / 100 of n values are not above. */
    int64_t values[200];

    (void)state;
    for (int i = 0; i < 200; i++)
        values[i] = 1 + i * 77 % 200;
    assert_number(percentile(values, 200, 50), 100, 0);
    assert_number(percentile(values, 200, 99), 198, 0);
    assert_number(percentile(values, 200, 100), 200, 0);
    assert_number(percentile(values, 200, 0), 1, 0);
}

static void percentiles_of_few_values(void **state)
{
    int64_t values[] = {9, 3, 7};

    (void)state;
    assert_number(percentile(values, 1, 50), 9, 0);
    assert_number(percentile(values, 2, 50), 3, 0);
    assert_number(percentile(values, 3, 50), 7, 0);
    assert_number(percentile(values, 3, 99), 9, 0);
    assert_true(isnan(percentile(values, 0, 50)));
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Also of values of which many are equal, sorted or not. */
static void percentiles_are_those_of_sorted_values(void **state)
{
    unsigned random = 1;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        int64_t values[64], sorted[64];
        size_t count = 1 + (size_t)round % 64;

        for (size_t i = 0; i < count; i++) {
            random = random * 1664525 + 1013904223;
            values[i] = sorted[i] = round % 3 ? (random >> 16) % 8 : round % 2 ? (int64_t)i : -(int64_t)i;
        }
        qsort(sorted, count, sizeof(*sorted), compare);
        for (int percent = 0; percent <= 100; percent += 5) {
            const double rank = ceil(percent * (double)count / 100);

            assert_true((int64_t)percentile(values, count, (unsigned)percent) ==
                        sorted[rank > 0 ? (size_t)rank - 1 : 0]);
        }
    }
}

/* Window A is 100 to 200, window B 200 to 300. */
static const struct span spans[WINDOWS] = {{100, 200}, {200, 300}};

static struct launches read_launches(const char *path, const char *delivery_path, struct problem *problem)
{
    struct arrivals arrivals = {0};
    struct launches launches;

    if (delivery_path)
        arrivals_read(&arrivals, delivery_path, problem);
    launches_read(&launches, path, spans, &arrivals, problem);
    arrivals_free(&arrivals);
    return launches;
}

static const char some_launches[] = HEADER "0,0,99,0,1099,1,10,0\n"
                                           "1,0,100,0,1100,10,1000,0\n"
                                           "2,0,150,0,1150,,,ENOENT\n"
                                           "3,0,199,0,1199,21,3000,1\n"
                                           "4,0,200,0,1200,50,5000,SIGKILL\n"
                                           "5,0,300,0,1300,9,9,0\n";

/* It belongs to the window in which it started, the end excluded; one that failed belongs to none. */
static void launches_are_summarised_by_window(void **state)
{
    struct problem problem = {""};
    struct launches launches = read_launches(gzip_with(some_launches), NULL, &problem);

    (void)state;
    assert_string_equal(problem.text, "");
    assert_number(launches.in[WINDOW_A].count, 2, 0);
    assert_number(launches.in[WINDOW_A].child_cpu_mean_us, 15.5, 0);
    assert_number(launches.in[WINDOW_A].spawn_to_exit_p50_ns, 1000, 0);
    assert_number(launches.in[WINDOW_B].count, 1, 0);
    assert_number(launches.in[WINDOW_B].child_cpu_mean_us, 50, 0);
    assert_number(launches.rows, 6, 0);
    assert_number(launches.first_start_ns, 99, 0);
    assert_number(launches.last_start_ns, 300, 0);
    assert_true(isnan(launches.in[WINDOW_B].delay_p50_ns));
}

static void window_without_launches_is_unknown(void **state)
{
    struct problem problem = {""};
    struct launches launches = read_launches(gzip_with(HEADER "0,0,50,0,50,1,10,0\n"), NULL, &problem);

    (void)state;
    assert_true(isnan(launches.in[WINDOW_A].count));
    assert_true(isnan(launches.in[WINDOW_A].child_cpu_mean_us));
}

/* From the time of day at which it started, to that at which its record was seen. */
static void delays_are_those_of_launches_that_arrived(void **state)
{
    struct arrivals arrivals = {0};
    struct launches launches;
    struct problem problem = {""};

    (void)state;
    arrivals_read(&arrivals, gzip_with("seq,time_real_ns\n4,1790000000000001207\n3,1790000000000001204\n"),
                  &problem);
    launches_read(&launches,
                  gzip_with(HEADER "3,0,199,0,1790000000000001199,21,3000,1\n"
                                   "4,0,200,0,1790000000000001200,50,5000,0\n"
                                   "5,0,201,0,1790000000000001201,50,5000,0\n"),
                  spans, &arrivals, &problem);
    assert_string_equal(problem.text, "");
    assert_number(launches.in[WINDOW_A].delay_max_ns, 5, 0);
    assert_number(launches.in[WINDOW_B].delay_max_ns, 7, 0);
    assert_number(launches.in[WINDOW_B].delay_p50_ns, 7, 0);
    assert_number(launches.shortest_delay_ns, 5, 0);
    arrivals_free(&arrivals);
}

/* 200 launches in window A that run for 1 to 200 ns and take twice as long to arrive; the longest come first.
 */
static void each_percentile_is_its_own(void **state)
{
    static char launches_text[16384] = HEADER, arrivals_text[16384] = "seq,time_real_ns\n";
    char *launches_end = strchr(launches_text, '\0'), *arrivals_end = strchr(arrivals_text, '\0');
    struct arrivals arrivals = {0};
    struct launches launches;
    struct problem problem = {""};

    (void)state;
    for (int i = 0; i < 200; i++) {
        launches_end += sprintf(launches_end, "%d,0,%d,0,%d,1,%d,0\n", i, 100 + i / 2, 1000 + i, 200 - i);
        arrivals_end += sprintf(arrivals_end, "%d,%d\n", i, 1000 + i + 2 * (200 - i));
    }
    arrivals_read(&arrivals, gzip_with(arrivals_text), &problem);
    launches_read(&launches, gzip_with(launches_text), spans, &arrivals, &problem);
    assert_string_equal(problem.text, "");
    assert_number(launches.in[WINDOW_A].count, 200, 0);
    assert_number(launches.in[WINDOW_A].spawn_to_exit_p50_ns, 100, 0);
    assert_number(launches.in[WINDOW_A].spawn_to_exit_p99_ns, 198, 0);
    assert_number(launches.in[WINDOW_A].delay_p50_ns, 200, 0);
    assert_number(launches.in[WINDOW_A].delay_p99_ns, 396, 0);
    assert_number(launches.in[WINDOW_A].delay_max_ns, 400, 0);
    arrivals_free(&arrivals);
}

static void assert_refused(const char *path, const char *expected)
{
    struct problem problem = {""};
    struct launches launches = read_launches(path, NULL, &problem);

    assert_string_equal(problem.text, expected);
    assert_true(isnan(launches.in[WINDOW_A].count));
}

static void damaged_lists_are_refused(void **state)
{
    (void)state;
    assert_refused(gzip_cut(some_launches, 1), "ends early");
    assert_refused(gzip_cut(some_launches, 20), "ends early");
    assert_refused(file_with(some_launches), "is no gzip file");
    assert_refused(gzip_with(HEADER "1,0,100,0,1100,10,1000\n"), "line 2 has 7 fields, expected 8");
    assert_refused(gzip_with(HEADER "1,0,100,0,1100,10,1000,0"), "ends within a line");
    assert_refused(gzip_with(HEADER "1,0,x,0,1100,10,1000,0\n"), "line 2 has 'x', expected a whole number");
    assert_refused(gzip_with("seq,start_mono_ns\n"), "has no column start_real_ns");
    assert_refused(gzip_with(""), "has no header");
    assert_refused("/nonexistent", "cannot be opened: No such file or directory");
}

static void arrivals_of_impossible_launches_are_refused(void **state)
{
    struct arrivals arrivals = {0};
    struct problem problem = {""};

    (void)state;
    arrivals_read(&arrivals, gzip_with("seq,time_real_ns\n-1,5\n"), &problem);
    assert_string_equal(problem.text, "line 2 has the launch -1, expected 0 to 268435456");
}

/* Of more lines than the buffer holds. */
static void long_lists_are_read_whole(void **state)
{
    const int count = 20000;
    char *text = malloc(100 * (size_t)count), *end = text;
    struct problem problem = {""};
    struct launches launches;

    (void)state;
    end += sprintf(end, HEADER);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%d,1000000000000,150,1790000000000000000,1790000000000000000,%d,%d,0\n", i, i,
                       1000 + i);
    launches = read_launches(gzip_with(text), NULL, &problem);
    free(text);
    assert_string_equal(problem.text, "");
    assert_number(launches.in[WINDOW_A].count, count, 0);
    assert_number(launches.in[WINDOW_A].child_cpu_mean_us, (count - 1) / 2.0, 0);
    assert_number(launches.in[WINDOW_A].spawn_to_exit_p50_ns, 10999, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_the_lower_one_of_two),
        cmocka_unit_test(percentiles_of_few_values),
        cmocka_unit_test(percentiles_are_those_of_sorted_values),
        cmocka_unit_test(launches_are_summarised_by_window),
        cmocka_unit_test(window_without_launches_is_unknown),
        cmocka_unit_test(delays_are_those_of_launches_that_arrived),
        cmocka_unit_test(each_percentile_is_its_own),
        cmocka_unit_test(damaged_lists_are_refused),
        cmocka_unit_test(arrivals_of_impossible_launches_are_refused),
        cmocka_unit_test(long_lists_are_read_whole),
    };

    return cmocka_run_group_tests_name("launches", tests, files_setup, files_teardown);
}
