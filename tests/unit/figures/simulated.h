/* Runs whose true figures are known: what is measured has skewed noise, and the machine drifts. */
#ifndef TESTS_FIGURES_SIMULATED_H
#define TESTS_FIGURES_SIMULATED_H

#include <gsl/gsl_rng.h>

#include "../../../src/figures/cell.h"

/* How a run is simulated. */
struct world {
    int monitors, reps;
    double skew_sigma;   /* of the log-normal noise of every cell; its skewness grows with it */
    double noise_us;     /* standard deviation of that noise in the machine's busy time */
    double drift_us;     /* by how much that moves from one cell to the next, standard deviation */
    double unlike;       /* how much more the noise is under each further monitor, as a share */
    double daemon_share; /* standard deviation of the daemon's time, as a share of it */
};

/* What monitor number i truly costs. */
double true_total_us(int monitor);
double true_inband_us(int monitor);
double true_daemon_us(int monitor);
/* Without a monitor. */
double true_baseline_us(void);

/* The run's cells, in the order in which a sweep measures them; their number is in *count. The caller frees
 * them with simulated_free(). */
struct cell *simulate(const struct world *world, gsl_rng *random, size_t *count);
void simulated_free(struct cell *cells, size_t count);

#endif
