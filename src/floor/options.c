#include "options.h"

#include <argp.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef EXECTAX_VERSION
#define EXECTAX_VERSION "unknown"
#endif

#define DELAY_MS_MAX 10000

enum { KEY_RAW_TRACEPOINT = 0x100 };

struct parsing {
    struct options *options;
    const struct options_program *program;
};

static void print_version(FILE *out, struct argp_state *state)
{
    const struct parsing *parsing = state->input;

    fprintf(out, "%s (exectax) %s\n", parsing->program->name, EXECTAX_VERSION);
}

static uint32_t parse_number(const char *option, const char *text, uint32_t min, uint32_t max)
{
    char *end;
    unsigned long number;

    errno = 0;
    number = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number < min || number > max)
        errx(EXIT_USAGE, "--%s '%s': expected a whole number from %u to %u", option, text, min, max);
    return (uint32_t)number;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    const struct parsing *parsing = state->input;
    struct options *options = parsing->options;

    switch (key) {
    case ARGP_KEY_INIT:
        /* getopt's own message is one line and says it all; argp would add a second one. */
        state->err_stream = NULL;
        return 0;
    case 'o':
        options->output_path = arg;
        return 0;
    case 'l':
        options->losses_path = arg;
        return 0;
    case 'b':
        options->buffer_bytes = parse_number("buffer", arg, 1, INT_MAX);
        return 0;
    case 'd':
        options->delay_ms = (int)parse_number("delay-ms", arg, 1, DELAY_MS_MAX);
        return 0;
    case KEY_RAW_TRACEPOINT:
        options->raw_tracepoint = true;
        return 0;
    case ARGP_KEY_ARG:
        errx(EXIT_USAGE, "'%s': expected options only", arg);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void options_parse(struct options *options, const struct options_program *program, int argc, char **argv)
{
    const struct argp_option argp_options[] = {
        {"output", 'o', "FILE", 0, "Where to append the records; it is created for root only", 1},
        {"losses", 'l', "FILE", 0, "Where to keep the loss counters, as they are while this runs", 1},
        {"buffer", 'b', "BYTES", 0, program->buffer_doc, 2},
        {"delay-ms", 'd', "MS", 0,
         "How often to look for new events, 1 to 10000: the longest that one waits (default: 100)", 2},
        {program->has_raw_tracepoint ? "raw-tracepoint" : NULL, KEY_RAW_TRACEPOINT, NULL, 0,
         "Use a tracepoint without BTF types, as on kernels that have no others", 3},
        {0},
    };
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = program->doc};
    struct parsing parsing = {.options = options, .program = program};
    const char *expected;

    *options = (struct options){.buffer_bytes = program->buffer_bytes_default, .delay_ms = 100};
    argp_program_version_hook = print_version;
    argv[0] = program_invocation_short_name;
    if (argp_parse(&argp, argc, argv, 0, NULL, &parsing) != 0)
        exit(EXIT_USAGE);
    if (!options->output_path)
        errx(EXIT_USAGE, "no output: expected --output FILE");
    expected = program->check_buffer(options->buffer_bytes);
    if (expected)
        errx(EXIT_USAGE, "--buffer '%u': %s", options->buffer_bytes, expected);
}
