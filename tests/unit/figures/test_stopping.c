/* Whether intervals hold the truth that often when a run goes on for as long as the stopping rule of --reps
 * auto says. */
#include "../unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../src/figures/means.h"
#include "../../../src/figures/perf.h"
#include "../../../src/figures/precision.h"
#include "simulated.h"

#define INTERVALS 1800
#define MONITORS 3
/* Of 1000 intervals of 95 %. */
#define FEWEST 930
#define MOST 970

/* As lib/measure/auto.sh has it. */
#define FIRST_REPS 3

struct coverage {
    int held, known, all;
    size_t cells;
};

/* What is to be measured again, monitors with the widest intervals first, as many as there are blocks left;
 * false if that is nothing. */
static bool choose(const struct perf *perf, double percent, int blocks, struct chosen *chosen)
{
    size_t rows;
    struct precision *list = precision_make(perf, percent, &rows);

    *chosen = (struct chosen){0};
    for (size_t i = 0; i < rows; i++) {
        int monitor = simulated_monitor(list[i].row->test);
        /* The rows of a monitor are next to each other. */
        bool is_new = chosen->count == 0 || chosen->monitors[chosen->count - 1] != monitor;

        if (!list[i].again || (is_new && chosen->count == blocks))
            continue;
        if (is_new)
            chosen->monitors[chosen->count++] = monitor;
        chosen->rates[monitor][simulated_rate(list[i].row->rate)] = true;
    }
    free(list);
    return chosen->count > 0;
}

static void count_held(struct coverage *coverage, const struct perf *perf, const struct world *world,
                       double percent)
{
    size_t rows;
    struct precision *list = precision_make(perf, percent, &rows);

    for (size_t i = 0; i < rows; i++) {
        const struct interval share = row_share(list[i].row, &figures[figure_index("accounted_us")]);
        double truth = true_accounted_share(simulated_monitor(list[i].row->test));

        coverage->held += share.low <= truth && truth <= share.high;
        coverage->known += list[i].known;
        coverage->all++;
    }
    free(list);
}

static void run_once(struct coverage *coverage, const struct world *world, double percent, int blocks,
                     gsl_rng *random)
{
    struct chosen chosen;
    struct simulation simulation;
    struct perf perf;

    simulate(&simulation, world, random);
    perf_make(&perf, simulation.cells, simulation.count);
    while (choose(&perf, percent, blocks, &chosen)) {
        perf_free(&perf);
        simulate_repetition(&simulation, world, &chosen, random);
        perf_make(&perf, simulation.cells, simulation.count);
        blocks -= chosen.count;
    }
    count_held(coverage, &perf, world, percent);
    coverage->cells += simulation.count;
    perf_free(&perf);
    simulation_free(&simulation);
}

/* The scatter of a daemon is a tenth of its time, that of window S some µs: a tenth to a sixth of
 * accounted_us in a cell. Side by side, the machine is slower in one cell than in another, and does not
 * drift. */
static struct world world_with(int rates, double side_us)
{
    return (struct world){.monitors = MONITORS,
                          .reps = FIRST_REPS,
                          .rates = rates,
                          .skew_sigma = 0.2,
                          .noise_us = side_us > 0 ? 60 : 10,
                          .drift_us = side_us > 0 ? 0 : 1,
                          .pace = side_us > 0 ? 0.1 : 0,
                          .unlike = 0.1,
                          .daemon_share = 0.1,
                          .side_us = side_us};
}

/* percent: the precision; blocks: of monitors, for which there is time after the first repetitions. */
static void hold(const char *what, const struct world *world, double percent, int blocks)
{
    int runs = INTERVALS / MONITORS / world->rates;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    struct coverage coverage = {0};

    gsl_rng_set(random, 20260102);
    for (int run = 0; run < runs; run++)
        run_once(&coverage, world, percent, blocks, random);
    gsl_rng_free(random);
    print_message("%s: of 1000 intervals %d hold the truth, %d are known to %.0f %%; %.1f repetitions\n",
                  what, coverage.held * 1000 / coverage.all, coverage.known * 1000 / coverage.all, percent,
                  (double)coverage.cells / (runs * (MONITORS + 1) * world->rates));
    assert_in_range(coverage.held * 1000 / coverage.all, FEWEST, MOST);
}

static void with_several_rates(void **state)
{
    struct world side = world_with(5, 4), apart = world_with(5, 0), unlike = side;

    (void)state;
    unlike.daemon_unlike = 0.5;
    hold("side by side, until all is known", &side, 8, 60);
    hold("side by side, until the time is over", &side, 5, 10);
    hold("side by side, daemons that scatter unlike", &unlike, 8, 60);
    hold("apart, until all is known", &apart, 15, 60);
}

/* The scatter of a single row is all that the rule has to go by. */
static void with_one_rate(void **state)
{
    const struct world side = world_with(1, 8);

    (void)state;
    hold("one rate, until all is known", &side, 6, 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_several_rates),
        cmocka_unit_test(with_one_rate),
    };

    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
