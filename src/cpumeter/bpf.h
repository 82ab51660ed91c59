/* Run time and run count of BPF programs. */
#ifndef CPUMETER_BPF_H
#define CPUMETER_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "counter.h"
#include "options.h"
#include "row.h"

struct bpf_program {
    uint32_t id;
    char *name; /* ID:NAME:TYPE */
    bool gone;
    struct counter run_time_ns;
    struct counter run_count;
};

struct bpf {
    const struct options *options;
    int stats_fd;                 /* the kernel counts while it is open */
    struct bpf_program *programs; /* by id */
    size_t count;
};

/* Switches the kernel's counting on. */
void bpf_open(struct bpf *bpf, const struct options *options);

void bpf_read(struct bpf *bpf, struct rows *rows);

#endif
