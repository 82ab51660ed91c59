/* The command line. */
#ifndef EXECRATE_OPTIONS_H
#define EXECRATE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/cpulist.h"
#include "../common/usage.h"
#include "action.h"

struct options {
    bool max;
    uint64_t rate_uhz;
    int64_t duration_ns;
    const struct action *actions[ACTIONS_MAX];
    unsigned action_count;
    const char *command;
    const char *tag;           /* NULL: none */
    const char *json_path;     /* NULL: stdout */
    const char *launches_path; /* NULL: none */
    unsigned threads;          /* 0: auto */
    bool has_groups;
    gid_t groups[2];
    uint64_t seed; /* of the draws of groups */
    bool has_cpus;
    struct cpulist cpus;
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
