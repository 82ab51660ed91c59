#include "simulated.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/base.h"
#include "../../../src/figures/memory.h"

/* As lib/plan.sh has it. */
#define MONITORS_PER_BASELINE 3

#define RATE_PER_SEC 400
#define BUSY_US 1500
#define CHILD_US 900
#define LAUNCHER_US 100

double true_total_us(int monitor)
{
    return 60.0 * (monitor + 1);
}

double true_inband_us(int monitor)
{
    return 20.0 * (monitor + 1);
}

double true_daemon_us(int monitor)
{
    return 25.0 * (monitor + 1);
}

double true_baseline_us(void)
{
    return CHILD_US + LAUNCHER_US;
}

/* Mean 0, standard deviation 1, with a long tail upwards. */
static double skewed(gsl_rng *random, double sigma)
{
    double mean = exp(sigma * sigma / 2), deviation = mean * sqrt(expm1(sigma * sigma));

    return (exp(gsl_ran_gaussian(random, sigma)) - mean) / deviation;
}

/* number: that of the monitor, -1 for the baseline. */
static void measure(struct cell *cell, int number, double drift_us, const struct world *world,
                    gsl_rng *random)
{
    double noise_us = world->noise_us * (1 + world->unlike * (number + 1));
    double daemon_us = number < 0 ? 0 : true_daemon_us(number);
    double extra_us = number < 0 ? 0 : true_total_us(number);

    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_text(cell, "inband_way", memory_copy("apart"));
    cell_set_number(cell, "achieved_per_sec", RATE_PER_SEC);
    daemon_us *= 1 + world->daemon_share * skewed(random, world->skew_sigma);
    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "daemon_cpu", daemon_us * RATE_PER_SEC / 1e4);
    cell_set_number(cell, "launcher_cpu_us", LAUNCHER_US);
    cell_set_number(cell, "host_busy_us",
                    BUSY_US + extra_us + drift_us + noise_us * skewed(random, world->skew_sigma));
    cell_set_number(cell, "child_cpu_mean_us",
                    CHILD_US + (number < 0 ? 0 : true_inband_us(number)) + drift_us / 2 +
                        noise_us / 2 * skewed(random, world->skew_sigma));
    cell_round(cell);
}

static void add_cell(struct cell *cells, size_t *count, int number, int rep, int turn)
{
    struct planned planned = {.cell = (double)*count + 1, .rep = rep, .turn = turn, .rate = RATE_PER_SEC};

    planned.monitor = number < 0 ? memory_copy(BASELINE) : memory_print("monitor-%d", number);
    cell_init(&cells[(*count)++], &planned);
}

/* In each repetition the monitors in a new order, and a block of the baseline somewhere among every few of
 * them. */
static void plan_repetition(struct cell *cells, size_t *count, int rep, const struct world *world,
                            gsl_rng *random)
{
    int order[64], turn = 1;

    for (int i = 0; i < world->monitors; i++)
        order[i] = i;
    gsl_ran_shuffle(random, order, (size_t)world->monitors, sizeof(*order));
    for (int first = 0; first < world->monitors; first += MONITORS_PER_BASELINE, turn++) {
        int group[MONITORS_PER_BASELINE + 1], size = 0;

        group[size++] = -1;
        for (int i = first; i < world->monitors && i < first + MONITORS_PER_BASELINE; i++)
            group[size++] = order[i];
        gsl_ran_shuffle(random, group, (size_t)size, sizeof(*group));
        for (int i = 0; i < size; i++)
            add_cell(cells, count, group[i], rep, group[i] < 0 ? turn : 1);
    }
}

static int number_of(const struct cell *cell)
{
    int number = -1;

    sscanf(cell->planned.monitor, "monitor-%d", &number);
    return number;
}

struct cell *simulate(const struct world *world, gsl_rng *random, size_t *count)
{
    struct cell *cells = memory_new((size_t)(2 * world->monitors * world->reps), sizeof(*cells));
    double drift_us = 0;

    *count = 0;
    for (int rep = 1; rep <= world->reps; rep++)
        plan_repetition(cells, count, rep, world, random);
    for (size_t i = 0; i < *count; i++) {
        drift_us += gsl_ran_gaussian(random, world->drift_us);
        measure(&cells[i], number_of(&cells[i]), drift_us, world, random);
    }
    cells_derive(cells, *count);
    return cells;
}

void simulated_free(struct cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cell_free(&cells[i]);
    free(cells);
}
