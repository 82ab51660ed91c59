/* What `go test -bench` prints, and engines.csv, engine-fits.csv and engine-differences.csv from measurements
 * that are made here. */
#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/engines.h"
#include "files.h"
#include "numbers.h"

static bool parse(const char *text, double events, struct engine_cost *cost)
{
    char line[300];

    snprintf(line, sizeof(line), "%s", text);
    return engine_parse_result(line, events, cost);
}

static void a_result_is_of_one_event(void **state)
{
    struct engine_cost cost;

    (void)state;
    assert_true(parse("BenchmarkLook/cel/never/2-2  \t  10\t  6400 ns/op\t 2583316 compile-ns\t 9600 "
                      "cpu-ns/op\t 65536 resident-bytes\t"
                      " 3200 B/op\t  64 allocs/op",
                      32, &cost));
    assert_number(cost.ns, 200, 1e-9);
    assert_number(cost.cpu_ns, 300, 1e-9);
    assert_number(cost.bytes, 100, 1e-9);
    assert_number(cost.allocs, 2, 1e-9);
    assert_number(cost.compile_ns, 2583316, 1e-9);
    assert_number(cost.resident_bytes, 65536, 1e-9);
}

static void what_is_not_said_is_unknown(void **state)
{
    struct engine_cost cost;

    (void)state;
    assert_true(parse("BenchmarkOnEvent/golang-2 1000 643.5 ns/op", 1, &cost));
    assert_number(cost.ns, 643.5, 1e-9);
    assert_true(isnan(cost.cpu_ns) && isnan(cost.bytes) && isnan(cost.allocs) && isnan(cost.compile_ns) &&
                isnan(cost.resident_bytes));
}

static void other_lines_are_no_results(void **state)
{
    struct engine_cost cost;

    (void)state;
    assert_false(parse("", 1, &cost));
    assert_false(parse("goos: linux", 1, &cost));
    assert_false(parse("PASS", 1, &cost));
    assert_false(parse("BenchmarkLook/go/never/2-2", 1, &cost));
    assert_false(parse("BenchmarkLook/go/never/2-2 10 12 B/op", 1, &cost));
    assert_false(parse("BenchmarkLook/go/never/2-2 10 x ns/op", 1, &cost));
    assert_false(parse("BenchmarkLook/go/never/2-2 10 12 ns/op 5", 1, &cost));
}

static void assert_read(const char *text, bool measured, double ns)
{
    struct engine_cell cell = {.events = 10};
    struct problem problem = {""};

    engine_read_result(&cell, file_with(text), &problem);
    assert_int_equal(cell.measured, measured);
    assert_int_equal(problem_is_set(&problem), !measured);
    if (measured)
        assert_number(cell.cost.ns, ns, 1e-9);
}

static void a_file_has_one_result(void **state)
{
    (void)state;
    assert_read("goos: linux\nBenchmarkA-2 5 70 ns/op\nPASS\n", true, 7);
    assert_read("goos: linux\nPASS\n", false, 0);
    assert_read("BenchmarkA-2 5 70 ns/op\nBenchmarkB-2 5 80 ns/op\n", false, 0);
}

#define CELLS_MAX 64

struct made {
    struct engine_cell cells[CELLS_MAX];
    size_t count;
};

static void add(struct made *made, char *engine, double count, double ns)
{
    made->cells[made->count++] = (struct engine_cell){
        .count = count,
        .events = 1,
        .module = "m",
        .engine = engine,
        .signature = "s",
        .measured = ns == ns,
        .cost = {ns, NAN, 8, 1, NAN, NAN},
    };
}

/* Valid until the next call. */
static const char *written(struct made *made, void (*writer)(FILE *out, struct engine_cells *cells))
{
    static char text[16 * 1024];
    struct engine_cells cells = {made->cells, made->count};
    FILE *out = fmemopen(text, sizeof(text), "w");

    assert_non_null(out);
    writer(out, &cells);
    fclose(out);
    return text;
}

static void a_row_an_engine_and_number_of_signatures(void **state)
{
    struct made made = {0};
    const char *text;

    (void)state;
    add(&made, "b", 10, 50);
    add(&made, "a", 100, 90);
    add(&made, "a", 10, 20);
    add(&made, "a", 10, 22);
    add(&made, "a", 10, 24);
    add(&made, "a", 10, NAN);
    text = written(&made, engines_write_means);
    assert_non_null(strstr(text, "\nm,a,s,10,3,22,17.0317,26.9683,,,,8,8,8,1,1,1,,,,,,\nm,a,s,100,1,90,,,,,,"
                                 "8,,,1,,,,,,,,\nm,b,s,10,1,"));
}

/* y = 10 + 2 x, and one point at each end that is 10 % too high and too low. With equal weights the dear end
 * would decide. */
static void cheap_points_count_as_shares_of_themselves(void **state)
{
    struct made made = {0};
    const char *text, *row;
    double fixed, low, high, slope;

    (void)state;
    add(&made, "a", 2, 14 * 1.1);
    add(&made, "a", 2, 14 * 0.9);
    add(&made, "a", 100, 210 * 1.1);
    add(&made, "a", 100, 210 * 0.9);
    text = written(&made, engines_write_fits);
    row = strstr(text, "\nm,a,s,ns,ns per event,4,");
    assert_non_null(row);
    assert_int_equal(sscanf(row, "\nm,a,s,ns,ns per event,4,%lf,%lf,%lf,%lf", &fixed, &low, &high, &slope),
                     4);
    assert_number(fixed, 10, 1e-4);
    assert_number(slope, 2, 1e-4);
    assert_true(high - low < 20);
    assert_null(strstr(text, "compile_ns"));
    assert_null(strstr(text, ",bytes,"));
}

static void one_number_of_signatures_is_no_line(void **state)
{
    struct made made = {0};
    const char *text;

    (void)state;
    add(&made, "a", 2, 14);
    add(&made, "a", 2, 15);
    text = written(&made, engines_write_fits);
    assert_null(strchr(strchr(text, '\n') + 1, '\n'));
}

/* Welch's: 3.9936 degrees of freedom, t = 2.7782, standard error 5/3. */
static void engines_of_a_module_are_compared(void **state)
{
    struct made made = {0};
    double difference, low, high;
    const char *text, *row;

    (void)state;
    add(&made, "b", 10, 50);
    add(&made, "a", 10, 20);
    add(&made, "b", 10, 51);
    add(&made, "a", 10, 22);
    add(&made, "a", 10, 24);
    add(&made, "b", 10, 54);
    add(&made, "b", 100, 54);
    add(&made, "b", 100, 56);
    add(&made, "c", 10, 5);
    text = written(&made, engines_write_differences);
    row = strstr(text, "\nm,s,10,a,b,ns,");
    assert_non_null(row);
    assert_int_equal(sscanf(row, "\nm,s,10,a,b,ns,%lf,%lf,%lf", &difference, &low, &high), 3);
    assert_number(difference, -29.6667, 1e-4);
    assert_number(low, -34.297, 1e-3);
    assert_number(high, -25.0363, 1e-3);
    /* Not what was measured once, nor with other numbers of signatures, nor what is unknown. */
    assert_string_equal(strchr(row + 1, '\n'), "\n");
}

static void other_modules_and_signatures_are_not_compared(void **state)
{
    struct made made = {0};
    const char *text;

    (void)state;
    for (int rep = 0; rep < 2; rep++) {
        add(&made, "a", 10, 20 + rep);
        add(&made, "b", 10, 30 + rep);
        made.cells[made.count - 1].module = "other";
        add(&made, "c", 10, 40 + rep);
        made.cells[made.count - 1].signature = "other";
    }
    text = written(&made, engines_write_differences);
    assert_string_equal(
        text,
        "module,signature,signatures,engine_a,engine_b,figure,difference,difference_low,difference_high\n");
}

#define SETS 1000
#define FEWEST 930
#define MOST 970
#define REPS 5
#define FIXED 400.0
#define SLOPE 90.0

/* Times that scatter by a share of themselves. */
static void intervals_hold_the_truth(void **state)
{
    static const double counts[] = {2, 10, 100, 1000};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int of_fixed = 0, of_slope = 0;

    (void)state;
    gsl_rng_set(random, 20261122);
    for (int set = 0; set < SETS; set++) {
        double fixed, fixed_low, fixed_high, slope, slope_low, slope_high;
        struct made made = {0};
        const char *text, *row;

        for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
            for (int rep = 0; rep < REPS; rep++)
                add(&made, "a", counts[i],
                    (FIXED + SLOPE * counts[i]) * (1 + gsl_ran_gaussian(random, 0.05)));
        text = written(&made, engines_write_fits);
        row = strstr(text, "\nm,a,s,ns,");
        assert_non_null(row);
        assert_int_equal(sscanf(row, "\nm,a,s,ns,ns per event,20,%lf,%lf,%lf,%lf,%lf,%lf", &fixed, &fixed_low,
                                &fixed_high, &slope, &slope_low, &slope_high),
                         6);
        of_fixed += fixed_low <= FIXED && FIXED <= fixed_high;
        of_slope += slope_low <= SLOPE && SLOPE <= slope_high;
    }
    gsl_rng_free(random);
    print_message("fixed: %d, slope: %d of %d\n", of_fixed, of_slope, SETS);
    assert_in_range(of_fixed, FEWEST, MOST);
    assert_in_range(of_slope, FEWEST, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_of_one_event),
        cmocka_unit_test(what_is_not_said_is_unknown),
        cmocka_unit_test(other_lines_are_no_results),
        cmocka_unit_test(a_file_has_one_result),
        cmocka_unit_test(a_row_an_engine_and_number_of_signatures),
        cmocka_unit_test(cheap_points_count_as_shares_of_themselves),
        cmocka_unit_test(one_number_of_signatures_is_no_line),
        cmocka_unit_test(engines_of_a_module_are_compared),
        cmocka_unit_test(other_modules_and_signatures_are_not_compared),
        cmocka_unit_test(intervals_hold_the_truth),
    };

    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
