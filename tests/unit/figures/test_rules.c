/* rules.csv and fits.csv from cells that are made here. */
#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/memory.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/rules.h"

static void assert_parsed(const char *test, const char *monitor, const char *kind, double count)
{
    struct rules rules;

    rules_parse(&rules, test);
    assert_string_equal(rules.monitor, monitor);
    if (kind)
        assert_string_equal(rules.kind, kind);
    else
        assert_null(rules.kind);
    assert_int_equal((int)rules.count, (int)count);
    rules_free(&rules);
}

static void a_name_says_monitor_kind_and_number(void **state)
{
    (void)state;
    assert_parsed("auditd-raw", "auditd-raw", NULL, 0);
    assert_parsed("auditd-raw+last-differs=400", "auditd-raw", "last-differs", 400);
    assert_parsed("m+a=b=7", "m", "a=b", 7);
    /* Not one of ours. */
    assert_parsed("m+a", "m+a", NULL, 0);
    assert_parsed("m+a=x", "m+a=x", NULL, 0);
}

#define CELLS_MAX 16

struct made {
    struct cell cells[CELLS_MAX];
    size_t count;
};

static struct cell *add(struct made *made, const char *test, double daemon_us, double program_us,
                        const char *way)
{
    struct cell *cell = &made->cells[made->count++];
    struct planned planned = {.cell = (double)made->count,
                              .rep = 1,
                              .turn = (double)made->count,
                              .rate = 400,
                              .monitor = memory_copy(test)};

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_text(cell, "inprogram_method", memory_copy(way));
    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "program_us", program_us);
    cell_set_number(cell, "program_error_us", 2);
    cell_set_number(cell, "launched", 100);
    cell_set_number(cell, "lost", 1);
    cell_set_number(cell, "saturated", 0);
    return cell;
}

/* What the writer writes of the cells, which are freed. */
static char *written(struct made *made, void (*writer)(FILE *out, const struct perf *perf))
{
    struct perf perf;
    size_t size;
    char *text;
    FILE *out = open_memstream(&text, &size);

    perf_make(&perf, made->cells, made->count);
    writer(out, &perf);
    fclose(out);
    perf_free(&perf);
    for (size_t i = 0; i < made->count; i++)
        cell_free(&made->cells[i]);
    made->count = 0;
    return text;
}

/* The line of text that begins with that, without it; NULL if there is none. */
static char *rest_of_line(const char *text, const char *beginning)
{
    char *wanted = memory_print("\n%s", beginning), *found = strstr(text, wanted), *rest = NULL;

    if (found)
        rest = strndup(found + strlen(wanted), strcspn(found + strlen(wanted), "\n"));
    free(wanted);
    return rest;
}

static void assert_line(const char *text, const char *beginning, const char *expected)
{
    char *rest = rest_of_line(text, beginning);

    assert_non_null(rest);
    assert_string_equal(rest, expected);
    free(rest);
}

/* daemon_us is 10 + 0.02 * rules for the one kind, 10 for the other, without scatter. */
static void add_lines(struct made *made)
{
    add(made, "none", 0, 0, "apart");
    add(made, "m", 10, 50, "side-by-side");
    add(made, "m+a=100", 12, 60, "side-by-side");
    add(made, "m", 10, 50, "side-by-side");
    add(made, "m+b=100", 10, 50, "side-by-side");
    add(made, "m+a=50", 11, 55, "side-by-side");
    add(made, "other+a=50", 99, 99, "side-by-side");
    add(made, "m+b=50", 10, 50, "side-by-side");
}

static void a_row_a_point_by_number_of_rules(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_lines(&made);
    text = written(&made, rules_write);
    assert_memory_equal(text, "monitor,kind,rules,exec_per_sec,reps,counted_us,counted_us_low,", 63);
    /* Without added rules first, then by number. */
    assert_true(strstr(text, "\nm,,0,400,2,") < strstr(text, "\nm,a,50,400,1,"));
    assert_true(strstr(text, "\nm,a,50,400,1,") < strstr(text, "\nm,a,100,400,1,"));
    assert_true(strstr(text, "\nm,a,100,400,1,") < strstr(text, "\nm,b,50,400,1,"));
    assert_non_null(strstr(text, "\nother,a,50,400,1,"));
    assert_null(strstr(text, "none"));
    /* Means and their intervals, of two cells and of one: 1.962 standard errors of a mean whose cells know
     * theirs. */
    assert_line(text, "m,,0,400,2,,,,10,10,10,,,,50,",
                "47.225,52.775,,,,,,,side-by-side,,,,,,,,,,,,,,,,,,,,,,200,2,,false,ok,");
    assert_non_null(strstr(text, "\nm,a,50,400,1,,,,11,,,,,,55,51.0"));
    free(text);
}

static void a_line_a_monitor_kind_and_figure(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_lines(&made);
    text = written(&made, fits_write);
    assert_memory_equal(text, "monitor,kind,figure,unit,exec_per_sec,cells,fixed,fixed_low,fixed_high,slope,",
                        76);
    assert_non_null(strstr(text, "\nm,a,daemon_us,µs per execution,400,4,10,10,10,0.02,0.02,0.02,"));
    assert_non_null(strstr(text, "\nm,b,daemon_us,µs per execution,400,4,10,10,10,"));
    assert_non_null(strstr(text, "\nm,a,program_us,µs per execution,400,4,50,50,50,0.1,0.1,0.1,"));
    /* One number of rules is no line, and neither is what nobody measured. */
    assert_line(text, "other,a,daemon_us,µs per execution,400,1", ",,,,,,,,,,,,");
    assert_null(strstr(text, "counted_us"));
    assert_null(strstr(text, "none"));
    free(text);
}

static void cells_of_a_saturated_host_are_not_in_the_line(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_lines(&made);
    cell_set_number(add(&made, "m+a=400", 0, 0, "side-by-side"), "saturated", 1);
    text = written(&made, fits_write);
    assert_non_null(strstr(text, "\nm,a,daemon_us,µs per execution,400,4,10,10,10,0.02,"));
    free(text);
}

static void figures_got_in_different_ways_are_no_line(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_lines(&made);
    add(&made, "m+a=200", 14, 70, "run-time");
    text = written(&made, fits_write);
    assert_non_null(strstr(text, "\nm,a,daemon_us,µs per execution,400,5,10,10,10,0.02,"));
    assert_line(text, "m,a,program_us,µs per execution,400,5", ",,,,,,,,,,,,");
    free(text);
}

/* Of the three cells with rules, the one whose error is large counts little. */
static void known_errors_are_weights(void **state)
{
    struct made made = {0};
    char *text, *alike;

    (void)state;
    add_lines(&made);
    cell_set_number(add(&made, "m+a=200", 14, 300, "side-by-side"), "program_error_us", 1000);
    text = written(&made, fits_write);
    assert_non_null(strstr(text, "\nm,a,program_us,µs per execution,400,5,49.9"));
    free(text);
    add_lines(&made);
    add(&made, "m+a=200", 14, 300, "side-by-side");
    alike = written(&made, fits_write);
    assert_null(strstr(alike, "\nm,a,program_us,µs per execution,400,5,49.9"));
    free(alike);
}

/* A cell whose window T measured one call: side by side, or with nothing to compare it with. */
static struct cell *add_call(struct made *made, const char *test, const char *way, double with_ns,
                             double added_ns)
{
    struct cell *cell = add(made, test, 10, 50, "side-by-side");

    cell->syscalls.exists = true;
    snprintf(cell->syscalls.way, sizeof(cell->syscalls.way), "%s", way);
    cell->syscalls.costs[cell->syscalls.count++] = (struct syscall_cost){
        .name = "getppid", .with_ns = with_ns, .without_ns = UNKNOWN, .added = {added_ns, 1, 30}};
    return cell;
}

static void a_line_a_system_call(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_call(&made, "none", "apart", 100, UNKNOWN);
    add_call(&made, "none", "apart", 120, UNKNOWN);
    add_call(&made, "m", "groups", 300, 200);
    add_call(&made, "m+a=100", "groups", 900, 550);
    add_call(&made, "m+a=200", "groups", 900, 900);
    /* Against all starts without a monitor: 110 ns. */
    add_call(&made, "n", "apart", 130, UNKNOWN);
    add_call(&made, "n+a=100", "apart", 180, UNKNOWN);
    add_call(&made, "n+a=200", "apart", 230, UNKNOWN);
    text = written(&made, fits_write);
    assert_non_null(strstr(text, "\nm,a,getppid,ns per call,400,3,200,200,200,3.5,3.5,3.5,"));
    assert_non_null(strstr(text, "\nn,a,getppid,ns per call,400,3,20,"));
    assert_null(strstr(text, "none"));
    free(text);
}

static void a_window_that_counts_for_nothing_is_no_point_of_a_system_call(void **state)
{
    struct made made = {0};
    struct cell *cell;
    char *text;

    (void)state;
    add_call(&made, "m", "groups", 300, 200);
    add_call(&made, "m+a=100", "groups", 900, 550);
    add_call(&made, "m+a=200", "groups", 900, 900);
    cell = add_call(&made, "m+a=200", "groups", 900, 5000);
    snprintf(cell->syscalls.reason, sizeof(cell->syscalls.reason), "the time of day was stepped");
    text = written(&made, fits_write);
    assert_non_null(strstr(text, "\nm,a,getppid,ns per call,400,3,200,200,200,3.5,"));
    free(text);
}

static void windows_of_different_ways_are_no_line(void **state)
{
    struct made made = {0};
    char *text;

    (void)state;
    add_call(&made, "none", "apart", 100, UNKNOWN);
    add_call(&made, "m", "groups", 300, 200);
    add_call(&made, "m+a=100", "groups", 900, 550);
    add_call(&made, "m+a=200", "apart", 1000, UNKNOWN);
    text = written(&made, fits_write);
    assert_line(text, "m,a,getppid,ns per call,400,3", ",,,,,,,,,,,,");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_says_monitor_kind_and_number),
        cmocka_unit_test(a_row_a_point_by_number_of_rules),
        cmocka_unit_test(a_line_a_monitor_kind_and_figure),
        cmocka_unit_test(cells_of_a_saturated_host_are_not_in_the_line),
        cmocka_unit_test(figures_got_in_different_ways_are_no_line),
        cmocka_unit_test(known_errors_are_weights),
        cmocka_unit_test(a_line_a_system_call),
        cmocka_unit_test(a_window_that_counts_for_nothing_is_no_point_of_a_system_call),
        cmocka_unit_test(windows_of_different_ways_are_no_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
