#include "options.h"

#include <err.h>
#include <limits.h>

#define DELAY_MS_MAX 10000

/* The audit socket's buffer is doubled by the kernel, in an int. */
#define BUFFER_BYTES_MAX (INT_MAX / 2)

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'o':
        options->output_path = arg;
        return 0;
    case 'l':
        options->losses_path = arg;
        return 0;
    case 'b':
        options->buffer_bytes = (uint32_t)usage_number("buffer", arg, 1, BUFFER_BYTES_MAX);
        return 0;
    case 'd':
        options->delay_ms = (int)usage_number("delay-ms", arg, 1, DELAY_MS_MAX);
        return 0;
    case OPTION_RAW_TRACEPOINT:
        options->raw_tracepoint = true;
        return 0;
    default:
        return usage_default(key, arg, state);
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
        program->extra,
        {0},
    };
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = program->doc};

    *options = (struct options){.buffer_bytes = program->buffer_bytes_default, .delay_ms = 100};
    usage_parse(&argp, argc, argv, options);
    if (!options->output_path)
        errx(EXIT_USAGE, "no output: expected --output FILE");
}
