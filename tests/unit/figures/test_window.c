#include "../unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/window.h"
#include "files.h"
#include "numbers.h"

#define HEADER "time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n"

static const char two_readings[] = HEADER "1,clock,monotonic,1000000000,,,,ok\n"
                                          "1,cgroup,monitor,100,,,,ok\n"
                                          "1,cgroup,load,5,,,,ok\n"
                                          "1,cgroup,systemd-journald.service,30,,,,ok\n"
                                          "1,pid,rsyslog.service/7,1,,,,ok\n"
                                          "1,pid,rsyslog.service/8,2,,,,ok\n"
                                          "1,pid,monitor/11,50,,,,ok\n"
                                          "1,kthread,kauditd,700,,,,ok\n"
                                          "1,host,tasks,,,,,ok\n"
                                          "1,bpf,7:on_exec:tracing,500,3,,,ok\n"
                                          "1,memory,monitor/11,,,4096,8192,ok\n"
                                          "1,memory,monitor/12,,,4096,100,ok\n"
                                          "1,self,cpumeter,1,,,,ok\n"
                                          "3,clock,monotonic,3500000000,,,,ok\n"
                                          "3,cgroup,monitor,180,,,,ok\n"
                                          "3,cgroup,load,25,,,,ok\n"
                                          "3,cgroup,systemd-journald.service,36,,,,ok\n"
                                          "3,pid,rsyslog.service/7,4,,,,ok\n"
                                          "3,pid,rsyslog.service/8,12,,,,ok\n"
                                          "3,pid,monitor/11,99,,,,ok\n"
                                          "3,kthread,kauditd,710,,,,ok\n"
                                          "3,host,tasks,,,,,ok\n"
                                          "3,bpf,7:on_exec:tracing,80500,11,,,gone\n"
                                          "3,bpf,9:late:tracing,40000,8,,,ok\n"
                                          "3,memory,monitor/11,,,4096,12288,ok\n"
                                          "3,memory,monitor/12,,,4096,,ok\n"
                                          "3,self,cpumeter,2,,,,ok\n";

static struct window window_of(const char *text, struct problem *problem)
{
    struct window window = {0};

    window_read(&window, file_with(text), problem);
    return window;
}

static void growth_is_from_the_first_to_the_last_reading(void **state)
{
    struct problem problem = {""};
    struct window window = window_of(two_readings, &problem);

    (void)state;
    assert_string_equal(problem.text, "");
    assert_number(window_growth(&window, "cgroup", "monitor"), 80, 0);
    assert_number(window_growth(&window, "cgroup", "load"), 20, 0);
    assert_number(window_seconds(&window), 2.5, 0);
    assert_number(window_begin_ns(&window), 1e9, 0);
    assert_number(window_end_ns(&window), 3.5e9, 0);
    window_free(&window);
}

static void what_was_not_counted_is_unknown(void **state)
{
    struct problem problem = {""};
    struct window window = window_of(two_readings, &problem);

    (void)state;
    assert_true(isnan(window_growth(&window, "host", "tasks")));
    assert_true(isnan(window_growth(&window, "host", "busy")));
    window_free(&window);
    assert_true(isnan(window_seconds(&window)));
    assert_true(isnan(window_memory_peak_bytes(&window)));
}

/* A program that was loaded within the window has all of its time in it; one that ended, its last known. */
static void programs_may_come_and_go(void **state)
{
    struct problem problem = {""};
    struct window window = window_of(two_readings, &problem);

    (void)state;
    assert_number(window_bpf_ns(&window), 80000 + 40000, 0);
    assert_number(window_bpf_runs(&window), 8 + 8, 0);
    window_check_whole(&window, &problem);
    assert_string_equal(problem.text, "");
    window_free(&window);
}

static double growth_of(const struct helper *helpers, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(helpers[i].name, name) == 0)
            return helpers[i].cpu_ns;
    return NAN;
}

/* All but the monitor itself, the load and the samplers; several processes can stand for one. */
static void helpers_are_found_by_name(void **state)
{
    struct problem problem = {""};
    struct window window = window_of(two_readings, &problem);
    struct helper *helpers;
    size_t count = window_helpers(&window, &helpers);

    (void)state;
    assert_int_equal(count, 3);
    assert_number(growth_of(helpers, count, "kauditd"), 10, 0);
    assert_number(growth_of(helpers, count, "systemd-journald.service"), 6, 0);
    assert_number(growth_of(helpers, count, "rsyslog.service"), 3 + 10, 0);
    for (size_t i = 0; i < count; i++)
        free(helpers[i].name);
    free(helpers);
    window_free(&window);
}

static void memory_is_the_last_peak_of_all_processes_that_have_one(void **state)
{
    struct problem problem = {""};
    struct window window = window_of(two_readings, &problem);

    (void)state;
    assert_number(window_memory_peak_bytes(&window), 12288, 0);
    window_free(&window);
    window = window_of(HEADER "1,memory,monitor/11,,,1,100,ok\n1,memory,monitor/12,,,1,10,ok\n"
                              "1,memory,load,,,1,1000,ok\n",
                       &problem);
    assert_number(window_memory_peak_bytes(&window), 110, 0);
    window_free(&window);
}

static void assert_not_whole(const char *text, const char *expected)
{
    struct problem problem = {""};
    struct window window = window_of(text, &problem);

    assert_string_equal(problem.text, "");
    window_check_whole(&window, &problem);
    assert_string_equal(problem.text, expected);
    window_free(&window);
}

static void half_a_window_is_noticed(void **state)
{
    (void)state;
    assert_not_whole(HEADER "1,clock,monotonic,10,,,,ok\n1,cgroup,monitor,1,,,,ok\n",
                     "has no second reading");
    assert_not_whole(HEADER
                     "1,clock,monotonic,10,,,,ok\n1,cgroup,monitor,1,,,,ok\n3,clock,monotonic,20,,,,ok\n",
                     "has no second reading of cgroup monitor");
    assert_not_whole(HEADER "1,cgroup,monitor,1,,,,ok\n", "has no reading of the clock");
    assert_not_whole(HEADER, "has no reading of the clock");
}

static void assert_refused(const char *text, const char *expected)
{
    struct problem problem = {""};
    struct window window = window_of(text, &problem);

    assert_string_equal(problem.text, expected);
    assert_int_equal(window.count, 0);
}

static void damaged_readings_are_refused(void **state)
{
    (void)state;
    assert_refused(HEADER "1,clock,monotonic,10,,,,ok\n1,cgroup,moni", "ends within a line");
    assert_refused(HEADER "1,clock,monotonic,10\n", "line 2 has 4 fields, expected 8");
    assert_refused(HEADER "1,clock,monotonic,ten,,,,ok\n", "line 2 has 'ten', expected a number");
    assert_refused("time_ns,name\n", "has no column source");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growth_is_from_the_first_to_the_last_reading),
        cmocka_unit_test(what_was_not_counted_is_unknown),
        cmocka_unit_test(programs_may_come_and_go),
        cmocka_unit_test(helpers_are_found_by_name),
        cmocka_unit_test(memory_is_the_last_peak_of_all_processes_that_have_one),
        cmocka_unit_test(half_a_window_is_noticed),
        cmocka_unit_test(damaged_readings_are_refused),
    };

    return cmocka_run_group_tests_name("window", tests, files_setup, files_teardown);
}
