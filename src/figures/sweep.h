/* cells.csv, perf.csv, differences.csv and syscalls.csv of a sweep; of a run of exectax rules rules.csv and
 * fits.csv as well. */
#ifndef FIGURES_SWEEP_H
#define FIGURES_SWEEP_H

#include <stdbool.h>

#include "run.h"

/* false if one of them could not be written. */
bool sweep_write(struct run *run);

#endif
