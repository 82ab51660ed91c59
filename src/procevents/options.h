/* The command line of procevents. */
#ifndef PROCEVENTS_OPTIONS_H
#define PROCEVENTS_OPTIONS_H

#include <stdbool.h>
#include <sys/types.h>

struct options {
    pid_t pid;
    bool on, has_state;
};

/* A wrong command line ends the program. */
void options_parse(struct options *options, int argc, char **argv);

#endif
