/* Whether intervals hold the truth that often whenever a run ends: after a pass that was asked for, at the
 * first one after which all is known, or at any, as somebody ends it. */
#include "../unit.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/means.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/perf.h"
#include "../../../src/figures/precision.h"
#include "simulated.h"

/* Of each kind, in all runs of a world together. */
#define INTERVALS 1350
/* Of 1000 intervals of 95 %. */
#define FEWEST 930

#define MOST_PASSES 8
/* A run that somebody ends has so many passes on average. */
#define PASSES_UNTIL_ENDED 3

enum { SHARE, ACCOUNTED, TOTAL, SHARE_DIFFERENCE, TOTAL_DIFFERENCE, KINDS };

static const char *const kind_names[KINDS] = {"counted_overhead", "counted_us", "total_us",
                                              "difference of counted_overhead", "difference of total_us"};

/* When a run ends. */
struct rule {
    const char *name;
    int passes;     /* 0: not after so many */
    double percent; /* 0: not when all is known */
};

struct coverage {
    int held[KINDS], all[KINDS], passes, runs, bounded;
    double half_widths; /* of shares, in units of an execution */
};

static const struct figure *figure(const char *name)
{
    return &figures[figure_index(name)];
}

static void count(struct coverage *coverage, int kind, struct interval interval, double truth)
{
    coverage->held[kind] += interval.low <= truth && truth <= interval.high;
    coverage->all[kind]++;
    if (kind == SHARE && is_known(interval.low)) {
        coverage->half_widths += (interval.high - interval.low) / 2;
        coverage->bounded++;
    }
}

static double counted_us(const struct simulation *simulation, const struct row *row)
{
    return simulated_counted_us(simulation, simulated_monitor(row->test), row->rate);
}

static void count_row(struct coverage *coverage, const struct simulation *simulation, const struct row *row)
{
    int monitor = simulated_monitor(row->test);
    double counted = counted_us(simulation, row);

    count(coverage, SHARE, row_share(row, figure("counted_us")), counted / true_baseline_us());
    count(coverage, ACCOUNTED, row_mean(row, figure("counted_us")), counted);
    count(coverage, TOTAL, row_mean(row, figure("total_us")), true_total_us(monitor));
}

/* Of a monitor and the next one at the same rate. */
static void count_pair(struct coverage *coverage, const struct simulation *simulation, const struct row *a,
                       const struct row *b)
{
    int of_a = simulated_monitor(a->test), of_b = simulated_monitor(b->test);

    count(coverage, SHARE_DIFFERENCE, row_share_difference(a, b, figure("counted_us")),
          (counted_us(simulation, a) - counted_us(simulation, b)) / true_baseline_us());
    count(coverage, TOTAL_DIFFERENCE, row_difference(a, b, figure("total_us")),
          true_total_us(of_a) - true_total_us(of_b));
}

static void count_run(struct coverage *coverage, const struct simulation *simulation, const struct perf *perf,
                      const struct world *world)
{
    for (size_t i = 0; i < perf->count; i++)
        if (simulated_monitor(perf->rows[i].test) >= 0)
            count_row(coverage, simulation, &perf->rows[i]);
    /* By monitor, then by rate. */
    for (size_t i = 0, next = (size_t)world->rates; next < perf->count; i++, next++)
        if (simulated_monitor(perf->rows[i].test) >= 0 && simulated_monitor(perf->rows[next].test) >= 0)
            count_pair(coverage, simulation, &perf->rows[i], &perf->rows[next]);
}

static bool all_known(const struct perf *perf, double percent)
{
    size_t rows, known = 0;
    struct precision *list = precision_make(perf, percent, &rows);

    for (size_t i = 0; i < rows; i++)
        known += list[i].known;
    free(list);
    return known == rows;
}

static bool ends(const struct rule *rule, const struct perf *perf, int passes, gsl_rng *random)
{
    if (passes == MOST_PASSES)
        return true;
    if (rule->passes)
        return passes == rule->passes;
    if (rule->percent > 0)
        return all_known(perf, rule->percent);
    return gsl_ran_bernoulli(random, 1.0 / PASSES_UNTIL_ENDED);
}

static void run_once(struct coverage *coverage, const struct world *world, const struct rule *rule,
                     gsl_rng *random)
{
    struct simulation simulation;
    struct perf perf;
    bool ended = false;

    simulate(&simulation, world, random);
    while (!ended) {
        simulate_pass(&simulation, world, random);
        perf_make(&perf, simulation.cells, simulation.count);
        ended = ends(rule, &perf, simulation.reps, random);
        if (ended)
            count_run(coverage, &simulation, &perf, world);
        perf_free(&perf);
    }
    coverage->passes += simulation.reps;
    coverage->runs++;
    simulation_free(&simulation);
}

/* The scatter of a daemon is a tenth of its time, that of window S some µs. Side by side, the machine is
 * slower in one cell than in another, and does not drift. */
static struct world world_with(int monitors, int rates, double side_us)
{
    return (struct world){.monitors = monitors,
                          .baselines = 2,
                          .rates = rates,
                          .skew_sigma = 0.2,
                          .noise_us = 60,
                          .drift_us = side_us > 0 ? 0 : 2,
                          .pace = side_us > 0 ? 0.1 : 0,
                          .unlike = 0.1,
                          .daemon_share = 0.1,
                          .side_us = side_us};
}

static void hold(const char *what, const struct world *world, const struct rule *rule)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    struct coverage coverage = {0};

    gsl_rng_set(random, 20260102);
    while (coverage.all[SHARE] < INTERVALS)
        run_once(&coverage, world, rule, random);
    gsl_rng_free(random);
    print_message("%s, %s:", what, rule->name);
    for (int kind = 0; kind < KINDS; kind++)
        print_message(" %d", coverage.held[kind] * 1000 / coverage.all[kind]);
    print_message("; %.1f passes; half a share's interval is %.1f %% of an execution\n",
                  (double)coverage.passes / coverage.runs, 100 * coverage.half_widths / coverage.bounded);
    for (int kind = 0; kind < KINDS; kind++)
        if (coverage.held[kind] * 1000 < FEWEST * coverage.all[kind])
            fail_msg("of %s too few hold the truth", kind_names[kind]);
}

static const struct rule rules[] = {
    {"after a pass", 1, 0},   {"after 2 passes", 2, 0}, {"after 3 passes", 3, 0},    {"after 5 passes", 5, 0},
    {"known to 10 %", 0, 10}, {"known to 30 %", 0, 30}, {"ended by somebody", 0, 0},
};

static void hold_all(const char *what, const struct world *world)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        hold(what, world, &rules[i]);
}

static void side_by_side(void **state)
{
    const struct world few = world_with(3, 5, 4), many = world_with(9, 5, 4);

    (void)state;
    hold_all("3 monitors side by side", &few);
    hold_all("9 monitors side by side", &many);
}

static void apart(void **state)
{
    const struct world few = world_with(3, 5, 0), many = world_with(9, 5, 0);

    (void)state;
    hold_all("3 monitors apart", &few);
    hold_all("9 monitors apart", &many);
}

/* The scatter of a few rows is all that there is to go by. */
static void with_one_rate(void **state)
{
    const struct world side = world_with(3, 1, 8), far = world_with(3, 1, 0);

    (void)state;
    hold_all("3 monitors at one rate, side by side", &side);
    hold_all("3 monitors at one rate, apart", &far);
}

static void with_daemons_that_scatter_unlike(void **state)
{
    struct world world = world_with(9, 5, 4);

    (void)state;
    world.daemon_unlike = 0.5;
    hold_all("9 monitors whose daemons scatter unlike", &world);
}

/* In-band is known from one rate of each start. */
static void with_few_detailed_cells(void **state)
{
    struct world few = world_with(3, 5, 4), many = world_with(9, 5, 4);

    (void)state;
    few.few_detailed = many.few_detailed = true;
    few.inband_unlike = many.inband_unlike = 0.15;
    hold_all("3 monitors side by side at one rate of each start", &few);
    hold_all("9 monitors side by side at one rate of each start", &many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(side_by_side),
        cmocka_unit_test(apart),
        cmocka_unit_test(with_one_rate),
        cmocka_unit_test(with_daemons_that_scatter_unlike),
        cmocka_unit_test(with_few_detailed_cells),
    };

    return cmocka_run_group_tests_name("stopping", tests, NULL, NULL);
}
