#include "options.h"

#include <err.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "../common/usage.h"

const char *argp_program_version = USAGE_VERSION("procevents");

static const char doc[] =
    "Switch on or off what the kernel's process connector tells a process that listens to it (of processes "
    "that "
    "begin, execute something, end).\v"
    "The message that asks the kernel for it is sent through that process's own sockets, which it need not "
    "know of. While nobody listens, the kernel sends nothing. Exit status: 0 when it is done, 1 when it "
    "could "
    "not be done, 2 for a wrong command line. As root.";

static const struct argp_option argp_options[] = {
    {"pid", 'p', "PID", 0, "The process that listens, 1 to 2147483647", 1},
    {"state", 's', "on|off", 0, "Whether it is to be told", 1},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'p':
        options->pid = (pid_t)usage_number("pid", arg, 1, INT_MAX);
        return 0;
    case 's':
        options->on = strcmp(arg, "on") == 0;
        usage_check_value("state", arg, options->on || strcmp(arg, "off") == 0 ? NULL : "expected on or off");
        options->has_state = true;
        return 0;
    case ARGP_KEY_END:
        if (!options->pid || !options->has_state)
            errx(EXIT_USAGE, "expected --pid PID and --state on|off");
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = doc};

    *options = (struct options){0};
    usage_parse(&argp, argc, argv, options);
}
