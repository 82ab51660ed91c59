/* CPU of the monitor's processes and of its helpers as pidstat saw it, in % of one CPU. */
#ifndef FIGURES_PIDSTAT_H
#define FIGURES_PIDSTAT_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"

enum role { ROLE_DAEMON, ROLE_HELPER, ROLES };

struct process {
    char pid[24];
    enum role role;
    unsigned samples;
};

/* Which processes work for the monitor: `pid,role,name` a line. */
struct processes {
    struct process *list;
    size_t count;
};

void processes_read(struct processes *processes, const char *path, struct problem *problem);
void processes_free(struct processes *processes);

struct pidstat {
    unsigned samples; /* the most that any process has; 0 if nothing is known */
    double cpu[ROLES];
};

void pidstat_read(struct pidstat *pidstat, const char *path, struct processes *processes,
                  struct problem *problem);

#endif
