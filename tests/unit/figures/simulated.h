/* Runs whose true figures are known: what is measured has skewed noise, and the machine drifts. */
#ifndef TESTS_FIGURES_SIMULATED_H
#define TESTS_FIGURES_SIMULATED_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>

#include "../../../src/figures/cell.h"

#define MONITORS_MAX 64
#define RATES_MAX 5

/* How a run is simulated. */
struct world {
    int monitors, reps, rates;
    int baselines;        /* so many blocks of the baseline in each pass at least */
    double skew_sigma;    /* of the log-normal noise of every cell; its skewness grows with it */
    double noise_us;      /* standard deviation of that noise in the machine's busy time */
    double drift_us;      /* by how much that moves from one cell to the next, standard deviation */
    double unlike;        /* how much more the noise is under each further monitor, as a share */
    double daemon_share;  /* standard deviation of the daemon's time, as a share of it */
    double daemon_unlike; /* by how much the logarithm of that differs from monitor to monitor and rate to
                           * rate, standard deviation */
    double side_us;       /* that of in-band where that is measured side by side; 0: it is not */
    double pace; /* by how much the machine is slower at everything in one cell than in another, standard
                  * deviation of a share */
    bool few_detailed;    /* window S is measured at one rate of each start */
    double inband_unlike; /* by how much in-band differs from rate to rate, standard deviation of a share of
                             it */
    /* Of builds of one monitor: how many times what it costs each of them costs. NULL: monitors that differ.
     */
    const double *builds;
};

/* A run that is under way. */
struct simulation {
    struct cell *cells; /* in the order in which a sweep measures them */
    size_t count, capacity;
    int reps;
    double drift_us; /* where the machine is by now */
    double daemon_scatter[MONITORS_MAX][RATES_MAX];
    double inband_times[MONITORS_MAX][RATES_MAX];
};

/* What monitor number i truly costs. */
double true_total_us(int monitor);
double true_program_us(int monitor);
double true_daemon_us(int monitor);
/* Without a monitor. */
double true_baseline_us(void);
double true_counted_us(int monitor);
/* What a build costs that costs as much as the monitor. */
double true_build_counted_us(void);

/* Number of a cell's monitor, -1 for the baseline. */
int simulated_monitor(const char *name);

/* Which of the world's rates that is, from 0 on. */
int simulated_rate(double per_sec);

/* How many times world's daemon_share its daemon scatters at that rate, as a logarithm. */
double simulated_scatter(const struct simulation *simulation, int monitor, double rate);

/* What a monitor truly costs at that rate. */
double simulated_counted_us(const struct simulation *simulation, int monitor, double rate);

/* A whole run. The caller frees it with simulation_free(). */
void simulate(struct simulation *simulation, const struct world *world, gsl_rng *random);
void simulation_free(struct simulation *simulation);

/* A further pass. */
void simulate_pass(struct simulation *simulation, const struct world *world, gsl_rng *random);

#endif
