#include "../unit.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../../../src/figures/syscalls.h"
#include "numbers.h"

/* A slice every 25 ms on each of two CPUs, for 4 s; the time of day is an hour ahead of CLOCK_MONOTONIC. A
 * getppid takes 100 ns, a read 200. */
#define SLICES 160
#define CPUS 2
#define APART_US 25000
#define OFFSET_US 3600000000L
#define CALLS 1000

static struct made {
    const char *way, *reason;
    const char *phases; /* from the first slice on */
    double watched_ns;  /* more, of a watched one */
    double group_1_ns;  /* more, of one in group 1, watched or not */
    double jitter_ns;   /* more, of a watched one in an even block, and less in an odd one */
    double drift_ns;    /* more, from each slice to the next */
    int missing;        /* the number of a slice that is not there; -1: none */
    long late_us;       /* a switch comes into force that long after it was made */
    long step_ns;
} made;

#define GROUPS "0,0,2000000\n1,2000000,4000000\n"
#define ON_AND_OFF                                                                                           \
    "none,0,200000\nall,200000,400000\nall,400000,600000\nnone,600000,800000\n"                              \
    "all,800000,1000000\nnone,1000000,1200000\nnone,1200000,1400000\nall,1400000,1600000\n"                  \
    "none,1600000,1800000\nall,1800000,2000000\nall,2000000,2200000\nnone,2200000,2400000\n"

static char folder[] = "/tmp/syscalls-unit-XXXXXX";
static char names[4][PATH_MAX];

static int setup_folder(void **state)
{
    static const char *const files[] = {"syscalls.json", "load.json", "phases.csv", "slices.csv.gz"};
    char path[PATH_MAX];

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    for (size_t i = 0; i < 4; i++)
        snprintf(names[i], sizeof(names[i]), "%s/syscalls/%s", folder, files[i]);
    snprintf(path, sizeof(path), "%s/syscalls", folder);
    return mkdir(path, 0700);
}

static int teardown_folder(void **state)
{
    char path[PATH_MAX];

    (void)state;
    for (size_t i = 0; i < 4; i++)
        unlink(names[i]);
    snprintf(path, sizeof(path), "%s/syscalls", folder);
    rmdir(path);
    return rmdir(folder);
}

static int setup(void **state)
{
    (void)state;
    made = (struct made){.way = "groups", .reason = "", .phases = GROUPS, .watched_ns = 50, .missing = -1};
    return 0;
}

static void write_text(const char *path, const char *format, ...)
{
    FILE *file = fopen(path, "we");
    va_list arguments;

    va_start(arguments, format);
    if (!file || vfprintf(file, format, arguments) < 0 || fclose(file) != 0)
        abort();
    va_end(arguments);
}

/* Calls use for each phase, from `unwatched`, FROM and TO in us. */
static void each_phase(void (*use)(void *data, const char *unwatched, long from_us, long to_us), void *data)
{
    const char *phase = made.phases;
    char unwatched[8];
    long from_us, to_us;

    while (*phase && sscanf(phase, "%7[^,],%ld,%ld", unwatched, &from_us, &to_us) == 3) {
        use(data, unwatched, from_us, to_us);
        phase = strchr(phase, '\n') + 1;
    }
}

static void write_phase(void *data, const char *unwatched, long from_us, long to_us)
{
    fprintf(data, "%s,%ld,%ld\n", unwatched, from_us + OFFSET_US, to_us + OFFSET_US);
}

static void write_phases(void)
{
    FILE *file = fopen(names[2], "we");

    fputs("unwatched,from_real_us,to_real_us\n", file);
    each_phase(write_phase, file);
    fclose(file);
}

struct at {
    long us;
    int group;
    bool watched;
};

static void look(void *data, const char *unwatched, long from_us, long to_us)
{
    struct at *at = data;

    if (at->us >= from_us && at->us < to_us)
        at->watched =
            strcmp(unwatched, "none") == 0 || (strcmp(unwatched, "all") != 0 && atoi(unwatched) != at->group);
}

/* Two of each four, in one order and then in the opposite one; the other CPU has the opposite one. */
static int group_of(int number, int cpu)
{
    if (strcmp(made.way, "groups") != 0)
        return 0;
    return ((number & 3) == 1 || (number & 3) == 2) ^ ((number & 4) != 0) ^ cpu;
}

/* Forked at 1 ms, its first batch at 3 ms, its last ends at 24 ms of its 25. */
static void write_slice(gzFile file, int number, int cpu)
{
    const long from_us = (long)number * APART_US;
    struct at at = {.us = from_us - made.late_us, .group = group_of(number, cpu)};
    char group[8] = "";
    double more_ns;

    each_phase(look, &at);
    more_ns = (at.watched ? made.watched_ns + (number & 4 ? -1 : 1) * made.jitter_ns : 0) +
              at.group * made.group_1_ns + number * made.drift_ns;
    if (strcmp(made.way, "groups") == 0)
        snprintf(group, sizeof(group), "%d", 7000 + at.group);
    for (int call = 0; call < 2; call++)
        gzprintf(file, "%d,%d,%s,%s,%d,%.0f,0,%ld,%ld\n", number, cpu, group, call ? "read" : "getppid",
                 CALLS, ((call + 1) * 100 + more_ns) * CALLS, (from_us + 3000) * 1000,
                 (from_us + 23000 + call) * 1000);
}

static void write_slices(void)
{
    gzFile file = gzopen(names[3], "wb");

    gzputs(file, "slice,cpu,group,call,calls,cpu_ns,elapsed_ns,start_mono_ns,end_mono_ns\n");
    for (int cpu = 0; cpu < CPUS; cpu++)
        for (int number = 0; number < SLICES; number++)
            if (number != made.missing)
                write_slice(file, number, cpu);
    if (gzclose(file) != Z_OK)
        abort();
}

static struct syscalls read_made(struct problem *problem)
{
    struct syscalls syscalls;

    write_text(names[0], "{\"way\": \"%s\", \"problem\": \"%s\"}", made.way, made.reason);
    write_text(names[1], "{\"groups\": [7000, 7001], \"real_offset_ns\": %ld, \"real_step_ns\": %ld}",
               OFFSET_US * 1000, made.step_ns);
    write_phases();
    write_slices();
    syscalls_read(&syscalls, folder, problem);
    return syscalls;
}

static struct syscalls read_good(void)
{
    struct problem problem = {""};
    struct syscalls syscalls = read_made(&problem);

    assert_string_equal(problem.text, "");
    return syscalls;
}

static void assert_costs(const struct syscalls *syscalls, double added_ns)
{
    assert_string_equal(syscalls->reason, "");
    assert_int_equal(syscalls->count, 2);
    assert_string_equal(syscalls->costs[0].name, "getppid");
    assert_string_equal(syscalls->costs[1].name, "read");
    for (size_t i = 0; i < 2; i++) {
        const struct syscall_cost *cost = &syscalls->costs[i];

        assert_number(cost->added.value, added_ns, 1e-6);
        assert_number(cost->with_ns - cost->without_ns, added_ns, 1e-6);
    }
}

static void watched_slices_cost_what_was_planted(void **state)
{
    struct syscalls syscalls = read_good();

    (void)state;
    assert_costs(&syscalls, 50);
    assert_number(syscalls.costs[0].without_ns, 100, 1e-6);
    assert_number(syscalls.costs[1].without_ns, 200, 1e-6);
    assert_number(syscalls.costs[0].added.variance, 0, 1e-9);
}

static void what_else_differs_between_the_groups_cancels_out(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.group_1_ns = 30;
    syscalls = read_good();
    assert_costs(&syscalls, 50);
    assert_number(syscalls.costs[0].without_ns, 115, 1e-6);
}

static void a_drift_cancels_out(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.drift_ns = 3;
    syscalls = read_good();
    assert_costs(&syscalls, 50);
}

static void the_error_is_that_of_a_mean_of_blocks(void **state)
{
    /* In the first half of each CPU, the block of slice 0 is left out, which none comes before; in the second
     * one that of slice 80, which was forked before the groups changed places. Of either, 19 blocks are left
     * on each CPU, whose differences are 40 and 60 by turns: 9 and 10 of them, in either half. */
    const double n = 38, mean = (18 * 60 + 20 * 40) / n;
    const double variance = (18 * (60 - mean) * (60 - mean) + 20 * (40 - mean) * (40 - mean)) / (n - 1);
    struct syscalls syscalls;

    (void)state;
    made.jitter_ns = 10;
    syscalls = read_good();
    assert_number(syscalls.costs[0].added.variance, 2 * variance / n / 4, 1e-6);
    assert_number(syscalls.costs[0].added.degrees, 2 * (n - 1), 1e-6);
}

static void a_block_that_lacks_a_slice_is_left_out(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.missing = 41;
    made.drift_ns = 100;
    syscalls = read_good();
    assert_costs(&syscalls, 50);
}

static void groups_that_never_changed_places_say_nothing(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.phases = "0,0,4000000\n";
    syscalls = read_good();
    assert_string_equal(syscalls.reason, "too few slices");
    assert_true(isnan(syscalls.costs[0].added.value));
}

static void a_switched_monitor_is_compared_by_cycles(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.way = "switched";
    made.phases = ON_AND_OFF;
    made.drift_ns = 2;
    syscalls = read_good();
    assert_costs(&syscalls, 50);
    assert_number(syscalls.costs[0].added.degrees, 2, 1e-9);
    made.phases = "none,0,200000\nall,200000,400000\nall,400000,600000\nnone,600000,800000\n"
                  "all,800000,1000000\nnone,1000000,1200000\nnone,1200000,1400000\nall,1400000,1600000\n";
    syscalls = read_good();
    assert_string_equal(syscalls.reason, "too few slices");
}

static void slices_near_a_switch_are_left_out(void **state)
{
    struct syscalls syscalls;

    (void)state;
    /* What was forked before a switch was in force, or ends in another phase; here, it has only what was
     * before. */
    made.way = "switched";
    made.late_us = 16000;
    made.phases = "none,0,210000\nall,210000,390000\nall,390000,610000\nnone,610000,790000\n"
                  "all,790000,1010000\nnone,1010000,1190000\nnone,1190000,1410000\nall,1410000,1590000\n"
                  "none,1590000,1810000\nall,1810000,1990000\nall,1990000,2210000\nnone,2210000,2390000\n";
    syscalls = read_good();
    assert_costs(&syscalls, 50);
}

static void apart_there_is_nothing_to_compare_with(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.way = "apart";
    made.phases = "none,0,4000000\n";
    syscalls = read_good();
    assert_string_equal(syscalls.reason, "");
    assert_number(syscalls.costs[0].with_ns, 150, 1e-6);
    assert_number(syscalls.costs[1].with_ns, 250, 1e-6);
    assert_true(isnan(syscalls.costs[0].without_ns));
    assert_true(isnan(syscalls.costs[0].added.value));
    made.phases = "none,0,60000\n";
    syscalls = read_good();
    assert_string_equal(syscalls.reason, "too few slices");
}

static void what_went_wrong_voids_the_window(void **state)
{
    struct syscalls syscalls;

    (void)state;
    made.reason = "the monitor died";
    syscalls = read_good();
    assert_true(syscalls.exists);
    assert_string_equal(syscalls.reason, "the monitor died");
    assert_int_equal(syscalls.count, 0);
    made.reason = "";
    made.step_ns = -2000000;
    syscalls = read_good();
    assert_string_equal(syscalls.reason, "the time of day was stepped");
}

static void assert_damage(const char *expected)
{
    struct problem problem = {""};

    read_made(&problem);
    assert_string_equal(problem.text, expected);
    setup(NULL);
}

static void damage_is_a_problem(void **state)
{
    struct problem problem;
    struct syscalls syscalls;

    (void)state;
    made.way = "guessed";
    assert_damage("syscalls/syscalls.json has no way or problem that is known");
    for (size_t i = 1; i < 4; i++) {
        read_good();
        unlink(names[i]);
        problem = (struct problem){""};
        syscalls_read(&syscalls, folder, &problem);
        assert_int_equal(strncmp(problem.text, "syscalls/", 9), 0);
    }
}

/* slices.csv.gz with one row, and load.json with an offset or not. */
static void assert_damaged_row(const char *row, const char *load, const char *expected)
{
    struct problem problem = {""};
    struct syscalls syscalls;
    gzFile file;

    read_good();
    write_text(names[1], "%s", load);
    file = gzopen(names[3], "wb");
    gzprintf(file, "slice,cpu,group,call,calls,cpu_ns,end_mono_ns\n%s\n", row);
    gzclose(file);
    syscalls_read(&syscalls, folder, &problem);
    assert_string_equal(problem.text, expected);
}

static void damaged_rows_are_problems(void **state)
{
    const char *load = "{\"groups\": [7000, 7001], \"real_offset_ns\": 1}";

    (void)state;
    assert_damaged_row("0,0,7000,read,1000,5,6", load, "");
    assert_damaged_row("0,0,7000,read,0,5,6", load, "syscalls/slices.csv.gz line 2 has no calls");
    assert_damaged_row("0,0,7002,read,1000,5,6", load,
                       "syscalls/slices.csv.gz line 2 has the group 7002, expected one of load.json");
    assert_damaged_row("0,0,7000,read,1000,5.5,6", load,
                       "syscalls/slices.csv.gz line 2 has '5.5', expected a whole number");
    assert_damaged_row("0,0,7000,read,1000,5,6", "{}", "syscalls/load.json has no real_offset_ns");
}

static void without_the_window_there_is_nothing(void **state)
{
    struct problem problem = {""};
    struct syscalls syscalls;

    (void)state;
    read_good();
    unlink(names[0]);
    syscalls_read(&syscalls, folder, &problem);
    assert_false(syscalls.exists);
    assert_string_equal(problem.text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(watched_slices_cost_what_was_planted, setup),
        cmocka_unit_test_setup(what_else_differs_between_the_groups_cancels_out, setup),
        cmocka_unit_test_setup(a_drift_cancels_out, setup),
        cmocka_unit_test_setup(the_error_is_that_of_a_mean_of_blocks, setup),
        cmocka_unit_test_setup(a_block_that_lacks_a_slice_is_left_out, setup),
        cmocka_unit_test_setup(groups_that_never_changed_places_say_nothing, setup),
        cmocka_unit_test_setup(a_switched_monitor_is_compared_by_cycles, setup),
        cmocka_unit_test_setup(slices_near_a_switch_are_left_out, setup),
        cmocka_unit_test_setup(apart_there_is_nothing_to_compare_with, setup),
        cmocka_unit_test_setup(what_went_wrong_voids_the_window, setup),
        cmocka_unit_test_setup(damage_is_a_problem, setup),
        cmocka_unit_test_setup(damaged_rows_are_problems, setup),
        cmocka_unit_test_setup(without_the_window_there_is_nothing, setup),
    };

    return cmocka_run_group_tests_name("syscalls", tests, setup_folder, teardown_folder);
}
