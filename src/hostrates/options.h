/* The command line. */
#ifndef HOSTRATES_OPTIONS_H
#define HOSTRATES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    int64_t duration_ns;
    bool syscalls;
    const char *output_path;
};

void options_parse(struct options *options, int argc, char **argv);

#endif
