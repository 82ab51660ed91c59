/* syscalls.csv: what each system call costs more under each monitor, from window T of its starts. */
#ifndef FIGURES_TAX_H
#define FIGURES_TAX_H

#include <stdio.h>

#include "cell.h"
#include "interval.h"

/* A row a monitor and call; of a monitor whose windows all count for nothing, one that says why. */
void taxes_write(FILE *out, const struct cell *cells, size_t count);

/* What a call costs more under one monitor than under another, each against none. */
struct tax_between {
    const char *call;
    struct interval without, with, added;
    size_t without_reps, with_reps;
};

/* Of each call that both know, got in the same way. The caller frees it; cells must outlive it. */
size_t taxes_between(struct tax_between **between, const struct cell *cells, size_t count,
                     const char *without, const char *with);

#endif
