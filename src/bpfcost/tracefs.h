/* The numbers of tracepoints. */
#ifndef BPFCOST_TRACEFS_H
#define BPFCOST_TRACEFS_H

#include <linux/types.h>
#include <stdbool.h>

/* event: group/name. False with errno if it can't be found out. tracefs need not be mounted, and is not
 * mounted for others to see. */
bool tracefs_event_id(const char *event, __u64 *id);

#endif
