/* What is written. */
#ifndef BPFCOST_OUTPUT_H
#define BPFCOST_OUTPUT_H

#include <stdio.h>

#include "bench.h"
#include "options.h"

/* A kind that does not work here. */
struct refusal {
    const struct kind *kind;
    char *reason;
};

struct refusals {
    struct refusal *items;
    size_t count;
};

void refusals_add(struct refusals *refusals, const struct kind *kind, const char *reason);
void refusals_free(struct refusals *refusals);

void rows_write_header(FILE *out);

/* round: from 0. */
void rows_write(FILE *out, const struct bench *bench, size_t round, const struct phase phases[ROUND_PHASES]);

void summary_write(FILE *out, const struct options *options, const struct benches *benches,
                   const struct refusals *refusals);

#endif
