/* The programs in the kernel, and what they have counted. */
#ifndef HOSTRATES_COUNTING_H
#define HOSTRATES_COUNTING_H

#include <stdbool.h>
#include <stdint.h>

#include "counts.h"

struct counting {
    struct bpf_object *object;
    struct bpf_link *executions, *syscalls; /* syscalls: NULL if they are not counted */
};

/* They count from here on, until counting_end() or the end of this process, whatever ends it. */
void counting_begin(struct counting *counting, bool with_syscalls);

/* Over all CPUs. */
void counting_read(const struct counting *counting, uint64_t counts[COUNTED_BY_BPF]);

/* Runs that the kernel left out, because the program was running on that CPU already. */
uint64_t counting_missed(const struct counting *counting);

void counting_end(struct counting *counting);

#endif
