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

/* 3 kB/s of growth, and noise of megabytes, of which each reading keeps a share of the one before: none of
 * what scatters, all of what walks. */
static unsigned held_of_4000(double kept)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned held = 0;

    for (unsigned soak = 0; soak < 4000; soak++) {
        struct soak_point points[READINGS];
        struct interval slope;
        double noise = 0;

        for (int i = 0; i < READINGS; i++) {
            noise = kept * noise + gsl_ran_gaussian(random, MIB);
            points[i] = (struct soak_point){.s = i, .bytes = 100 * MIB + 3000.0 * i + noise};
        }
        slope = soak_slope(points, READINGS);
        held += slope.low <= 3000 && slope.high >= 3000;
    }
    gsl_rng_free(random);
    print_message("%u of 4000 intervals hold the truth with %g kept\n", held, kept);
    return held;
}

/* In between, a stretch that ends high is followed by one that begins high, so that their slopes cancel out
 * and the interval is rather too wide. */
static void intervals_hold_the_truth(void **state)
{
    (void)state;
    assert_in_range(held_of_4000(0), 3740, 3860);
    assert_in_range(held_of_4000(0.7), 3740, 4000);
    assert_in_range(held_of_4000(0.95), 3740, 4000);
    assert_in_range(held_of_4000(1), 3740, 3860);
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
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(one_jump_is_no_growth),
        cmocka_unit_test(memory_is_that_of_all_of_its_processes),
        cmocka_unit_test(nothing_is_told_of_processes_that_change),
    };

    return cmocka_run_group_tests_name("soak", tests, files_setup, files_teardown);
}
