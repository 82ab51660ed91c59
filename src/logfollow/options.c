#include "options.h"

#include <err.h>

#include "../common/clock.h"
#include "../common/number.h"
#include "../common/tag.h"

#define DEFAULT_INTERVAL_NS INT64_C(1000000)

const char *argp_program_version = USAGE_VERSION("logfollow");

static const char doc[] =
    "Follow growing log files, and write when each execution's tag became readable in them.\v"
#include "help.inc"
    ;

enum { KEY_FROM_START = 0x100 };

static const struct argp_option argp_options[] = {
    {"tag", 'T', "PREFIX", 0,
     "Look for PREFIX-N, N a decimal number; PREFIX: 1 to 100 of A-Z a-z 0-9 . _ : -", 1},
    {"output", 'o', "FILE", 0, "Where to write the CSV; '-' is stdout (default)", 1},
    {"from-start", KEY_FROM_START, NULL, 0,
     "Begin with what the files already hold (default: at their present ends)", 2},
    {"interval", 'i', "USEC", 0,
     "Time from one look at the files to the next, in microseconds, 1 to 1000000 (default: 1000)", 2},
    {0},
};

static int64_t parse_interval(const char *text)
{
    uint64_t usec;

    if (!number_parse(text, 1, 1000000, &usec))
        errx(EXIT_USAGE, "--interval '%s': expected microseconds, a whole number from 1 to 1000000", text);
    return (int64_t)usec * NS_PER_USEC;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'T':
        usage_check_value("tag", arg, parse_tag(arg));
        options->tag = arg;
        return 0;
    case 'o':
        options->output_path = arg;
        return 0;
    case KEY_FROM_START:
        options->from_start = true;
        return 0;
    case 'i':
        options->interval_ns = parse_interval(arg);
        return 0;
    case ARGP_KEY_ARG:
        /* Not one by one: all of them come next. */
        return ARGP_ERR_UNKNOWN;
    case ARGP_KEY_ARGS:
        options->paths = state->argv + state->next;
        options->count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = argp_options, .parser = parse_option, .args_doc = "FILE...", .doc = doc};

    *options = (struct options){.interval_ns = DEFAULT_INTERVAL_NS};
    usage_parse(&argp, argc, argv, options);
    if (!options->tag)
        errx(EXIT_USAGE, "no tag: expected --tag PREFIX");
    if (options->count == 0)
        errx(EXIT_USAGE, "no file: expected at least one FILE to follow");
}
