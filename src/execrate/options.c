#include "options.h"

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/outfile.h"
#include "../common/tag.h"
#include "../common/values.h"
#include "parse.h"

const char *argp_program_version = USAGE_VERSION("execrate");

static const char doc[] =
    "Launch a command at a fixed rate, and report how well the rate was held and what the "
    "launches cost.\v"
#include "help.inc"
    ;

enum { KEY_LIST_ACTIONS = 0x100, KEY_GROUPS, KEY_SEED };

static const struct argp_option argp_options[] = {
    {"rate", 'r', "HZ", 0, "Launches per second, 0.000001 to 1000000000, kept to 0.000001", 1},
    {"max", 'm', NULL, 0, "No pacing: as many launches as --threads at a time allow", 1},
    {"duration", 'd', "SECONDS", 0, "How long to go on launching; may be a fraction", 1},
    {"action", 'a', "LIST", 0,
     "What the launches do, in turn: actions, with commas between them (default: exec)", 2},
    {"list-actions", KEY_LIST_ACTIONS, NULL, 0, "Write each action's name, a tab and what it does, and end",
     2},
    {"command", 'c', "PATH", 0, "What exec launches, without a search of $PATH (default: /bin/true)", 2},
    {"tag", 'T', "PREFIX", 0,
     "Give launch number N the arguments PREFIX-N, N from 0, and exectax, or PREFIX-N as its process's name "
     "if it "
     "executes nothing; "
     "PREFIX: 1 to 100 of A-Z a-z 0-9 . _ : - (default: neither)",
     2},
    {"threads", 't', "N", 0, "Launching threads, 1 to 1024, or 'auto', 4 for each CPU (default)", 2},
    {"cpus", 'C', "LIST", 0, "CPUs for execrate and what it launches, as in 0,2-3 (default: as inherited)",
     2},
    {"groups", KEY_GROUPS, "GID,GID", 0,
     "Each launch as a member of one of these groups, drawn at random: its real and effective group id. "
     "Needs --rate, and the right to set group ids",
     2},
    {"seed", KEY_SEED, "N", 0, "Of these draws, 0 to 18446744073709551615 (default: 0)", 2},
    {"json", 'j', "FILE", 0, "Where to write the result; '-' is stdout (default)", 3},
    {"launches", 'l', "FILE", 0, "Where to write one CSV record a launch; '-' is stdout (default: nowhere)",
     3},
    {0},
};

static _Noreturn void list_actions(void)
{
    struct outfile file;

    outfile_open(&file, "list-actions", NULL);
    actions_list(file.stream);
    outfile_close(&file);
    exit(EXIT_SUCCESS);
}

/* The actions come before the rest of what follows the options. */
static char *help_filter(int key, const char *text, void *input)
{
    char *help;
    size_t size;
    FILE *out;

    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)text;
    out = open_memstream(&help, &size);
    if (!out)
        err(EXIT_FAILURE, "no memory for the help");
    fputs("Actions, of which launch N takes number N modulo how many LIST has. One that executes nothing "
          "runs in a "
          "child process with the tag as its name (comm):\n",
          out);
    actions_help(out);
    fprintf(out, "\n%s", text);
    if (fclose(out) != 0)
        err(EXIT_FAILURE, "no memory for the help");
    return help;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'r':
        usage_check_value("rate", arg, parse_rate(arg, &options->rate_uhz));
        return 0;
    case 'm':
        options->max = true;
        return 0;
    case 'd':
        usage_check_value("duration", arg, parse_duration(arg, &options->duration_ns));
        return 0;
    case 'a':
        usage_check_value("action", arg, parse_actions(arg, options->actions, &options->action_count));
        return 0;
    case KEY_LIST_ACTIONS:
        list_actions();
    case 'c':
        options->command = arg;
        return 0;
    case 'T':
        usage_check_value("tag", arg, parse_tag(arg));
        options->tag = arg;
        return 0;
    case 't':
        usage_check_value("threads", arg, parse_threads(arg, &options->threads));
        return 0;
    case KEY_GROUPS:
        usage_check_value("groups", arg, parse_groups(arg, options->groups));
        options->has_groups = true;
        return 0;
    case KEY_SEED:
        options->seed = usage_number("seed", arg, 0, UINT64_MAX);
        return 0;
    case 'C':
        usage_check_value("cpus", arg, cpulist_parse(arg, &options->cpus));
        options->has_cpus = true;
        return 0;
    case 'j':
        options->json_path = arg;
        return 0;
    case 'l':
        options->launches_path = arg;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

static void check_command(const char *command)
{
    struct stat st;

    if (stat(command, &st) != 0)
        err(EXIT_USAGE, "--command '%s'", command);
    if (!S_ISREG(st.st_mode))
        errx(EXIT_USAGE, "--command '%s': expected a file", command);
    if (faccessat(AT_FDCWD, command, X_OK, AT_EACCESS) != 0)
        err(EXIT_USAGE, "--command '%s': expected a program that may be executed", command);
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = argp_options, .parser = parse_option, .doc = doc, .help_filter = help_filter};

    *options = (struct options){.command = "/bin/true", .actions = {&action_exec}, .action_count = 1};
    usage_parse(&argp, argc, argv, options);
    if (options->max && options->rate_uhz)
        errx(EXIT_USAGE, "--rate and --max: expected only one of them");
    if (!options->max && !options->rate_uhz)
        errx(EXIT_USAGE, "no rate: expected --rate HZ or --max");
    if (options->max && options->has_groups)
        errx(EXIT_USAGE, "--groups and --max: expected --rate HZ with --groups");
    if (!options->duration_ns)
        errx(EXIT_USAGE, "no duration: expected --duration SECONDS");
    check_command(options->command);
    if (options->has_cpus)
        cpulist_check_option("cpus", &options->cpus);
}
