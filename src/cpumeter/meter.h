/* Everything that is read in one reading. */
#ifndef CPUMETER_METER_H
#define CPUMETER_METER_H

#include <stddef.h>

#include "bpf.h"
#include "cgroup.h"
#include "clock.h"
#include "host.h"
#include "kthread.h"
#include "memory.h"
#include "options.h"
#include "process.h"
#include "row.h"

struct meter {
    const struct options *options;
    struct sleep_watch sleep_watch;
    struct cgroup *cgroups;
    struct process *processes;
    struct kthread *kthreads;
    struct memory *memory;
    size_t memory_count;
    struct host host;
    struct bpf bpf;
    struct rows rows;
};

/* Opens all sources; ends the program if one is not there. */
void meter_open(struct meter *meter, const struct options *options);

/* Reads all sources, one right after the other. */
const struct rows *meter_read(struct meter *meter);

#endif
