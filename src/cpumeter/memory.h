/* Memory of cgroups and processes: now, and at most so far. */
#ifndef CPUMETER_MEMORY_H
#define CPUMETER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "row.h"

struct memory {
    const char *name;
    bool is_process;
    int fd;      /* a process' status, or a cgroup's current usage */
    int peak_fd; /* -1: none */
    struct row last;
    bool gone;
};

/* The resident memory in a /proc/PID/status; false if it has none, as with one that has ended. */
bool memory_parse_status(const char *text, uint64_t *bytes, uint64_t *peak_bytes);

/* False where the cgroup does not count memory. */
bool memory_open_cgroup(struct memory *memory, const char *name, const char *path);
/* Ends the program if there is nothing to be read. */
void memory_open_process(struct memory *memory, const char *name, pid_t pid);

void memory_read(struct memory *memory, struct rows *rows);

#endif
