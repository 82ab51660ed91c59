#include "options.h"

#include <err.h>

#include "number.h"

const char *argp_program_version = USAGE_VERSION("figures");

static const char doc[] = "Compute the figures of a run from its raw files.\v"
#include "help.inc"
    ;

enum { OPTION_TEST_A = 256, OPTION_TEST_B, OPTION_FIGURES, OPTION_BETWEEN, OPTION_CHANGES, OPTION_SPREADS };

static const struct argp_option argp_options[] = {
    {"columns", 'c', NULL, 0, "Write a table of all figures to stdout instead, as Markdown", 1},
    {"json", 'j', NULL, 0, "With --columns: as JSON", 1},
    {"compare", 'C', NULL, 0,
     "Write to stdout, as JSON, how the second of two runs (or the same one) differs from the first", 2},
    {"test-a", OPTION_TEST_A, "NAME", 0,
     "With --compare: that monitor of the first run alone; @BUILD: all that have a build of that name", 2},
    {"test-b", OPTION_TEST_B, "NAME", 0, "With --compare: the same of the second run", 2},
    {"figures", OPTION_FIGURES, "LIST", 0,
     "With --compare: what is compared (default: counted_overhead,lost)", 2},
    {"between-runs", OPTION_BETWEEN, "PERCENT", 0,
     "With --compare, of two runs: one standard error of what differs between runs in all cells alike "
     "(default: 0)",
     2},
    {"changes", OPTION_CHANGES, "FILE", 0,
     "Write to stdout where the means of series change; FILE is a CSV with the columns series and value", 3},
    {"spreads", OPTION_SPREADS, "FILE", 0,
     "Write to stdout what hosts differ by; FILE is a CSV with the columns series, value, low, high and "
     "degrees, a row a host",
     4},
    {0},
};

static double parse_percent(const char *arg)
{
    double percent;

    if (!number_parse(arg, &percent) || !(percent >= 0 && percent <= 100))
        errx(EXIT_USAGE, "--between-runs '%s': expected a percentage from 0 to 100", arg);
    return percent;
}

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
    case 'C':
        options->compare = true;
        return 0;
    case OPTION_TEST_A:
        options->comparisons.test_a = arg;
        return 0;
    case OPTION_TEST_B:
        options->comparisons.test_b = arg;
        return 0;
    case OPTION_FIGURES:
        options->comparisons.figures = arg;
        return 0;
    case OPTION_BETWEEN:
        options->comparisons.between_runs = parse_percent(arg) / 100;
        return 0;
    case OPTION_CHANGES:
        options->changes = arg;
        return 0;
    case OPTION_SPREADS:
        options->spreads = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (options->run && (options->comparisons.run_b || !options->compare))
            errx(EXIT_USAGE, "'%s': expected one run (two with --compare)", arg);
        if (options->run)
            options->comparisons.run_b = arg;
        else
            options->run = options->comparisons.run_a = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = argp_options,
        .parser = parse_option,
        .doc = doc,
        .args_doc = "RUN\n--columns [--json]\n--compare RUN RUN\n--changes FILE\n--spreads FILE"};
    bool of_comparisons;

    *options = (struct options){.comparisons = {.figures = "counted_overhead,lost"}};
    usage_parse(&argp, argc, argv, options);
    of_comparisons =
        options->comparisons.test_a || options->comparisons.test_b || options->comparisons.between_runs > 0;
    if (options->columns && options->run)
        errx(EXIT_USAGE, "--columns: expected no run with it");
    if (options->json && !options->columns)
        errx(EXIT_USAGE, "--json: expected --columns with it");
    if (options->compare && !options->comparisons.run_b)
        errx(EXIT_USAGE, "--compare: expected two runs");
    if (of_comparisons && !options->compare)
        errx(EXIT_USAGE, "--test-a, --test-b and --between-runs: expected --compare with them");
    if (options->changes && (options->run || options->columns))
        errx(EXIT_USAGE, "--changes: expected nothing else with it");
    if (options->spreads && (options->run || options->columns || options->changes))
        errx(EXIT_USAGE, "--spreads: expected nothing else with it");
    if (!options->columns && !options->run && !options->changes && !options->spreads)
        errx(EXIT_USAGE, "no run: expected the folder of one");
}
