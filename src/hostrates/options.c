#include "options.h"

#include "../common/clock.h"
#include "../common/usage.h"

#define DURATION_S_MAX 86400

const char *argp_program_version = USAGE_VERSION("hostrates");

static const char doc[] =
    "Count the executions and the system calls of this host, without starting anything.\v"
#include "help.inc"
    ;

enum { KEY_NO_SYSCALLS = 0x100 };

static const struct argp_option argp_options[] = {
    {"duration", 'd', "SECONDS", 0, "How long to count, whole seconds from 1 to 86400 (default: 60)", 1},
    {"no-syscalls", KEY_NO_SYSCALLS, NULL, 0, "Count executions and forks alone", 1},
    {"output", 'o', "FILE", 0, "Where to write the result, JSON; '-' is stdout (default)", 2},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'd':
        options->duration_ns = (int64_t)usage_number("duration", arg, 1, DURATION_S_MAX) * NS_PER_SEC;
        return 0;
    case KEY_NO_SYSCALLS:
        options->syscalls = false;
        return 0;
    case 'o':
        options->output_path = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = doc};

    *options = (struct options){.duration_ns = 60 * NS_PER_SEC, .syscalls = true};
    usage_parse(&argp, argc, argv, options);
}
