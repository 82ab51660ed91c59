/* Where the machine's BPF programs are attached, and how often one of them may have woken a reader. */
#ifndef CPUMETER_ATTACHED_H
#define CPUMETER_ATTACHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "row.h"

struct attachment {
    char *name;     /* ID:KIND:TARGET */
    uint64_t count; /* how many of that name there are now; 0: no more */
};

struct attached {
    struct attachment *list; /* in the order in which they were found */
    size_t count;
};

/* A row for each attachment that is or was there: links, wherever they are held, and tracepoints and probes
 * by way of a perf event that a process holds. */
void attached_read(struct attached *attached, struct rows *rows);

/* The sum over all CPUs in /proc/interrupts of those that do an interrupt's deferred work, such as waking the
 * reader of a BPF program's buffer; false if the kernel does not tell. */
bool attached_parse_wakes(const char *text, uint64_t *wakes);

#endif
