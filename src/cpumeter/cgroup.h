/* CPU time of a cgroup, everything below it and everything that ended in it included. */
#ifndef CPUMETER_CGROUP_H
#define CPUMETER_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "counter.h"
#include "row.h"

struct cgroup {
    const char *name;
    const char *path;
    int fd;
    bool is_v1;
    bool gone;
    struct counter counter;
};

/* The CPU time in a cgroup's cpuacct.usage (v1) or cpu.stat (v2). */
bool cgroup_parse(const char *text, bool is_v1, uint64_t *cpu_ns);

/* Ends the program if there is no such cgroup, or one that does not count CPU time. */
void cgroup_open(struct cgroup *cgroup, const char *name, const char *path);

void cgroup_read(struct cgroup *cgroup, struct rows *rows);

#endif
