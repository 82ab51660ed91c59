#include "usage.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "number.h"

void usage_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    argv[0] = program_invocation_short_name;
    if (argp_parse(argp, argc, argv, 0, NULL, input) != 0)
        exit(EXIT_USAGE);
}

error_t usage_default(int key, const char *arg, struct argp_state *state)
{
    switch (key) {
    case ARGP_KEY_INIT:
        /* getopt's own message is one line and says it all; argp would add a second one. */
        state->err_stream = NULL;
        return 0;
    case ARGP_KEY_ARG:
        errx(EXIT_USAGE, "'%s': expected options only", arg);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void usage_check_value(const char *option, const char *value, const char *expected)
{
    if (expected)
        errx(EXIT_USAGE, "--%s '%s': %s", option, value, expected);
}

uint64_t usage_number(const char *option, const char *value, uint64_t min, uint64_t max)
{
    uint64_t number;

    if (!number_parse(value, min, max, &number))
        errx(EXIT_USAGE, "--%s '%s': expected a whole number from %" PRIu64 " to %" PRIu64, option, value,
             min, max);
    return number;
}
