/* A counter of the kernel that may start again from 0 goes on here from where it was. */
#ifndef CPUMETER_COUNTER_H
#define CPUMETER_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter {
    bool started;
    uint64_t before; /* what was counted before the last reset */
    uint64_t raw;    /* as it was read last */
};

/* Takes a new reading; true if the counter went backwards since the last one. */
bool counter_update(struct counter *counter, uint64_t raw);

/* What was counted in all; UINT64_MAX if that does not fit. */
uint64_t counter_value(const struct counter *counter);

#endif
