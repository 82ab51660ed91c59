#include "simulated.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/base.h"
#include "../../../src/figures/memory.h"

/* As lib/measure/plan.sh has it. */
#define MONITORS_PER_BASELINE 3

#define RATE_PER_SEC 400
#define BUSY_US 1500
#define CHILD_US 900
#define LAUNCHER_US 100
/* The monitor that builds are of. */
#define BUILT 8

double true_total_us(int monitor)
{
    return 60.0 * (monitor + 1);
}

double true_program_us(int monitor)
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

double true_counted_us(int monitor)
{
    return true_daemon_us(monitor) + true_program_us(monitor);
}

double true_build_counted_us(void)
{
    return true_counted_us(BUILT);
}

/* Mean 0, standard deviation 1, with a long tail upwards. */
static double skewed(gsl_rng *random, double sigma)
{
    double mean = exp(sigma * sigma / 2), deviation = mean * sqrt(expm1(sigma * sigma));

    return (exp(gsl_ran_gaussian(random, sigma)) - mean) / deviation;
}

int simulated_rate(double per_sec)
{
    return (int)(per_sec / RATE_PER_SEC) - 1;
}

double simulated_scatter(const struct simulation *simulation, int monitor, double rate)
{
    return simulation->daemon_scatter[monitor][simulated_rate(rate)];
}

static double inband_times(const struct simulation *simulation, int monitor, double rate)
{
    return simulation->inband_times[monitor][simulated_rate(rate)];
}

double simulated_counted_us(const struct simulation *simulation, int monitor, double rate)
{
    return true_daemon_us(monitor) + true_program_us(monitor) * inband_times(simulation, monitor, rate);
}

/* number: that of the monitor, -1 for the baseline. */
static void measure(const struct simulation *simulation, struct cell *cell, int number,
                    const struct world *world, gsl_rng *random)
{
    double drift_us = simulation->drift_us;
    double daemon_share =
        number < 0 ? 0 : world->daemon_share * exp(simulated_scatter(simulation, number, cell->planned.rate));
    double noise_us = world->noise_us * (1 + world->unlike * (number + 1));
    double times = number >= 0 && world->builds ? world->builds[number] : 1;
    int like = world->builds ? BUILT : number;
    double daemon_us = number < 0 ? 0 : times * true_daemon_us(like);
    double program_us = number < 0 ? 0 : times * true_program_us(like);
    double extra_us = number < 0 ? 0 : times * true_total_us(like);
    bool is_side = world->side_us > 0 && number >= 0 && !cell->planned.coarse;
    double pace = world->pace > 0 ? 1 + gsl_ran_gaussian(random, world->pace) : 1;

    if (number >= 0)
        program_us *= inband_times(simulation, number, cell->planned.rate);
    cell->ok = true;
    cell_set_text(cell, "status", memory_copy("ok"));
    cell_set_text(cell, "inprogram_method", memory_copy(is_side ? "side-by-side" : "apart"));
    cell_set_number(cell, "achieved_per_sec", cell->planned.rate);
    daemon_us *= pace * (1 + daemon_share * skewed(random, world->skew_sigma));
    cell_set_number(cell, "daemon_us", daemon_us);
    cell_set_number(cell, "daemon_cpu", daemon_us * cell->planned.rate / 1e4);
    cell_set_number(cell, "parent_cpu_us", pace * LAUNCHER_US);
    cell_set_number(cell, "host_busy_us",
                    pace * (BUSY_US + extra_us + drift_us) + noise_us * skewed(random, world->skew_sigma));
    cell_set_number(cell, "child_cpu_mean_us",
                    pace * (CHILD_US + program_us + drift_us / 2) +
                        noise_us / 2 * skewed(random, world->skew_sigma));
    if (is_side) {
        cell_set_number(cell, "side_program_us",
                        pace * program_us + gsl_ran_gaussian(random, world->side_us));
        cell_set_number(cell, "side_program_error_us", world->side_us);
        cell_set_number(cell, "side_parent_us", 0);
    }
    cell_round(cell);
}

static void add_block(struct simulation *simulation, int number, int turn, const struct world *world,
                      gsl_rng *random)
{
    int detailed = world->few_detailed ? 1 + (int)gsl_rng_uniform_int(random, (unsigned)world->rates) : 0;

    for (int rate = 1; rate <= world->rates; rate++) {
        struct planned planned = {.cell = (double)simulation->count + 1,
                                  .rep = simulation->reps,
                                  .turn = turn,
                                  .rate = rate * RATE_PER_SEC,
                                  .coarse = detailed && rate != detailed};

        planned.monitor = number < 0 ? memory_copy(BASELINE) : memory_print("monitor-%d", number);
        simulation->cells = memory_grow(simulation->cells, simulation->count, &simulation->capacity,
                                        sizeof(*simulation->cells));
        cell_init(&simulation->cells[simulation->count++], &planned);
    }
}

/* The monitors in a new order, and a block of the baseline somewhere among every few of them.
 */
static void plan_pass(struct simulation *simulation, const struct world *world, gsl_rng *random)
{
    int order[MONITORS_MAX], count = world->monitors;
    int baselines = (count + MONITORS_PER_BASELINE - 1) / MONITORS_PER_BASELINE;

    baselines = baselines < world->baselines ? world->baselines : baselines;
    for (int i = 0; i < count; i++)
        order[i] = i;
    simulation->reps++;
    gsl_ran_shuffle(random, order, (size_t)count, sizeof(*order));
    for (int turn = 1, first = 0; turn <= baselines; turn++) {
        int group[MONITORS_MAX + 1], size = 0, end = count * turn / baselines;

        group[size++] = -1;
        while (first < end)
            group[size++] = order[first++];
        gsl_ran_shuffle(random, group, (size_t)size, sizeof(*group));
        for (int i = 0; i < size; i++)
            add_block(simulation, group[i], group[i] < 0 ? turn : 1, world, random);
    }
}

int simulated_monitor(const char *name)
{
    int number = -1;

    sscanf(name, "monitor-%d", &number);
    return number;
}

static void measure_from(struct simulation *simulation, size_t first, const struct world *world,
                         gsl_rng *random)
{
    for (size_t i = first; i < simulation->count; i++) {
        struct cell *cell = &simulation->cells[i];

        simulation->drift_us += gsl_ran_gaussian(random, world->drift_us);
        measure(simulation, cell, simulated_monitor(cell->planned.monitor), world, random);
    }
    cells_derive(simulation->cells, simulation->count);
}

void simulate_pass(struct simulation *simulation, const struct world *world, gsl_rng *random)
{
    size_t first = simulation->count;

    plan_pass(simulation, world, random);
    measure_from(simulation, first, world, random);
}

void simulate(struct simulation *simulation, const struct world *world, gsl_rng *random)
{
    *simulation = (struct simulation){0};
    for (int i = 0; world->daemon_unlike > 0 && i < world->monitors; i++)
        for (int rate = 0; rate < world->rates; rate++)
            simulation->daemon_scatter[i][rate] = gsl_ran_gaussian(random, world->daemon_unlike);
    for (int i = 0; i < world->monitors; i++)
        for (int rate = 0; rate < world->rates; rate++)
            simulation->inband_times[i][rate] =
                world->inband_unlike > 0 ? 1 + gsl_ran_gaussian(random, world->inband_unlike) : 1;
    for (int rep = 1; rep <= world->reps; rep++)
        plan_pass(simulation, world, random);
    measure_from(simulation, 0, world, random);
}

void simulation_free(struct simulation *simulation)
{
    for (size_t i = 0; i < simulation->count; i++)
        cell_free(&simulation->cells[i]);
    free(simulation->cells);
}
