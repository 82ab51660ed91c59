/* Slopes of memory over time: lines that are known, and how often the interval holds the truth where memory
 * scatters, walks, or goes together from reading to reading. */
#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../src/figures/number.h"
#include "../../../src/figures/soak.h"
#include "files.h"
#include "numbers.h"

#define READINGS 121
#define MIB 1048576.0

static void a_line_is_its_slope(void **state)
{
    struct soak_point points[READINGS];
    struct interval slope;

    (void)state;
    for (int i = 0; i < READINGS; i++)
        points[i] = (struct soak_point){.s = 700 + i, .bytes = 50 * MIB + 5000.0 * i};
    slope = soak_slope(points, READINGS);
    assert_number(slope.value, 5000, 1e-6);
    /* 64 pages of 4096 bytes over 120 s. */
    assert_number(slope.low, 5000 - 2184.533333, 1e-3);
    assert_number(slope.high, 5000 + 2184.533333, 1e-3);
}

/* Six stretches of three readings; their slopes in bytes/s are 0, 0, 0, 0, 0 and 6e6. */
static void the_interval_is_of_six_stretches(void **state)
{
    struct soak_point points[18];
    struct interval slope;

    (void)state;
    for (int i = 0; i < 18; i++)
        points[i] = (struct soak_point){.s = i, .bytes = i < 16 ? 0 : 6e6 * (i - 15)};
    slope = soak_slope(points, 18);
    assert_number(slope.value, 1e6, 1e-3);
    /* One standard error is 1e6 as well; Student's t of five degrees is 2.570582. */
    assert_number(slope.low, 1e6 - 2570581.84, 1);
    assert_number(slope.high, 1e6 + 2570581.84, 1);
    assert_true(isnan(soak_slope(points, 17).value) && isnan(soak_slope(points, 17).low));
}

enum kind { SCATTERS, WALKS, GOES_TOGETHER };

/* 3 kB/s of growth, and noise of megabytes. */
static unsigned held_by(enum kind kind, unsigned soaks)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned held = 0;

    for (unsigned soak = 0; soak < soaks; soak++) {
        struct soak_point points[READINGS];
        struct interval slope;
        double noise = 0;

        for (int i = 0; i < READINGS; i++) {
            double step = gsl_ran_gaussian(random, MIB);

            if (kind == SCATTERS)
                noise = step;
            else
                noise = (kind == WALKS ? 1 : 0.7) * noise + step;
            points[i] = (struct soak_point){.s = i, .bytes = 100 * MIB + 3000.0 * i + noise};
        }
        slope = soak_slope(points, READINGS);
        held += slope.low <= 3000 && slope.high >= 3000;
    }
    gsl_rng_free(random);
    return held;
}

static void assert_holds(enum kind kind)
{
    unsigned held = held_by(kind, 4000);

    print_message("%u of 4000 intervals hold the truth\n", held);
    assert_in_range(held, 3740, 3860);
}

static void intervals_hold_where_memory_scatters(void **state)
{
    (void)state;
    assert_holds(SCATTERS);
}

static void intervals_hold_where_memory_walks(void **state)
{
    (void)state;
    assert_holds(WALKS);
}

static void intervals_hold_where_readings_go_together(void **state)
{
    (void)state;
    assert_holds(GOES_TOGETHER);
}

/* Where a heap grows once, it need not go on. */
static void one_jump_is_no_growth(void **state)
{
    for (int at = 1; at < READINGS; at++) {
        struct soak_point points[READINGS];
        struct interval slope;

        for (int i = 0; i < READINGS; i++)
            points[i] = (struct soak_point){.s = i, .bytes = (i < at ? 50 : 60) * MIB};
        slope = soak_slope(points, READINGS);
        assert_true(slope.low < 0 && slope.high > 0);
    }
    (void)state;
}

/* Readings once a second of two processes; from reading gone_from on, one of them has ended. */
static struct soak soak_with(int readings, int gone_from)
{
    struct problem problem = {""};
    struct window window = {0};
    struct soak soak;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    fputs("time_ns,source,name,cpu_ns,count,memory_bytes,memory_peak_bytes,status\n", out);
    for (int i = 0; i < readings; i++) {
        fprintf(out, "1,clock,monotonic,%d000000000,,,,ok\n", 5 + i);
        fputs("1,host,idle,1,,,,ok:timer_list\n1,memory,load,,,77,77,ok\n", out);
        fprintf(out, "1,memory,monitor/11,,,%d,9,ok\n", 1000000 + 100000 * i);
        fprintf(out, "1,memory,monitor/12,,,500,9,%s\n", i < gone_from ? "ok" : "gone");
    }
    fclose(out);
    window_read(&window, file_with(text), &problem);
    assert_string_equal(problem.text, "");
    soak = soak_of(&window);
    window_free(&window);
    free(text);
    return soak;
}

static void memory_is_that_of_all_of_its_processes(void **state)
{
    struct soak soak = soak_with(20, 20);

    (void)state;
    assert_number(soak.readings, 20, 0);
    assert_number(soak.first_bytes, 1000500, 0);
    assert_number(soak.last_bytes, 2900500, 0);
    assert_number(soak.bytes_per_s.value, 100000, 1e-6);
    assert_true(soak.bytes_per_s.low > 80000 && soak.bytes_per_s.high < 120000);
}

static void nothing_is_told_of_processes_that_change(void **state)
{
    struct soak soak = soak_with(20, 19);

    (void)state;
    assert_true(isnan(soak.readings) && isnan(soak.last_bytes) && isnan(soak.bytes_per_s.value));
    soak = soak_with(0, 0);
    assert_true(isnan(soak.readings) && isnan(soak.bytes_per_s.low));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_its_slope),
        cmocka_unit_test(the_interval_is_of_six_stretches),
        cmocka_unit_test(intervals_hold_where_memory_scatters),
        cmocka_unit_test(intervals_hold_where_memory_walks),
        cmocka_unit_test(intervals_hold_where_readings_go_together),
        cmocka_unit_test(one_jump_is_no_growth),
        cmocka_unit_test(memory_is_that_of_all_of_its_processes),
        cmocka_unit_test(nothing_is_told_of_processes_that_change),
    };

    return cmocka_run_group_tests_name("soak", tests, files_setup, files_teardown);
}
