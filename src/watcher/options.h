/* The command line. */
#ifndef WATCHER_OPTIONS_H
#define WATCHER_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/usage.h"

/* More than there are hierarchies. */
#define PATHS_MAX 32

struct paths {
    const char *list[PATHS_MAX];
    size_t count;
};

struct options {
    pid_t pid;
    struct paths harness, install, own; /* cgroups */
    const char *journal_path;
    const char *log_path;
    int64_t install_wait_ns;
    unsigned stopped_warning_s, stopped_limit_s;
    char **command; /* NULL ends it */
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
