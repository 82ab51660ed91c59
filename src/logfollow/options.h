/* The command line. */
#ifndef LOGFOLLOW_OPTIONS_H
#define LOGFOLLOW_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../common/usage.h"

struct options {
    const char *tag;
    const char *output_path; /* NULL: stdout */
    bool from_start;
    int64_t interval_ns;
    char **paths;
    size_t count;
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
