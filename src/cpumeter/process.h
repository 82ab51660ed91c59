/* CPU time of a process: all its threads, those that ended included, but not its children. */
#ifndef CPUMETER_PROCESS_H
#define CPUMETER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "counter.h"
#include "row.h"

struct process {
    const char *name;
    pid_t pid;
    int pidfd;
    clockid_t clock;
    bool gone;
    struct counter counter;
};

/* False and errno if there is no such process. */
bool process_open(struct process *process, const char *name, pid_t pid);

/* Updates the counter; true if it went backwards. Sets gone, and leaves the counter alone, once the process
 * has ended and was waited for, even if another one has its number now. */
bool process_update(struct process *process);

void process_read(struct process *process, struct rows *rows);

#endif
