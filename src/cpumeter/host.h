/* Times of the whole machine. */
#ifndef CPUMETER_HOST_H
#define CPUMETER_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "counter.h"
#include "procstat.h"
#include "row.h"
#include "timerlist.h"

/* A figure that only grows: a dip, which the kernel's own bookkeeping has between idle and iowait, is held.
 */
struct held {
    uint64_t value;
    uint64_t offset; /* modulo 2^64 */
};

struct host {
    int stat_fd;
    int timerlist_fd; /* -1: can't be read */
    int tasks_fd;     /* -1: none */
    uint64_t ns_per_tick;
    unsigned cpus;
    struct held elapsed, idle, iowait, busy;
    struct counter steal, irq, softirq, tasks;
};

/* raw is what the kernel says now. With rebase, it goes on from its present value. */
uint64_t held_update(struct held *held, uint64_t raw, bool rebase);

void host_open(struct host *host);

void host_read(struct host *host, struct rows *rows);

#endif
