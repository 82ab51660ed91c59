#include "options.h"

#include <err.h>
#include <stdlib.h>
#include <sys/random.h>

#include "../common/usage.h"
#include "../common/values.h"
#include "parse.h"

/* Long enough that the fork and the warm-up are a small part, short enough for many in a measurement. */
#define DEFAULT_SLICE_NS INT64_C(40000000)

const char *argp_program_version = USAGE_VERSION("syscost");

static const char doc[] = "Measure what cheap system calls cost, in ns of CPU time a call: what a security "
                          "monitor charges programs that execute nothing.\v"
#include "help.inc"
    ;

static const struct argp_option argp_options[] = {
    {"duration", 'd', "SECONDS", 0, "How long to measure; may be a fraction", 1},
    {"calls", 'c', "LIST", 0, "What to measure: calls, with commas between them (default: all)", 2},
    {"cpus", 'C', "LIST", 0, "CPUs to measure on, as in 0,2-3 (default: as inherited)", 2},
    {"slice", 's', "SECONDS", 0, "Length of a slice, 0.001 to 10 (default: 0.04)", 2},
    {"groups", 'g', "GID,GID", 0,
     "Give each slice one of these two group IDs, drawn at random (default: all slices are alike)", 2},
    {"seed", 'S', "N", 0, "Seed of all draws, 0 to 4294967295 (default: another one each time)", 2},
    {"json", 'j', "FILE", 0, "Where to write the summary; '-' is stdout (default)", 3},
    {"output", 'o', "FILE", 0,
     "Where to write one CSV record a slice and call; '-' is stdout (default: nowhere)", 3},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'd':
        usage_check_value("duration", arg, parse_duration(arg, &options->duration_ns));
        return 0;
    case 'c':
        usage_check_value("calls", arg, parse_calls(arg, options->calls, &options->call_count));
        return 0;
    case 'C':
        usage_check_value("cpus", arg, cpulist_parse(arg, &options->cpus));
        cpulist_check_option("cpus", &options->cpus);
        return 0;
    case 's':
        usage_check_value("slice", arg, parse_slice(arg, &options->slice_ns));
        return 0;
    case 'g':
        usage_check_value("groups", arg, parse_groups(arg, options->groups));
        options->has_groups = true;
        return 0;
    case 'S':
        options->seed = (uint32_t)usage_number("seed", arg, 0, UINT32_MAX);
        return 0;
    case 'j':
        options->json_path = arg;
        return 0;
    case 'o':
        options->output_path = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

static void set_defaults(struct options *options)
{
    *options = (struct options){.slice_ns = DEFAULT_SLICE_NS};
    while (calls[options->call_count].name) {
        options->calls[options->call_count] = &calls[options->call_count];
        options->call_count++;
    }
    if (getrandom(&options->seed, sizeof(options->seed), 0) != sizeof(options->seed))
        err(EXIT_FAILURE, "cannot get a random seed");
    if (cpulist_get_affinity(&options->cpus) < 0)
        err(EXIT_FAILURE, "cannot get the CPU affinity");
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = doc};

    set_defaults(options);
    usage_parse(&argp, argc, argv, options);
    if (!options->duration_ns)
        errx(EXIT_USAGE, "no duration: expected --duration SECONDS");
}
