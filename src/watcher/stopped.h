/* A process that is stopped, by Ctrl-Z or SIGSTOP, and so can put nothing back. */
#ifndef WATCHER_STOPPED_H
#define WATCHER_STOPPED_H

#include <stdbool.h>
#include <sys/types.h>

#include "options.h"

/* What stopped_is() reads; the descriptor stays that process's. */
int stopped_open(pid_t pid);

bool stopped_is(int stat_fd);

/* In the log, and where the process itself writes to. */
void stopped_tell(int pidfd, const struct options *options);

void stopped_kill(int pidfd, const struct options *options);

#endif
