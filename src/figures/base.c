#include "base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "number.h"
#include "pooled.h"
#include "take.h"

/* So many cells further away, a cell of the baseline counts e times less. docs/accounting.md says why 20. */
#define REACH_CELLS 20

static bool is_baseline(const struct choices *choices, const struct cell *cell)
{
    return choices_count(choices, cell) && strcmp(cell->planned.monitor, BASELINE) == 0;
}

const struct baseline *baseline_at(const struct baselines *baselines, double rate)
{
    static const struct baseline nothing;

    for (size_t i = 0; i < baselines->count; i++)
        if (!(baselines->list[i].rate < rate || baselines->list[i].rate > rate))
            return &baselines->list[i];
    return &nothing;
}

void baselines_find(struct baselines *baselines, const struct choices *choices, const struct cell *cells,
                    size_t count)
{
    size_t capacity = 0;

    *baselines = (struct baselines){0};
    for (size_t i = 0; i < count; i++) {
        struct baseline *baseline;

        if (!is_baseline(choices, &cells[i]))
            continue;
        baseline = (struct baseline *)baseline_at(baselines, cells[i].planned.rate);
        if (!baseline->cells) {
            baselines->list =
                memory_grow(baselines->list, baselines->count, &capacity, sizeof(*baselines->list));
            baseline = &baselines->list[baselines->count++];
            *baseline = (struct baseline){.rate = cells[i].planned.rate,
                                          .cells = memory_new(count, sizeof(*baseline->cells))};
        }
        baseline->cells[baseline->count++] = &cells[i];
    }
}

void baselines_free(struct baselines *baselines)
{
    for (size_t i = 0; i < baselines->count; i++)
        free(baselines->list[i].cells);
    free(baselines->list);
}

void baseline_weights(const struct baseline *baseline, const struct cell *cell, double *weights)
{
    bool has_others = baseline->count > 1 || (baseline->count == 1 && baseline->cells[0] != cell);

    for (size_t i = 0; i < baseline->count; i++) {
        double distance = fabs(baseline->cells[i]->planned.cell - cell->planned.cell);

        /* A cell of the baseline is compared with the others. */
        weights[i] = baseline->cells[i] == cell && has_others ? 0 : exp(-distance / REACH_CELLS);
    }
}

void baseline_shares(const struct baseline *baseline, const struct cell *cell, double *weights)
{
    double sum = 0;

    baseline_weights(baseline, cell, weights);
    for (size_t i = 0; i < baseline->count; i++)
        sum += weights[i];
    for (size_t i = 0; i < baseline->count; i++)
        weights[i] /= sum;
}

/* The weighted mean of those values that are known. */
static double weighted_mean(const struct base *base, double (*value)(const struct cell *, const char *),
                            const char *name)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < base->count; i++) {
        double number = value(base->cells[i], name);

        if (base->weights[i] > 0 && is_known(number)) {
            sum += base->weights[i] * number;
            weights += base->weights[i];
        }
    }
    return weights > 0 ? sum / weights : UNKNOWN;
}

double base_number(const struct base *base, const char *figure)
{
    return weighted_mean(base, cell_number, figure);
}

double base_helper_cpu(const struct base *base, const char *name)
{
    double cpu = UNKNOWN;

    if (base->count)
        cpu = weighted_mean(base, cell_helper_cpu, name);
    else if (base->at_rest)
        cpu = cell_helper_cpu(base->at_rest, name);
    return is_known(cpu) ? cpu : 0;
}

/* Of a monitor that was there already, so that there is no baseline: its cell at rate 0 in the same
 * repetition, the last one if there are several. */
static const struct cell *find_at_rest(const struct cell *cells, size_t count, const struct cell *cell)
{
    for (size_t i = count; i-- > 0;)
        if (cells[i].ok && cells[i].planned.rate <= 0 && !(cells[i].planned.rep < cell->planned.rep) &&
            !(cells[i].planned.rep > cell->planned.rep) &&
            strcmp(cells[i].planned.monitor, cell->planned.monitor) == 0)
            return &cells[i];
    return NULL;
}

static double in_percent(const struct cell *cell, double us)
{
    return us * cell_number(cell, "achieved_per_sec") / 1e4;
}

static void derive(struct cell *cell, const struct base *base)
{
    for (size_t i = 0; i < figure_count; i++) {
        const struct figure *figure = &figures[i];

        if (figure->above)
            cell->numbers[i] = cell_number(cell, figure->above) - base_number(base, figure->above);
        else if (figure->percent_of)
            cell->numbers[i] = in_percent(cell, cell_number(cell, figure->percent_of));
        else if (figure->derive)
            cell->numbers[i] = figure->derive(cell, base);
    }
}

/* Of the cells that there were before. */
static void forget_pooled(struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cells[i].pooled = (struct pooled){0};
}

void cells_derive(struct cell *cells, size_t count)
{
    double *weights = memory_new(count, sizeof(*weights));
    struct baselines baselines;
    struct choices choices;

    choices_make(&choices, cells, count);
    forget_pooled(cells, count);
    cells_pool(cells, count, &choices);
    baselines_find(&baselines, &choices, cells, count);
    for (size_t i = 0; i < count; i++) {
        const struct baseline *baseline = baseline_at(&baselines, cells[i].planned.rate);
        const struct base base = {.cells = baseline->cells,
                                  .count = baseline->count,
                                  .weights = weights,
                                  .at_rest = baselines.count ? NULL : find_at_rest(cells, count, &cells[i])};

        baseline_weights(baseline, &cells[i], weights);
        derive(&cells[i], &base);
        if (cells[i].ok)
            cell_set_number(&cells[i], "in_means", choices_count(&choices, &cells[i]));
    }
    for (size_t i = 0; i < count; i++)
        cell_round(&cells[i]);
    baselines_free(&baselines);
    choices_free(&choices);
    free(weights);
}
