#include "choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static struct pass *find_pass(const struct choices *choices, const struct cell *cell)
{
    for (size_t i = 0; i < choices->pass_count; i++)
        if (fabs(choices->passes[i].number - cell->planned.rep) <= 0)
            return &choices->passes[i];
    return NULL;
}

/* Whatever became of it: what can't be read was measured all the same. */
static bool was_measured(const struct cell *cell)
{
    const char *status = cell_text(cell, "status");

    return cell->ok || (status && strcmp(status, "not-run") != 0);
}

/* Runs before there were passes measured disturbed cells again, behind the last repetition. */
static bool is_behind_a_later_pass(const struct choices *choices, const struct pass *pass)
{
    return pass + 1 < choices->passes + choices->pass_count;
}

void choices_make(struct choices *choices, const struct cell *cells, size_t count)
{
    *choices = (struct choices){.passes = memory_new(count + 1, sizeof(*choices->passes))};
    for (size_t i = 0; i < count; i++) {
        struct pass *pass = find_pass(choices, &cells[i]);

        if (!pass) {
            pass = &choices->passes[choices->pass_count++];
            *pass = (struct pass){.number = cells[i].planned.rep, .whole = true};
        }
        pass->cells++;
        pass->measured += was_measured(&cells[i]);
        pass->whole = pass->whole && (was_measured(&cells[i]) || is_behind_a_later_pass(choices, pass));
    }
    for (size_t i = 0; i < choices->pass_count; i++)
        choices->has_whole = choices->has_whole || choices->passes[i].whole;
}

void choices_free(struct choices *choices)
{
    free(choices->passes);
}

bool choices_have(const struct choices *choices, const struct cell *cell)
{
    const struct pass *pass = find_pass(choices, cell);

    return !choices->has_whole || (pass && pass->whole);
}

bool choices_count(const struct choices *choices, const struct cell *cell)
{
    return cell->ok && choices_have(choices, cell);
}

void passes_write(FILE *out, const struct choices *choices)
{
    fputs("pass,cells,measured,whole\n", out);
    for (size_t i = 0; i < choices->pass_count; i++) {
        const struct pass *pass = &choices->passes[i];

        fprintf(out, "%.0f,%zu,%zu,%s\n", pass->number, pass->cells, pass->measured,
                pass->whole ? "true" : "false");
    }
}
