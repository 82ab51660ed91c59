#include "costs.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

const char *const cost_names[COSTS] = {"call_ns", "true_ns", "counted_ns", "uncounted_ns", "statistics_ns"};

void phase_add_slice(struct phase *phase, struct counted before, struct counted after, uint64_t passes)
{
    if (after.runs - before.runs != passes)
        return;
    phase->own_runs += passes;
    phase->own_run_time_ns += after.run_time_ns - before.run_time_ns;
}

static double call_ns(const struct phase phases[ROUND_PHASES], enum state state)
{
    double sum_ns = 0;
    unsigned count = 0;

    for (size_t i = 0; i < ROUND_PHASES; i++) {
        if (round_phases[i] != state)
            continue;
        sum_ns += phases[i].call_ns;
        count++;
    }
    return sum_ns / count;
}

static double counted_ns(const struct phase phases[ROUND_PHASES])
{
    uint64_t passes = 0, runs = 0, run_time_ns = 0;

    for (size_t i = 0; i < ROUND_PHASES; i++) {
        passes += phases[i].passes;
        runs += phases[i].own_runs;
        run_time_ns += phases[i].own_run_time_ns;
    }
    if (passes == 0)
        return 0;
    return runs == 0 ? NAN : (double)run_time_ns / (double)runs;
}

struct round_costs costs_of(const struct phase phases[ROUND_PHASES], unsigned programs)
{
    struct round_costs costs;

    costs.ns[COST_CALL] = call_ns(phases, OFF);
    costs.ns[COST_TRUE] = call_ns(phases, ON) - call_ns(phases, OFF);
    costs.ns[COST_COUNTED] = counted_ns(phases);
    costs.ns[COST_UNCOUNTED] = costs.ns[COST_TRUE] - costs.ns[COST_COUNTED];
    costs.ns[COST_STATISTICS] = (call_ns(phases, COUNTED) - call_ns(phases, ON)) / programs;
    return costs;
}

struct interval costs_interval(const struct round_costs *rounds, size_t count, enum cost cost, size_t *used)
{
    double *values = reallocarray(NULL, count + 1, sizeof(*values));
    struct interval interval;

    if (!values)
        err(EXIT_FAILURE, "cannot allocate %zu values", count);
    *used = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(rounds[i].ns[cost]))
            values[(*used)++] = rounds[i].ns[cost];
    interval = interval_of_median(values, *used);
    free(values);
    return interval;
}
