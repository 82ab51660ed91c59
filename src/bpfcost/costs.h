/* What a program costs, from the phases of a round. */
#ifndef BPFCOST_COSTS_H
#define BPFCOST_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "interval.h"
#include "schedule.h"

/* What the kernel has counted of a program so far. */
struct counted {
    uint64_t runs;
    uint64_t run_time_ns;
};

struct phase {
    uint64_t
        passes; /* of the measuring thread through the attachment: its calls, and the phase's own readings */
    double call_ns; /* CPU time a call: of the median slice */
    uint64_t runs;  /* the kernel's counters; they stand still unless the state is COUNTED */
    uint64_t run_time_ns;
    uint64_t own_runs; /* in slices in which nobody else passed; the exact part of the two before */
    uint64_t own_run_time_ns;
    uint64_t watched_runs; /* the program's own counter of this thread; 0 of a program that does not count */
};

enum cost {
    COST_CALL,       /* a call without the program */
    COST_TRUE,       /* what the program adds to a call while nobody counts */
    COST_COUNTED,    /* run time that the kernel counts a run */
    COST_UNCOUNTED,  /* the true cost less the counted one */
    COST_STATISTICS, /* what counting adds to a run */
    COSTS
};

extern const char *const cost_names[COSTS];

/* A slice in which the measuring thread passed so often: it is the thread's own if nobody else did. */
void phase_add_slice(struct phase *phase, struct counted before, struct counted after, uint64_t passes);

struct round_costs {
    double ns[COSTS]; /* NAN: unknown, since others passed all the time */
};

/* phases: one for each of round_phases. programs: how many of ours a call passes while counted. Of a call
 * that passes none, what is counted is 0. */
struct round_costs costs_of(const struct phase phases[ROUND_PHASES], unsigned programs);

/* Over the rounds in which it is known; *used: how many these are. */
struct interval costs_interval(const struct round_costs *rounds, size_t count, enum cost cost, size_t *used);

#endif
