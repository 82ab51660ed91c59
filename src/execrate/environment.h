/* The environment of what is launched. The kernel copies it at each execution, and some monitors do so again,
 * so it is the same whatever execrate's own is, and of a usual size. */
#ifndef EXECRATE_ENVIRONMENT_H
#define EXECRATE_ENVIRONMENT_H

#include <stddef.h>

/* NULL ends it. */
extern char *const environment[];

size_t environment_variables(void);

/* As in /proc/PID/environ: each variable with its name, '=' and the NUL behind it. */
size_t environment_bytes(void);

#endif
