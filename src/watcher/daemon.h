/* A process of its own that nothing which happens to its caller reaches. */
#ifndef WATCHER_DAEMON_H
#define WATCHER_DAEMON_H

#include "options.h"

/* Call first: what the caller had open would be held as long as the daemon runs, a lock included. */
void daemon_close_inherited(void);

/* Comes back in the daemon; the foreground part says its pid on stdout, and ends. SIGTERM is blocked. */
void daemon_start(const struct options *options);

/* In a child of the daemon, before it executes something: as the caller of daemon_start() had it. */
void daemon_reset_child(void);

/* Out of the daemon's own cgroups, which are removed. */
void daemon_leave_cgroups(const struct paths *own);

#endif
