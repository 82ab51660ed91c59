/* syscalls.csv: what each system call costs more under each monitor, from window T of its starts. */
#ifndef FIGURES_TAX_H
#define FIGURES_TAX_H

#include <stdio.h>

#include "cell.h"

/* A row a monitor and call; of a monitor whose windows all count for nothing, one that says why. */
void taxes_write(FILE *out, const struct cell *cells, size_t count);

#endif
