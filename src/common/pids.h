/* Lists of processes, as cgroup.procs has them. */
#ifndef EXECTAX_PIDS_H
#define EXECTAX_PIDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pids {
    pid_t *list;
    size_t count, capacity;
};

/* Adds those in the text of a cgroup.procs; false if it is not one. */
bool pids_parse(struct pids *pids, const char *text);

/* Adds those in FOLDER/cgroup.procs; false and errno if it can't be read. */
bool pids_read(struct pids *pids, const char *folder);

void pids_sort(struct pids *pids);

/* pids: sorted. */
bool pids_has(const struct pids *pids, pid_t pid);

void pids_free(struct pids *pids);

/* Whether a /proc/PID/stat is that of a process of which nothing runs any more, but which nobody has waited
 * for. */
bool pids_stat_is_dead(const char *stat);

/* Whether it is that of a process which a signal has stopped: one that a debugger holds is not. */
bool pids_stat_is_stopped(const char *stat);

#endif
