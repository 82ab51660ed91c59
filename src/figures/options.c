#include "options.h"

#include <err.h>

const char *argp_program_version = USAGE_VERSION("figures");

static const char doc[] = "Compute the figures of a run from its raw files.\v"
#include "help.inc"
    ;

static const struct argp_option argp_options[] = {
    {"columns", 'c', NULL, 0, "Write a table of all figures to stdout instead, as Markdown", 1},
    {"json", 'j', NULL, 0, "With --columns: as JSON", 1},
    {0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'c':
        options->columns = true;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->run)
            errx(EXIT_USAGE, "'%s': expected one run", arg);
        options->run = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = argp_options, .parser = parse_option, .doc = doc, .args_doc = "RUN\n--columns [--json]"};

    *options = (struct options){0};
    usage_parse(&argp, argc, argv, options);
    if (options->columns && options->run)
        errx(EXIT_USAGE, "--columns: expected no run with it");
    if (options->json && !options->columns)
        errx(EXIT_USAGE, "--json: expected --columns with it");
    if (!options->columns && !options->run)
        errx(EXIT_USAGE, "no run: expected the folder of one");
}
