/* What runs in cgroups and those below them. A process that has ended but was not waited for does not count,
 * nor do this one and the first of the machine. */
#ifndef WATCHER_CGROUP_H
#define WATCHER_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* A cgroup that does not exist is empty. */
bool cgroups_are_empty(const struct paths *cgroups);

/* What a signal has stopped goes on. */
void cgroups_continue(const struct paths *cgroups);

/* False if there is something left at the deadline, which is then reported. */
bool cgroups_kill(const struct paths *cgroups, int64_t deadline_ns);

#endif
