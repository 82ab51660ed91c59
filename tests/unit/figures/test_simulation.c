/* The whole way from cells to intervals, on runs whose true figures are known. */
#include "../unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/figures/means.h"
#include "../../../src/figures/number.h"
#include "../../../src/figures/perf.h"
#include "simulated.h"

#define RUNS 1000
#define MONITORS 9
/* Of 1000 runs, in how many the interval must hold the truth; a 95 % interval does in 950. To tell that from
 * chance, the intervals of all monitors count. */
#define FEWEST 930
#define MOST 970

enum { TOTAL, INBAND, DAEMON, DIFFERENCE, KINDS };

static const char *const kind_names[KINDS] = {"total_us", "program_us", "daemon_us",
                                              "difference of total_us"};

static const struct row *row_of(const struct perf *perf, int monitor)
{
    char name[32];

    snprintf(name, sizeof(name), "monitor-%d", monitor);
    for (size_t i = 0; i < perf->count; i++)
        if (strcmp(perf->rows[i].test, name) == 0)
            return &perf->rows[i];
    fail_msg("no row of %s", name);
    return NULL;
}

enum { TOTAL_SHARE, INBAND_SHARE, DAEMON_SHARE, SHARES };

static const char *const share_names[SHARES] = {"total_us", "program_us", "daemon_us"};

static int holds(struct interval interval, double truth)
{
    return interval.low <= truth && truth <= interval.high;
}

static struct interval mean_of(const struct row *row, const char *figure)
{
    return row_mean(row, &figures[figure_index(figure)]);
}

static void count_hits_of_run(const struct perf *perf, int hits[KINDS])
{
    for (int monitor = 0; monitor < MONITORS; monitor++) {
        int other = (monitor + 1) % MONITORS;
        const struct row *row = row_of(perf, monitor);

        hits[TOTAL] += holds(mean_of(row, "total_us"), true_total_us(monitor));
        hits[INBAND] += holds(mean_of(row, "program_us"), true_program_us(monitor));
        hits[DAEMON] += holds(mean_of(row, "daemon_us"), true_daemon_us(monitor));
        hits[DIFFERENCE] +=
            holds(row_difference(row, row_of(perf, other), &figures[figure_index("total_us")]),
                  true_total_us(monitor) - true_total_us(other));
    }
}

static int share_holds(const struct row *row, int kind, double truth_us)
{
    return holds(row_share(row, &figures[figure_index(share_names[kind])]), truth_us / true_baseline_us());
}

static void count_shares_of_run(const struct perf *perf, int hits[SHARES])
{
    for (int monitor = 0; monitor < MONITORS; monitor++) {
        const struct row *row = row_of(perf, monitor);

        hits[TOTAL_SHARE] += share_holds(row, TOTAL_SHARE, true_total_us(monitor));
        hits[INBAND_SHARE] += share_holds(row, INBAND_SHARE, true_program_us(monitor));
        hits[DAEMON_SHARE] += share_holds(row, DAEMON_SHARE, true_daemon_us(monitor));
    }
}

static void count_hits(const struct world *world, void (*count_of_run)(const struct perf *, int *), int *hits)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);

    gsl_rng_set(random, 20260101);
    for (int run = 0; run < RUNS; run++) {
        struct simulation simulation;
        struct perf perf;

        simulate(&simulation, world, random);
        perf_make(&perf, simulation.cells, simulation.count);
        count_of_run(&perf, hits);
        perf_free(&perf);
        simulation_free(&simulation);
    }
    gsl_rng_free(random);
}

/* The scatter of real cells (docs/accounting.md): 60 µs, up to twice as much under some monitors, that of a
 * daemon's time a tenth of it; its skewness here is twice that of a log-normal distribution with such a
 * scatter. */
static struct world world_with(int reps)
{
    return (struct world){.monitors = MONITORS,
                          .reps = reps,
                          .rates = 1,
                          .skew_sigma = 0.2,
                          .noise_us = 60,
                          .drift_us = 5,
                          .unlike = 0.1,
                          .daemon_share = 0.1};
}

static void assert_hits(int reps, const char *name, int hits)
{
    print_message("%d repetitions, %s: in %.1f of 1000 runs\n", reps, name,
                  1000.0 * hits / (RUNS * MONITORS));
    assert_in_range(hits * 1000 / (RUNS * MONITORS), FEWEST, MOST);
}

static void intervals_hold_the_truth(void **state)
{
    (void)state;
    for (int reps = 3; reps <= 6; reps++) {
        const struct world world = world_with(reps);
        int hits[KINDS] = {0};

        count_hits(&world, count_hits_of_run, hits);
        for (int kind = 0; kind < KINDS; kind++)
            assert_hits(reps, kind_names[kind], hits[kind]);
    }
}

static void shares_hold_the_truth(void **state)
{
    (void)state;
    for (int reps = 3; reps <= 6; reps += 3) {
        const struct world world = world_with(reps);
        int hits[SHARES] = {0};

        count_hits(&world, count_shares_of_run, hits);
        for (int kind = 0; kind < SHARES; kind++)
            assert_hits(reps, share_names[kind], hits[kind]);
    }
}

/* What a daemon costs is known to a thousandth here, so that nearly all of the share's error is the
 * baseline's. */
static void shares_have_the_error_of_the_baseline(void **state)
{
    struct world world = world_with(3);
    int hits[SHARES] = {0};

    (void)state;
    world.daemon_share = 0.001;
    world.drift_us = 0;
    count_hits(&world, count_shares_of_run, hits);
    assert_hits(3, share_names[DAEMON_SHARE], hits[DAEMON_SHARE]);
}

/* On a machine that is slower in one cell than in another, by a tenth. */
static struct world world_of_paces(int reps)
{
    struct world world = world_with(reps);

    world.side_us = 4;
    world.drift_us = 0;
    world.noise_us = 20;
    world.daemon_share = 0.03;
    world.pace = 0.1;
    return world;
}

enum { ACCOUNTED_SHARE, ACCOUNTED, SHARE_DIFFERENCE, PACES };

static double share_half_widths, half_widths;

static void count_paces_of_run(const struct perf *perf, int hits[PACES])
{
    const struct figure *counted = &figures[figure_index("counted_us")];

    for (int monitor = 0; monitor < MONITORS; monitor++) {
        int other = (monitor + 1) % MONITORS;
        const struct row *row = row_of(perf, monitor), *other_row = row_of(perf, other);
        const struct interval share = row_share(row, counted), mean = row_mean(row, counted);
        double truth = true_counted_us(monitor) / true_baseline_us();
        double difference = truth - true_counted_us(other) / true_baseline_us();

        hits[ACCOUNTED_SHARE] += holds(share, truth);
        hits[ACCOUNTED] += holds(mean, true_counted_us(monitor));
        hits[SHARE_DIFFERENCE] += holds(row_share_difference(row, other_row, counted), difference);
        share_half_widths += (share.high - share.low) / share.value;
        half_widths += (mean.high - mean.low) / mean.value;
    }
}

static void shares_hold_the_truth_whatever_the_pace(void **state)
{
    static const char *const names[PACES] = {"counted_us as a share", "counted_us", "difference of shares"};

    (void)state;
    for (int reps = 3; reps <= 6; reps += 3) {
        const struct world world = world_of_paces(reps);
        int hits[PACES] = {0};

        share_half_widths = half_widths = 0;
        count_hits(&world, count_paces_of_run, hits);
        for (int kind = 0; kind < PACES; kind++)
            assert_hits(reps, names[kind], hits[kind]);
        print_message("%d repetitions: an interval of a share is %.2f of one of the figure\n", reps,
                      share_half_widths / half_widths);
        assert_true(share_half_widths < half_widths / 2);
    }
}

/* Daemons of which some scatter several times as much as others, at five rates. */
#define UNLIKE_RUNS 200
#define UNLIKE_RATES 5
/* The third of them that scatters most, whose intervals are drawn to those of the others. */
#define SCATTERS_MOST 0.43 /* standard deviations above the mean, of a normal distribution */
#define FEWEST_OF_THESE 870
/* An interval from a row's own cells is t / sqrt(reps) standard deviations to each side, on average. */
#define SHORTER 0.9

struct unlike {
    int all, held, scatter_most, held_of_these;
    double half_widths; /* in standard deviations of a cell, where these are alike */
};

static void count_unlike_row(struct unlike *counts, const struct row *row, double scatter,
                             const struct world *world)
{
    int monitor = simulated_monitor(row->test);
    const struct interval share = row_share(row, &figures[figure_index("daemon_us")]);
    double truth = true_daemon_us(monitor) / true_baseline_us();
    bool most = scatter > SCATTERS_MOST * world->daemon_unlike;

    counts->all++;
    counts->held += holds(share, truth);
    counts->scatter_most += most;
    counts->held_of_these += most && holds(share, truth);
    counts->half_widths += (share.high - share.low) / 2 / truth / world->daemon_share;
}

static void count_unlike(struct unlike *counts, const struct world *world, gsl_rng *random)
{
    for (int run = 0; run < UNLIKE_RUNS; run++) {
        struct simulation simulation;
        struct perf perf;

        simulate(&simulation, world, random);
        perf_make(&perf, simulation.cells, simulation.count);
        for (size_t i = 0; i < perf.count; i++)
            if (strcmp(perf.rows[i].test, BASELINE) != 0)
                count_unlike_row(
                    counts, &perf.rows[i],
                    simulated_scatter(&simulation, simulated_monitor(perf.rows[i].test), perf.rows[i].rate),
                    world);
        perf_free(&perf);
        simulation_free(&simulation);
    }
}

static void hold_whatever_scatters(int reps, double unlike, gsl_rng *random)
{
    struct world world = world_of_paces(reps);
    struct unlike counts = {0};
    double own_half_width = gsl_cdf_tdist_Pinv(0.975, reps - 1) / sqrt(reps) * exp(unlike * unlike / 2);

    world.rates = UNLIKE_RATES;
    world.daemon_share = 0.05;
    world.daemon_unlike = unlike;
    count_unlike(&counts, &world, random);
    print_message(
        "%d repetitions, scatter differs by exp(%.1f): %d of 1000 shares hold the truth, %d of those "
        "that scatter most; half an interval is %.2f standard deviations, %.2f from own cells\n",
        reps, unlike, counts.held * 1000 / counts.all, counts.held_of_these * 1000 / counts.scatter_most,
        counts.half_widths / counts.all, own_half_width);
    assert_in_range(counts.held * 1000 / counts.all, FEWEST, MOST);
    assert_in_range(counts.held_of_these * 1000 / counts.scatter_most, FEWEST_OF_THESE, 1000);
    assert_true(counts.half_widths / counts.all < SHORTER * own_half_width);
}

static void shares_hold_the_truth_whatever_scatters(void **state)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);

    (void)state;
    gsl_rng_set(random, 20260103);
    for (int reps = 3; reps <= 6; reps += 3)
        for (int tenths = 3; tenths <= 9; tenths += 3)
            hold_whatever_scatters(reps, tenths / 10.0, random);
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_hold_the_truth_whatever_the_pace),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(shares_hold_the_truth),
        cmocka_unit_test(shares_hold_the_truth_whatever_scatters),
        cmocka_unit_test(shares_have_the_error_of_the_baseline),
    };

    return cmocka_run_group_tests_name("simulation", tests, NULL, NULL);
}
