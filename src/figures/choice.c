#include "choice.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* As many as have an interval. */
#define ENOUGH_CELLS 2
/* Where less of the cells than one in so many is undisturbed, a row takes too many to get ENOUGH_CELLS. */
#define FREQUENT_CELLS 4

/* A cell, and those of its monitor at its rate that went well. */
struct tally {
    bool is_disturbed;
    size_t well, undisturbed, saturated;
    bool is_repeated; /* they are of several repetitions */
};

static bool is_beside(const struct cell *cell, const struct cell *other)
{
    return other->ok && !(other->planned.rate < cell->planned.rate) &&
           !(other->planned.rate > cell->planned.rate);
}

static struct tally tally(const struct cell *cells, size_t count, const struct cell *of)
{
    struct tally tally = {.is_disturbed = cell_is_disturbed(of)};

    for (size_t i = 0; i < count; i++) {
        if (!is_beside(of, &cells[i]) || strcmp(cells[i].planned.monitor, of->planned.monitor) != 0)
            continue;
        tally.well++;
        tally.undisturbed += !cell_is_disturbed(&cells[i]);
        tally.saturated += cell_number(&cells[i], "saturated") > 0;
        tally.is_repeated |= cells[i].planned.rep < of->planned.rep || cells[i].planned.rep > of->planned.rep;
    }
    return tally;
}

/* Where everything is measured once, nothing has an interval. */
static bool is_enough(const struct tally *tally)
{
    return tally->undisturbed >= (tally->is_repeated ? ENOUGH_CELLS : 1);
}

static bool is_saturated(const struct tally *tally)
{
    return 2 * tally->saturated > tally->well;
}

/* What is compared at a rate are the monitors that don't saturate the host. */
static void choose(struct choices *choices, size_t count, const struct tally *tallies, size_t of)
{
    const struct cell *cells = choices->cells;
    size_t well = 0, undisturbed = 0;
    bool all_have_enough = true;

    for (size_t i = 0; i < count; i++) {
        if (!is_beside(&cells[of], &cells[i]))
            continue;
        well++;
        undisturbed += !tallies[i].is_disturbed;
        all_have_enough = all_have_enough && (is_enough(&tallies[i]) || is_saturated(&tallies[i]));
    }
    choices->counted[of] =
        cells[of].ok && (!tallies[of].is_disturbed || !all_have_enough || !is_enough(&tallies[of]));
    choices->awaited[of] = !is_enough(&tallies[of]) && undisturbed * FREQUENT_CELLS >= well;
}

void choices_make(struct choices *choices, const struct cell *cells, size_t count)
{
    struct tally *tallies = memory_new(count, sizeof(*tallies));

    *choices = (struct choices){.cells = cells,
                                .counted = memory_new(count, sizeof(bool)),
                                .awaited = memory_new(count, sizeof(bool))};
    for (size_t i = 0; i < count; i++)
        tallies[i] = tally(cells, count, &cells[i]);
    for (size_t i = 0; i < count; i++)
        choose(choices, count, tallies, i);
    free(tallies);
}

void choices_free(struct choices *choices)
{
    free(choices->counted);
    free(choices->awaited);
}

bool choices_count(const struct choices *choices, const struct cell *cell)
{
    return choices->counted[cell - choices->cells];
}

bool choices_await(const struct choices *choices, const struct cell *cell)
{
    return choices->awaited[cell - choices->cells];
}
