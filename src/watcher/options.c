#include "options.h"

#include <err.h>
#include <limits.h>
#include <string.h>

#include "../common/clock.h"

#define INSTALL_WAIT_DEFAULT_S 1800
#define STOPPED_WARNING_DEFAULT_S 60
#define STOPPED_LIMIT_DEFAULT_S 600
#define WAIT_MAX_S 86400

const char *argp_program_version = USAGE_VERSION("watcher");

static const char doc[] =
    "Wait for a process to end, and put the host back if it left something to be undone.\v"
#include "help.inc"
    ;

enum {
    KEY_PID = 0x100,
    KEY_HARNESS_CGROUP,
    KEY_INSTALL_CGROUP,
    KEY_OWN_CGROUP,
    KEY_JOURNAL,
    KEY_LOG,
    KEY_INSTALL_WAIT,
    KEY_STOPPED_WARNING,
    KEY_STOPPED_LIMIT,
};

static const struct argp_option argp_options[] = {
    {"pid", KEY_PID, "PID", 0, "The process to wait for", 1},
    {"harness-cgroup", KEY_HARNESS_CGROUP, "PATH", 0,
     "A cgroup in which everything is killed, and in those below it; may be repeated", 1},
    {"install-cgroup", KEY_INSTALL_CGROUP, "PATH", 0,
     "A cgroup whose processes are waited for before that; may be repeated", 1},
    {"own-cgroup", KEY_OWN_CGROUP, "PATH", 0,
     "A cgroup to make and go into, which is removed at the end; may be repeated", 1},
    {"journal", KEY_JOURNAL, "FILE", 0, "What there is to undo; nothing if it is empty or missing", 1},
    {"log", KEY_LOG, "FILE", 0, "Where to append what happened; it is created for root only", 1},
    {"install-wait", KEY_INSTALL_WAIT, "SECONDS", 0,
     "How long to wait for the processes of install cgroups, at most, 0 to 86400 (default: 1800)", 2},
    {"stopped-warning", KEY_STOPPED_WARNING, "SECONDS", 0,
     "Say that PID is stopped after that long, 1 to 86400 (default: 60)", 2},
    {"stopped-limit", KEY_STOPPED_LIMIT, "SECONDS", 0,
     "Kill PID when it has been stopped for that long, 1 to 86400 (default: 600)", 2},
    {0},
};

/* A relative one would lead elsewhere from the root folder, where the daemon works. */
static const char *parse_path(const char *option, const char *text)
{
    usage_check_value(option, text, text[0] == '/' ? NULL : "expected an absolute path");
    return text;
}

static void add_path(struct paths *paths, const char *option, const char *text)
{
    if (paths->count == PATHS_MAX)
        errx(EXIT_USAGE, "--%s '%s': expected it %d times at most", option, text, PATHS_MAX);
    paths->list[paths->count++] = parse_path(option, text);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case KEY_PID:
        options->pid = (pid_t)usage_number("pid", arg, 1, INT_MAX);
        return 0;
    case KEY_HARNESS_CGROUP:
        add_path(&options->harness, "harness-cgroup", arg);
        return 0;
    case KEY_INSTALL_CGROUP:
        add_path(&options->install, "install-cgroup", arg);
        return 0;
    case KEY_OWN_CGROUP:
        add_path(&options->own, "own-cgroup", arg);
        return 0;
    case KEY_JOURNAL:
        options->journal_path = parse_path("journal", arg);
        return 0;
    case KEY_LOG:
        options->log_path = parse_path("log", arg);
        return 0;
    case KEY_INSTALL_WAIT:
        options->install_wait_ns = (int64_t)usage_number("install-wait", arg, 0, WAIT_MAX_S) * NS_PER_SEC;
        return 0;
    case KEY_STOPPED_WARNING:
        options->stopped_warning_s = (unsigned)usage_number("stopped-warning", arg, 1, WAIT_MAX_S);
        return 0;
    case KEY_STOPPED_LIMIT:
        options->stopped_limit_s = (unsigned)usage_number("stopped-limit", arg, 1, WAIT_MAX_S);
        return 0;
    case ARGP_KEY_ARG:
        /* Not one by one: all of them come next. */
        return ARGP_ERR_UNKNOWN;
    case ARGP_KEY_ARGS:
        options->command = state->argv + state->next;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {
        .options = argp_options, .parser = parse_option, .args_doc = "-- COMMAND [ARG...]", .doc = doc};

    *options = (struct options){.install_wait_ns = INSTALL_WAIT_DEFAULT_S * NS_PER_SEC,
                                .stopped_warning_s = STOPPED_WARNING_DEFAULT_S,
                                .stopped_limit_s = STOPPED_LIMIT_DEFAULT_S};
    usage_parse(&argp, argc, argv, options);
    if (options->pid == 0)
        errx(EXIT_USAGE, "no process: expected --pid PID");
    if (options->harness.count == 0)
        errx(EXIT_USAGE, "no cgroup: expected --harness-cgroup PATH");
    if (!options->journal_path)
        errx(EXIT_USAGE, "no journal: expected --journal FILE");
    if (!options->log_path)
        errx(EXIT_USAGE, "no log: expected --log FILE");
    if (!options->command)
        errx(EXIT_USAGE, "no command: expected -- COMMAND [ARG...]");
    if (options->command[0][0] != '/' && strchr(options->command[0], '/'))
        errx(EXIT_USAGE, "command '%s': expected an absolute path, or a name to look for in PATH",
             options->command[0]);
}
