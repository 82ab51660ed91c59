/* The command line, which both monitors share. */
#ifndef FLOOR_OPTIONS_H
#define FLOOR_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../common/usage.h"

struct options {
    const char *output_path;
    const char *losses_path; /* NULL: none */
    uint32_t buffer_bytes;
    int delay_ms;        /* the longest that an event waits for the reader */
    bool raw_tracepoint; /* floor-bpf only */
};

enum { OPTION_RAW_TRACEPOINT = 0x100 };

/* What differs between the two. */
struct options_program {
    const char *doc, *buffer_doc;
    uint32_t buffer_bytes_default;
    struct argp_option extra; /* all zero: none */
};

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, const struct options_program *program, int argc, char **argv);

#endif
