/* Window T: what system calls cost under a monitor, and without it where the two can be had at the same time.
 */
#ifndef FIGURES_SYSCALLS_H
#define FIGURES_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

#include "interval.h"
#include "problem.h"

#define SYSCALLS_MAX 8

/* Of one call, in ns of CPU time a call. */
struct syscall_cost {
    char name[32];
    double with_ns;
    /* Side by side or switched; apart, unknown. */
    double without_ns;
    struct estimate added;
};

struct syscalls {
    bool exists;
    char way[16];     /* groups, switched or apart; see lib/measure/syscalls.sh */
    char reason[400]; /* why it counts for nothing; empty if it counts */
    struct syscall_cost costs[SYSCALLS_MAX];
    size_t count;
};

/* Reads the folder syscalls of a cell's folder, if there is one. A damaged file is a problem; what the window
 * does not show for what it is is a reason. */
void syscalls_read(struct syscalls *syscalls, const char *folder, struct problem *problem);

/* Of one call; NULL if it was not measured, or the window counts for nothing. */
const struct syscall_cost *syscalls_cost(const struct syscalls *syscalls, const char *call);

#endif
