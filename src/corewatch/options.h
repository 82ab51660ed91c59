/* The command line. */
#ifndef COREWATCH_OPTIONS_H
#define COREWATCH_OPTIONS_H

#include <stdint.h>

#include "../common/cpulist.h"

struct options {
    int64_t interval_ns;
    struct cpulist cpus;
    const char *output_path; /* NULL: stdout */
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
