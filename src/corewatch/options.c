#include "options.h"

#include <err.h>
#include <stdlib.h>

#include "../common/clock.h"
#include "../common/usage.h"

/* What a hypervisor does to CPUs lasts for seconds, seldom less than 0.2 s. */
#define DEFAULT_INTERVAL_MS 100
#define INTERVAL_MS_MIN 20
#define INTERVAL_MS_MAX 10000

const char *argp_program_version = USAGE_VERSION("corewatch");

static const char doc[] = "Tell when CPUs of this machine share a core, or have no cache in common.\v"
#include "help.inc"
    ;

static const struct argp_option argp_options[] = {
    {"interval", 'i', "MS", 0, "How often to look, 20 to 10000 (default: 100)", 1},
    {"cpus", 'C', "LIST", 0, "CPUs to look at, as in 0,2-3, two or more (default: as inherited)", 2},
    {"output", 'o', "FILE", 0, "Where to write one CSV record an interval; '-' is stdout (default)", 3},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'i':
        options->interval_ns =
            (int64_t)usage_number("interval", arg, INTERVAL_MS_MIN, INTERVAL_MS_MAX) * NS_PER_MSEC;
        return 0;
    case 'C':
        usage_check_value("cpus", arg, cpulist_parse(arg, &options->cpus));
        cpulist_check_option("cpus", &options->cpus);
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

    *options = (struct options){.interval_ns = DEFAULT_INTERVAL_MS * NS_PER_MSEC};
    if (cpulist_get_affinity(&options->cpus) < 0)
        err(EXIT_FAILURE, "cannot get the CPU affinity");
    usage_parse(&argp, argc, argv, options);
    if (cpulist_count(&options->cpus) < 2)
        errx(EXIT_USAGE, "there is one CPU to look at, expected two or more");
}
