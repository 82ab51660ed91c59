/* The command line. */
#ifndef SYSCOST_OPTIONS_H
#define SYSCOST_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/cpulist.h"
#include "calls.h"

struct options {
    int64_t duration_ns;
    int64_t slice_ns;
    const struct call *calls[CALLS_MAX];
    unsigned call_count;
    bool has_groups;
    gid_t groups[2];
    uint32_t seed;
    struct cpulist cpus;
    const char *json_path;   /* NULL: stdout */
    const char *output_path; /* NULL: none */
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
