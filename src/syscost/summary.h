/* What a call costs, over the slices of a group. */
#ifndef SYSCOST_SUMMARY_H
#define SYSCOST_SUMMARY_H

#include <stdint.h>

#include "run.h"

struct summary {
    uint64_t slices;
    uint64_t calls;
    double mean_ns; /* of the slices' ns a call; 0 if there is no slice */
    double median_ns;
};

/* call: as in run->options->calls. group: 0 or 1. */
struct summary summarize(const struct run *run, unsigned call, unsigned group);

#endif
