/* Which cells figures are of, and of which monitors more cells that are not disturbed are awaited. */
#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/choice.h"
#include "../../../src/figures/memory.h"

#define MOST_CELLS 32

struct made {
    struct cell cells[MOST_CELLS];
    size_t count;
    struct choices choices;
};

static struct cell *add(struct made *made, const char *monitor, double rate, double rep, const char *marks)
{
    struct cell *cell = &made->cells[made->count];
    const struct planned planned = {
        .cell = (double)++made->count, .rep = rep, .turn = 1, .rate = rate, .monitor = memory_copy(monitor)};

    cell_init(cell, &planned);
    cell->ok = true;
    cell_set_text(cell, "marks", memory_copy(marks));
    return cell;
}

/* One cell a repetition: U for one that is undisturbed, M for misplaced CPUs, S for steal, F for one that
 * failed. */
static void add_row(struct made *made, const char *monitor, double rate, const char *cells)
{
    for (int i = 0; cells[i]; i++) {
        const char *marks = cells[i] == 'M' ? "misplaced-cpus" : cells[i] == 'S' ? "steal" : "";

        add(made, monitor, rate, i + 1, marks)->ok = cells[i] != 'F';
    }
}

static void forget(struct made *made)
{
    for (size_t i = 0; i < made->count; i++)
        cell_free(&made->cells[i]);
    choices_free(&made->choices);
    *made = (struct made){0};
}

/* Of the cells in the order in which they were added: counted (C) or not (.). And it forgets them. */
static void assert_counted(struct made *made, const char *expected)
{
    char counted[MOST_CELLS + 1] = "";

    choices_make(&made->choices, made->cells, made->count);
    for (size_t i = 0; i < made->count; i++)
        counted[i] = choices_count(&made->choices, &made->cells[i]) ? 'C' : '.';
    assert_string_equal(counted, expected);
    forget(made);
}

static void disturbed_cells_are_left_out_if_all_monitors_have_two_others(void **state)
{
    struct made made = {0};

    (void)state;
    add_row(&made, "none", 100, "UUM");
    add_row(&made, "auditd", 100, "SUMU");
    add_row(&made, "falco", 100, "UFU");
    assert_counted(&made, "CC."
                          ".C.C"
                          "C.C");
}

/* A row of disturbed cells beside one of others would tell of the machine. */
static void all_cells_count_at_a_rate_if_one_monitor_has_too_few_others(void **state)
{
    struct made made = {0};

    (void)state;
    add_row(&made, "none", 100, "UUM");
    add_row(&made, "auditd", 100, "UMM");
    add_row(&made, "falco", 100, "UMU");
    add_row(&made, "none", 200, "UUM");
    add_row(&made, "auditd", 200, "UMU");
    assert_counted(&made, "CCC"
                          "CCC"
                          "CCC"
                          "CC."
                          "C.C");
    /* The baseline is subtracted from all. */
    add_row(&made, "none", 100, "UMM");
    add_row(&made, "auditd", 100, "UMU");
    assert_counted(&made, "CCCCCC");
}

static void where_all_is_measured_once_one_other_cell_is_enough(void **state)
{
    struct made made = {0};

    (void)state;
    add_row(&made, "auditd", 100, "S");
    add(&made, "auditd", 100, 1, "")->planned.turn = 2;
    add_row(&made, "falco", 100, "U");
    assert_counted(&made, ".CC");
    add_row(&made, "auditd", 100, "S");
    add(&made, "auditd", 100, 1, "")->planned.turn = 2;
    add_row(&made, "falco", 100, "M");
    assert_counted(&made, "CCC");
}

/* It is compared with nobody. */
static void a_monitor_that_saturates_the_host_does_not_keep_disturbed_cells_in(void **state)
{
    struct made made = {0};

    (void)state;
    add_row(&made, "auditd", 1600, "MUM");
    for (int i = 0; i < 2; i++)
        cell_set_number(&made.cells[i], "saturated", 1);
    add_row(&made, "falco", 1600, "UUM");
    assert_counted(&made, "CCC"
                          "CC.");
    /* One of three. */
    add_row(&made, "auditd", 1600, "MUM");
    cell_set_number(&made.cells[0], "saturated", 1);
    add_row(&made, "falco", 1600, "UUM");
    assert_counted(&made, "CCCCCC");
    /* One that never went well has no row there. */
    add_row(&made, "auditd", 1600, "FFF");
    add_row(&made, "falco", 1600, "UUM");
    assert_counted(&made, "...CC.");
}

static bool is_awaited(const char *auditd, const char *falco)
{
    struct made made = {0};
    bool awaited;

    add_row(&made, "auditd", 100, auditd);
    add_row(&made, "falco", 100, falco);
    choices_make(&made.choices, made.cells, made.count);
    awaited = choices_await(&made.choices, &made.cells[0]);
    forget(&made);
    return awaited;
}

static void undisturbed_cells_are_awaited_where_a_quarter_is(void **state)
{
    (void)state;
    assert_false(is_awaited("UUM", "MMM"));
    assert_true(is_awaited("UMM", "UUM"));
    assert_true(is_awaited("UMMM", "UMMM"));
    assert_false(is_awaited("UMMM", "UMMMM"));
    assert_true(is_awaited("UMMM", "UMMMF"));
    assert_false(is_awaited("MMM", "MMM"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disturbed_cells_are_left_out_if_all_monitors_have_two_others),
        cmocka_unit_test(all_cells_count_at_a_rate_if_one_monitor_has_too_few_others),
        cmocka_unit_test(where_all_is_measured_once_one_other_cell_is_enough),
        cmocka_unit_test(a_monitor_that_saturates_the_host_does_not_keep_disturbed_cells_in),
        cmocka_unit_test(undisturbed_cells_are_awaited_where_a_quarter_is),
    };

    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
