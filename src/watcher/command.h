/* The command that puts the host back. */
#ifndef WATCHER_COMMAND_H
#define WATCHER_COMMAND_H

#include <stdbool.h>

/* Runs it, and again if it fails, up to 3 times; false if it never succeeded. */
bool command_run(char **command);

#endif
