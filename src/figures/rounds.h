/* Rounds and soaks of a saturation run. */
#ifndef FIGURES_ROUNDS_H
#define FIGURES_ROUNDS_H

#include <stdio.h>

#include "run.h"

/* rounds.csv: a row a round, in the order in which they were measured. */
void rounds_write(FILE *out, struct run *run);

/* soak.csv: a row a soak, likewise. */
void soaks_write(FILE *out, struct run *run);

#endif
