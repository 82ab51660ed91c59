/* Which cells figures are of, and which passes are whole. */
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

/* Cells of a pass in the order of the plan: W for one that went well, F for one that failed, U for one that
 * can't be read, N for one that was not run. */
static void add_pass(struct made *made, double number, const char *cells)
{
    for (; *cells; cells++) {
        struct cell *cell = &made->cells[made->count];
        const struct planned planned = {.cell = (double)++made->count,
                                        .rep = number,
                                        .turn = 1,
                                        .rate = 100,
                                        .monitor = memory_copy("monitor")};

        cell_init(cell, &planned);
        cell->ok = *cells == 'W';
        cell_set_text(cell, "status",
                      memory_copy(*cells == 'W'   ? "ok"
                                  : *cells == 'F' ? "failed"
                                  : *cells == 'U' ? "unreadable"
                                                  : "not-run"));
    }
}

static void forget(struct made *made)
{
    for (size_t i = 0; i < made->count; i++)
        cell_free(&made->cells[i]);
    choices_free(&made->choices);
    *made = (struct made){0};
}

/* Of the cells in the order in which they were added: counted (C), in rows only (r) or neither (.). And it
 * forgets them. */
static void assert_counted(struct made *made, const char *expected)
{
    char counted[MOST_CELLS + 1] = "";

    choices_make(&made->choices, made->cells, made->count);
    for (size_t i = 0; i < made->count; i++)
        counted[i] = choices_count(&made->choices, &made->cells[i])  ? 'C'
                     : choices_have(&made->choices, &made->cells[i]) ? 'r'
                                                                     : '.';
    assert_string_equal(counted, expected);
    forget(made);
}

static void figures_are_of_whole_passes(void **state)
{
    struct made made = {0};

    (void)state;
    add_pass(&made, 1, "WWF");
    add_pass(&made, 2, "WUW");
    add_pass(&made, 3, "WFN");
    assert_counted(&made, "CCr"
                          "CrC"
                          "...");
}

static void figures_are_of_all_cells_while_no_pass_is_whole(void **state)
{
    struct made made = {0};

    (void)state;
    add_pass(&made, 1, "WFN");
    assert_counted(&made, "Crr");
    add_pass(&made, 1, "WFN");
    add_pass(&made, 2, "WNN");
    assert_counted(&made, "Crr"
                          "Crr");
}

static void cells_behind_a_later_pass_do_not_decide_whether_it_is_whole(void **state)
{
    struct made made = {0};

    (void)state;
    add_pass(&made, 1, "WW");
    add_pass(&made, 2, "WW");
    add_pass(&made, 1, "WN");
    assert_counted(&made, "CC"
                          "CC"
                          "Cr");
}

static void a_table_says_it(void **state)
{
    struct made made = {0};
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof(text), "w");

    (void)state;
    add_pass(&made, 1, "WWF");
    add_pass(&made, 2, "WNN");
    choices_make(&made.choices, made.cells, made.count);
    passes_write(out, &made.choices);
    fclose(out);
    assert_string_equal(text, "pass,cells,measured,whole\n"
                              "1,3,3,true\n"
                              "2,3,1,false\n");
    forget(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_of_whole_passes),
        cmocka_unit_test(figures_are_of_all_cells_while_no_pass_is_whole),
        cmocka_unit_test(cells_behind_a_later_pass_do_not_decide_whether_it_is_whole),
        cmocka_unit_test(a_table_says_it),
    };

    return cmocka_run_group_tests_name("choice", tests, NULL, NULL);
}
