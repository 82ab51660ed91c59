/* sets.csv from cells that are made here. Intervals: Welch's t, with the quantiles of R's qt(0.975, degrees).
 */
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/memory.h"
#include "../../../src/figures/sets.h"

#define CELLS_MAX 16

static struct cell cells[CELLS_MAX];
static size_t count;

static struct cell *add(const char *test, double rep, double daemon_us, double lost)
{
    struct cell *cell = &cells[count++];
    struct planned planned = {
        .cell = (double)count, .rep = rep, .turn = 1, .rate = 400, .monitor = memory_copy(test)};

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "launched", 1000);
    cell_set_number(cell, "lost", lost);
    return cell;
}

/* A call that the monitor makes dearer by that much, with an error of 1 from 21 comparisons. */
static void add_call(struct cell *cell, double added_ns)
{
    cell->syscalls.exists = true;
    cell->syscalls.count = 1;
    snprintf(cell->syscalls.way, sizeof(cell->syscalls.way), "groups");
    snprintf(cell->syscalls.costs[0].name, sizeof(cell->syscalls.costs[0].name), "getppid");
    cell->syscalls.costs[0].added = (struct estimate){added_ns, 1, 20};
    cell->syscalls.costs[0].without_ns = 100;
    cell->syscalls.costs[0].with_ns = 100 + added_ns;
}

static char *written(void)
{
    struct perf perf;
    size_t size;
    char *text;
    FILE *out = open_memstream(&text, &size);

    perf_make(&perf, cells, count);
    sets_write(out, &perf, cells, count);
    fclose(out);
    perf_free(&perf);
    for (size_t i = 0; i < count; i++)
        cell_free(&cells[i]);
    count = 0;
    return text;
}

static void assert_row(const char *text, const char *row)
{
    char *line = memory_print("\n%s\n", row);

    if (!strstr(text, line))
        print_message("%s", text);
    assert_non_null(strstr(text, line));
    free(line);
}

static void a_set_adds_the_difference(void **state)
{
    char *text;

    (void)state;
    add("none", 1, 0, 0);
    add("m", 1, 100, 0);
    add("m", 2, 104, 0);
    add("m", 3, 102, 0);
    add("m+stig=34", 1, 120, 10);
    add("m+stig=34", 2, 128, 0);
    add("m+stig=34", 3, 124, 20);
    text = written();
    assert_memory_equal(text, "monitor,set,rules,figure,unit,exec_per_sec,reps_without,reps,without,", 69);
    /* 22 ± t(2.94) √(4/3 + 16/3) */
    assert_row(text, "m,stig,34,daemon_us,µs per "
                     "execution,400,3,3,102,97.032,106.968,124,114.063,133.937,22,13.689,30.311");
    assert_row(text, "m,stig,34,lost,% of executions,400,3,3,0,0,0,1,-1.484,3.484,1,-1.484,3.484");
    assert_null(strstr(text, "none"));
    assert_null(strstr(text, "getppid"));
    free(text);
}

static void what_a_call_costs_more_with_the_set(void **state)
{
    char *text;

    (void)state;
    for (int rep = 1; rep <= 2; rep++) {
        add_call(add("m", rep, 100, 0), 200);
        add_call(add("m+stig=34", rep, 100, 0), 350);
    }
    text = written();
    /* Errors of 1/√2 each, from 40 degrees of freedom each. */
    assert_row(
        text,
        "m,stig,34,getppid,ns per call,400,2,2,200,198.571,201.429,350,348.571,351.429,150,148.01,151.99");
    free(text);
}

static void nothing_without_both(void **state)
{
    char *text;

    (void)state;
    add("m", 1, 100, 0);
    add("other+stig=34", 1, 100, 0);
    text = written();
    assert_null(strstr(text, "\nm,"));
    assert_null(strstr(text, "\nother"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_adds_the_difference),
        cmocka_unit_test(what_a_call_costs_more_with_the_set),
        cmocka_unit_test(nothing_without_both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
