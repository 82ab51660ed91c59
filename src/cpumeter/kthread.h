/* CPU time of all kernel threads of one name, summed. */
#ifndef CPUMETER_KTHREAD_H
#define CPUMETER_KTHREAD_H

#include <stdbool.h>
#include <stddef.h>

#include "process.h"
#include "row.h"

struct kthread {
    const char *name;
    struct process *threads;
    size_t count;
};

/* Whether a /proc/PID/stat is that of a kernel thread called name. */
bool kthread_matches(const char *stat, const char *name);

/* Finds the threads; ends the program if there is none. */
void kthread_open(struct kthread *kthread, const char *name);

void kthread_read(struct kthread *kthread, struct rows *rows);

#endif
