/* What eBPF programs take beyond their counted run time, from readings and a calibration that are written by
 * hand. */
#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/uncounted.h"
#include "files.h"
#include "numbers.h"

#define HEADER "time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n"
#define NO_WAKES "1,interrupts,irq_work,,100,,,ok\n3,interrupts,irq_work,,101,,,ok\n"

struct case_of_bpfcost {
    const char *kind;
    const char *place;
    const char *program;
    double uncounted_ns;
};

static const struct case_of_bpfcost cases[] = {
    {"raw_tracepoint:sys_enter", "first", "empty", 3},
    {"raw_tracepoint:sys_enter", "second", "empty", 2},
    {"raw_tracepoint:sys_enter", "third", "empty", -1},
    {"raw_tracepoint:sys_exit", "first", "empty", 5},
    {"raw_tracepoint:sys_exit", "beside", "empty", 4},
    {"tp_btf:sched_process_wait", "first", "empty", 6},
    {"tracepoint:sched:sched_process_wait", "first", "empty", 7},
    {"tracepoint:sched:sched_process_wait", "second", "empty", 8},
    {"tracepoint:raw_syscalls:sys_enter", "first", "empty", 9},
    {"tp_btf:sys_enter", "first", "work", 1},
};

/* Those of a machine on which waking was calibrated as well. */
static const struct case_of_bpfcost with_wakes[] = {
    {"tp_btf:sched_process_wait", "first", "empty", 6},
    {"raw_tracepoint:sched_process_wait", "first", "empty", 2},
    {"wake:raw_tracepoint:sched_process_wait", "first", "wake", 12},
};

/* As build/bpfcost writes them, and one that is not known. Intervals of 3.92, so that one standard error
 * is 1. */
static const char *costs_file(const struct case_of_bpfcost *list, size_t count)
{
    char text[4096];
    size_t used = 0;

    used += (size_t)snprintf(text, sizeof(text), "{\"costs\": [");
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "{\"kind\": \"%s\", \"place\": \"%s\", \"program\": \"%s\", "
                                 "\"uncounted_ns\": {\"value\": %.2f, \"low\": %.2f, \"high\": %.2f}},",
                                 list[i].kind, list[i].place, list[i].program, list[i].uncounted_ns,
                                 list[i].uncounted_ns, list[i].uncounted_ns + 3.92);
    snprintf(text + used, sizeof(text) - used,
             "{\"kind\": \"tp_btf:sys_exit\", \"place\": \"first\", \"program\": \"empty\", "
             "\"uncounted_ns\": {\"value\": 1.00, \"low\": null, \"high\": null}}]}");
    return file_with(text);
}

static struct uncounted uncounted_by(const char *costs, const char *readings, double launches)
{
    struct problem problem = {""};
    struct calibration calibration;
    struct window window = {0};
    struct uncounted uncounted;
    char text[4096];

    calibration_read(&calibration, costs, &problem);
    snprintf(text, sizeof(text), "%s%s", HEADER, readings);
    window_read(&window, file_with(text), &problem);
    assert_string_equal(problem.text, "");
    uncounted = uncounted_of(&window, &calibration, launches);
    window_free(&window);
    calibration_free(&calibration);
    return uncounted;
}

static struct uncounted uncounted_in(const char *readings, double launches)
{
    return uncounted_by(costs_file(cases, sizeof(cases) / sizeof(*cases)), readings, launches);
}

static void assert_ns(const char *readings, double ns, double error_ns)
{
    struct uncounted uncounted = uncounted_in(readings, 100);

    assert_string_equal(uncounted.why, "");
    assert_true(uncounted.known);
    assert_number(uncounted.ns, ns, 1e-9);
    assert_number(uncounted.error_ns, error_ns, 1e-9);
}

static void assert_unknown(const char *readings, const char *why)
{
    struct uncounted uncounted = uncounted_in(readings, 100);

    assert_string_equal(uncounted.why, why);
    assert_false(uncounted.known);
}

#define RUNS(name, runs) "1,bpf," name ",0,5,,,ok\n3,bpf," name ",900," #runs ",,,ok\n"
#define ATTACHED(name) "1,attached," name ",,1,,,ok\n3,attached," name ",,1,,,ok\n"

static void a_run_takes_what_was_calibrated(void **state)
{
    (void)state;
    assert_ns(RUNS("7:on_exec:tracing", 105) ATTACHED("7:tp_btf:sched_process_exec") NO_WAKES, 600, 100);
    assert_ns(RUNS("7:enter:raw_tracepoint", 105) ATTACHED("7:raw_tracepoint:sys_enter") NO_WAKES, 300, 100);
    assert_ns(RUNS("7:enter:tracepoint", 105) ATTACHED("7:tracepoint:sys_enter") NO_WAKES, 900, 100);
    /* What did not run need not be attached to anything. */
    assert_ns("1,bpf,8:tail:tracing,0,5,,,ok\n3,bpf,8:tail:tracing,0,5,,,ok\n" NO_WAKES, 0, 0);
}

/* The first one brings the slow path of system calls along, whichever end it is on. */
static void the_other_end_takes_the_slow_path_already(void **state)
{
    (void)state;
    assert_ns(RUNS("7:enter:raw_tracepoint", 105) RUNS("9:exit:raw_tracepoint", 205)
                  ATTACHED("7:raw_tracepoint:sys_enter") ATTACHED("9:raw_tracepoint:sys_exit") NO_WAKES,
              300 + 800, hypot(100, 200));
    assert_ns(RUNS("9:exit:raw_tracepoint", 105) ATTACHED("5:raw_tracepoint:sys_enter")
                  ATTACHED("9:raw_tracepoint:sys_exit") NO_WAKES,
              400, 100);
    assert_ns(RUNS("9:exit:raw_tracepoint", 105) ATTACHED("5:tracepoint:sys_enter_execve")
                  ATTACHED("9:raw_tracepoint:sys_exit") NO_WAKES,
              400, 100);
    assert_ns(RUNS("9:exit:raw_tracepoint", 105) ATTACHED("9:raw_tracepoint:sys_exit") NO_WAKES, 500, 100);
}

static void programs_of_others_come_first(void **state)
{
    (void)state;
    assert_ns(RUNS("3:enter:raw_tracepoint", 105) ATTACHED("3:raw_tracepoint:sys_enter")
                  ATTACHED("8:raw_tracepoint:sys_enter") NO_WAKES,
              200, 100);
    /* The fourth is like the third. */
    assert_ns(RUNS("3:a:raw_tracepoint", 15) RUNS("4:b:raw_tracepoint", 25) RUNS("5:c:raw_tracepoint", 35)
                  ATTACHED("3:raw_tracepoint:sys_enter") ATTACHED("4:raw_tracepoint:sys_enter")
                      ATTACHED("5:raw_tracepoint:sys_enter") ATTACHED("9:tp_btf:sys_enter") NO_WAKES,
              20 - 20 - 30, hypot(10, 50));
    assert_ns(RUNS("3:a:tracepoint", 15) RUNS("4:b:tracepoint", 25) RUNS("5:c:tracepoint", 35)
                  ATTACHED("3:tracepoint:sched_process_exec") ATTACHED("4:tracepoint:sched_process_exec")
                      ATTACHED("5:tracepoint:sched_process_exec") NO_WAKES,
              70 + 160 + 240, hypot(10, 50));
    /* One that went, and one elsewhere. */
    assert_ns(
        RUNS("3:a:raw_tracepoint", 15) ATTACHED("3:raw_tracepoint:sys_enter") ATTACHED(
            "4:raw_tracepoint:sys_entering") "1,attached,8:raw_tracepoint:sys_enter,,1,,,ok\n"
                                             "3,attached,8:raw_tracepoint:sys_enter,,0,,,gone\n" NO_WAKES,
        20, 10);
}

static void what_was_not_calibrated_is_told(void **state)
{
    (void)state;
    assert_unknown(RUNS("7:lsm_exec:lsm", 6) ATTACHED("7:lsm:") NO_WAKES,
                   "7:lsm_exec:lsm: programs of kind lsm are not calibrated");
    assert_unknown(RUNS("7:enter:tracepoint", 6) ATTACHED("7:tracepoint:sys_enter_execve") NO_WAKES,
                   "7:enter:tracepoint: on sys_enter_execve all other system calls pay for it too");
    assert_unknown(RUNS("7:a:raw_tracepoint", 6) ATTACHED("7:raw_tracepoint:sys_enter")
                       ATTACHED("5:tracepoint:sys_enter_execve") NO_WAKES,
                   "7:a:raw_tracepoint: shares sys_enter with programs of another kind");
    assert_unknown(RUNS("7:a:tracing", 6) ATTACHED("7:tp_btf:sys_exit") NO_WAKES,
                   "7:a:tracing: tp_btf:sys_exit as the first one was not calibrated");
    assert_unknown(RUNS("7:a:tracing", 6) ATTACHED("7:tp_btf:sys_enter") NO_WAKES,
                   "7:a:tracing: tp_btf:sys_enter as the first one was not calibrated");
    assert_unknown(RUNS("7:a:tracing", 6) ATTACHED("70:tp_btf:sched_process_exec") NO_WAKES,
                   "7:a:tracing: where it is attached is not known");
    assert_unknown(RUNS("7:a:tracing", 6) ATTACHED("7:tp_btf:sched_process_exec")
                       ATTACHED("7:tp_btf:sched_process_fork") NO_WAKES,
                   "7:a:tracing: attached in more than one place");
    assert_unknown(RUNS("7:a:tracing", 6) "1,attached,7:tp_btf:sched_process_exec,,2,,,ok\n" NO_WAKES,
                   "7:a:tracing: attached in more than one place");
}

#define ONE RUNS("7:a:tracing", 105) ATTACHED("7:tp_btf:sched_process_exec")

static void a_wake_takes_what_it_adds_to_a_run(void **state)
{
    const char *costs = costs_file(with_wakes, sizeof(with_wakes) / sizeof(*with_wakes));
    struct uncounted uncounted =
        uncounted_by(costs, ONE "1,interrupts,irq_work,,100,,,ok\n3,interrupts,irq_work,,400,,,ok\n", 100);

    (void)state;
    assert_string_equal(uncounted.why, "");
    assert_true(uncounted.known);
    assert_number(uncounted.ns, 600 + 300 * (12 - 2), 1e-9);
    assert_number(uncounted.error_ns, sqrt(100. * 100 + 2 * 300. * 300), 1e-9);
}

static void what_wakes_readers_is_not_always_calibrated(void **state)
{
    (void)state;
    assert_ns(ONE "1,interrupts,irq_work,,100,,,ok\n3,interrupts,irq_work,,110,,,ok\n", 600, 100);
    assert_unknown(ONE "1,interrupts,irq_work,,100,,,ok\n3,interrupts,irq_work,,150,,,ok\n",
                   "readers were woken 0.5 times an execution, which was not calibrated");
    assert_unknown(ONE "1,interrupts,irq_work,,,,,ok\n3,interrupts,irq_work,,,,,ok\n",
                   "how often readers were woken is not known");
    assert_unknown(ONE, "how often readers were woken is not known");
}

static void without_a_calibration_nothing_is_known(void **state)
{
    const struct calibration nothing = {0};
    struct window window = {0};
    struct uncounted uncounted = uncounted_of(&window, &nothing, 100);

    (void)state;
    assert_false(uncounted.known);
    assert_string_equal(uncounted.why, "nothing was calibrated");
}

static void a_damaged_calibration_is_told(void **state)
{
    struct calibration calibration;
    struct problem problem = {""};

    (void)state;
    calibration_read(&calibration, file_with("{\"costs\": 3}"), &problem);
    assert_string_equal(problem.text, "has no list of costs");
    assert_int_equal(calibration.count, 0);
    calibration_free(&calibration);
    problem = (struct problem){""};
    calibration_read(&calibration, file_with("{\"costs\": ["), &problem);
    assert_true(strncmp(problem.text, "is no JSON: ", 12) == 0);
    assert_int_equal(calibration.count, 0);
    calibration_free(&calibration);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_takes_what_was_calibrated),
        cmocka_unit_test(the_other_end_takes_the_slow_path_already),
        cmocka_unit_test(programs_of_others_come_first),
        cmocka_unit_test(what_was_not_calibrated_is_told),
        cmocka_unit_test(a_wake_takes_what_it_adds_to_a_run),
        cmocka_unit_test(what_wakes_readers_is_not_always_calibrated),
        cmocka_unit_test(without_a_calibration_nothing_is_known),
        cmocka_unit_test(a_damaged_calibration_is_told),
    };

    return cmocka_run_group_tests_name("uncounted", tests, files_setup, files_teardown);
}
