#include "options.h"

#include <err.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/number.h"
#include "../common/usage.h"
#include "kind.h"

const char *argp_program_version = USAGE_VERSION("bpfcost");

static const char doc[] =
    "Measure what BPF programs cost whoever triggers them beyond the run time that the kernel counts.\v"
#include "help.inc"
    ;

#define DURATION_S_MAX 3600
#define PHASE_MS_MAX 1000
#define CPU_MAX 8191

static const struct argp_option argp_options[] = {
    {"duration", 'd', "SECONDS", 0, "How long to go on measuring, 1 to 3600 (default: 60)", 1},
    {"kinds", 'k', "LIST", 0,
     "Kinds of attachment, or what their names begin with, with commas between them (default: all but those "
     "of fork, exit and exec)",
     1},
    {"cpu", 'C', "N", 0, "The CPU to measure on (default: the one that it happens to be on)", 1},
    {"phase-ms", 'p', "MS", 0, "How much CPU time each phase takes, 1 to 1000 (default: 2)", 1},
    {"list", 'l', NULL, 0, "Write each kind, a tab, and works or why it does not, and end", 2},
    {"rows", 'r', "FILE", 0, "Where to write one CSV record a phase; '-' is stdout (default: nowhere)", 3},
    {"summary", 's', "FILE", 0, "Where to write the result, JSON; '-' is stdout (default)", 3},
    {0},
};

/* The kind's whole name, or what is before one of its colons. */
static bool names(const char *part, size_t length, const char *kind)
{
    return strncmp(part, kind, length) == 0 && (kind[length] == ':' || kind[length] == '\0');
}

bool options_names(const char *list, const char *kind)
{
    if (!list)
        return true;
    for (;;) {
        const size_t length = strcspn(list, ",");

        if (names(list, length, kind))
            return true;
        if (list[length] == '\0')
            return false;
        list += length + 1;
    }
}

static bool names_any(const char *part, size_t length)
{
    for (size_t i = 0; i < kind_count; i++)
        if (names(part, length, kind_name(&kinds[i])))
            return true;
    return false;
}

const char *options_unknown(const char *list, int *length)
{
    for (;;) {
        *length = (int)strcspn(list, ",");
        if (!names_any(list, (size_t)*length))
            return list;
        if (list[*length] == '\0')
            return NULL;
        list += *length + 1;
    }
}

static void check_kinds(const char *list)
{
    int length;
    const char *unknown = options_unknown(list, &length);

    if (unknown)
        errx(EXIT_USAGE,
             "--kinds '%.*s': expected a kind that --list writes, or what is before a colon of one", length,
             unknown);
}

static int64_t parse_duration(const char *arg)
{
    double seconds;

    if (!number_parse_real(arg, 1, DURATION_S_MAX, &seconds))
        errx(EXIT_USAGE, "--duration '%s': expected seconds from 1 to %d", arg, DURATION_S_MAX);
    return (int64_t)(seconds * (double)NS_PER_SEC);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'd':
        options->duration_ns = parse_duration(arg);
        return 0;
    case 'k':
        check_kinds(arg);
        options->kinds = arg;
        return 0;
    case 'C':
        options->cpu = (int)usage_number("cpu", arg, 0, CPU_MAX);
        return 0;
    case 'p':
        options->phase_ns = (int64_t)usage_number("phase-ms", arg, 1, PHASE_MS_MAX) * 1000 * NS_PER_USEC;
        return 0;
    case 'l':
        options->list = true;
        return 0;
    case 'r':
        options->rows_path = arg;
        return 0;
    case 's':
        options->summary_path = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

static bool is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = doc};

    *options =
        (struct options){.duration_ns = 60 * NS_PER_SEC, .phase_ns = 2 * 1000 * NS_PER_USEC, .cpu = -1};
    usage_parse(&argp, argc, argv, options);
    if (options->rows_path && is_stdout(options->rows_path) &&
        (!options->summary_path || is_stdout(options->summary_path)))
        errx(EXIT_USAGE, "--rows and --summary: expected only one of them on stdout");
}
