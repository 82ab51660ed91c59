#include "options.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

const char *argp_program_version = USAGE_VERSION("cpumeter");

static const char doc[] =
    "Read CPU time counters at the two ends of a window, and in between if wanted, as CSV.\v"
#include "help.inc"
    ;

enum { KEY_MEMORY_CGROUP = 0x100, KEY_BPF_OWNER, KEY_BPF_SINCE, KEY_ONCE };

static const struct argp_option argp_options[] = {
    {NULL, 0, NULL, 0, "Sources:", 1},
    {"cgroup", 'c', "NAME=PATH", 0, "The cgroup in the folder PATH and all below it; v1 cpuacct or v2", 1},
    {"pid", 'p', "NAME=PID", 0, "A process, without its children", 1},
    {"kthread", 'k', "NAME", 0, "All kernel threads of that name, as in kauditd", 1},
    {"host", 'H', NULL, 0, "The whole machine", 1},
    {"bpf", 'b', NULL, 0, "BPF programs: all, or those of any of the next two options, which imply it", 1},
    {"bpf-owner", KEY_BPF_OWNER, "OWNER", 0,
     "Programs held by file descriptors; OWNER: pid=N, or cgroup=PATH for all processes in and below it", 1},
    {"bpf-since", KEY_BPF_SINCE, "ID", 0, "Programs with an id above ID", 1},
    {"memory", 'm', NULL, 0, "Also the memory of every --pid, and of every --cgroup that counts it", 1},
    {"memory-cgroup", KEY_MEMORY_CGROUP, "NAME=PATH", 0,
     "Memory of the cgroup in the folder PATH; instead of that of the --cgroup of the same name", 1},
    {NULL, 0, NULL, 0, "Readings:", 2},
    {"duration", 'd', "SECONDS", 0, "Length of the window (default: until SIGINT, SIGTERM or SIGHUP)", 2},
    {"interval", 'i', "SECONDS", 0, "Also read every so often (default: at the two ends only)", 2},
    {"once", KEY_ONCE, NULL, 0, "One reading", 2},
    {"output", 'o', "FILE", 0, "Where to write; '-' is stdout (default)", 3},
    {"verbose", 'v', NULL, 0, "Say on stderr how long each reading took", 3},
    {0},
};

const struct named *named_find(const struct named_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static void add_named(struct named_list *list, const char *option, struct named item)
{
    if (named_find(list, item.name))
        errx(EXIT_USAGE, "--%s '%s': expected a name that was not given before", option, item.name);
    list->items = reallocarray(list->items, list->count + 1, sizeof(item));
    if (!list->items)
        err(EXIT_FAILURE, "cannot allocate options");
    list->items[list->count++] = item;
}

static void add_path(struct named_list *list, const char *option, char *arg)
{
    struct named item = {0};

    usage_check_value(option, arg, parse_named(arg, &item.name, &item.path));
    add_named(list, option, item);
}

static void add_pid(struct named_list *list, char *arg)
{
    struct named item = {0};
    const char *pid;

    usage_check_value("pid", arg, parse_named(arg, &item.name, &pid));
    usage_check_value("pid", pid, parse_pid(pid, &item.pid));
    add_named(list, "pid", item);
}

static void add_kthread(struct named_list *list, const char *arg)
{
    usage_check_value("kthread", arg, parse_name(arg));
    add_named(list, "kthread", (struct named){.name = arg});
}

static void add_owner(struct options *options, const char *arg)
{
    struct owner owner;

    usage_check_value("bpf-owner", arg, parse_owner(arg, &owner));
    options->owners = reallocarray(options->owners, options->owner_count + 1, sizeof(owner));
    if (!options->owners)
        err(EXIT_FAILURE, "cannot allocate options");
    options->owners[options->owner_count++] = owner;
    options->bpf = true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case 'c':
        add_path(&options->cgroups, "cgroup", arg);
        return 0;
    case KEY_MEMORY_CGROUP:
        add_path(&options->memory_cgroups, "memory-cgroup", arg);
        return 0;
    case 'p':
        add_pid(&options->pids, arg);
        return 0;
    case 'k':
        add_kthread(&options->kthreads, arg);
        return 0;
    case 'H':
        options->host = true;
        return 0;
    case 'b':
        options->bpf = true;
        return 0;
    case KEY_BPF_OWNER:
        add_owner(options, arg);
        return 0;
    case KEY_BPF_SINCE:
        usage_check_value("bpf-since", arg, parse_program_id(arg, &options->bpf_since));
        options->has_bpf_since = options->bpf = true;
        return 0;
    case 'm':
        options->memory = true;
        return 0;
    case 'd':
        usage_check_value("duration", arg, parse_seconds(arg, &options->duration_ns));
        return 0;
    case 'i':
        usage_check_value("interval", arg, parse_seconds(arg, &options->interval_ns));
        return 0;
    case KEY_ONCE:
        options->once = true;
        return 0;
    case 'o':
        options->output_path = arg;
        return 0;
    case 'v':
        options->verbose = true;
        return 0;
    default:
        return usage_default(key, arg, state);
    }
}

/* Rows of memory are told apart by name alone. */
static void check_memory_names(const struct options *options)
{
    for (size_t i = 0; i < options->pids.count; i++) {
        const char *name = options->pids.items[i].name;

        if (options->memory &&
            (named_find(&options->cgroups, name) || named_find(&options->memory_cgroups, name)))
            errx(EXIT_USAGE, "--pid '%s': with --memory, expected another name than that of a cgroup", name);
    }
}

void options_parse(struct options *options, int argc, char **argv)
{
    const struct argp argp = {.options = argp_options, .parser = parse_option, .doc = doc};

    *options = (struct options){0};
    usage_parse(&argp, argc, argv, options);
    if (!options->cgroups.count && !options->memory_cgroups.count && !options->pids.count &&
        !options->kthreads.count && !options->host && !options->bpf)
        errx(EXIT_USAGE,
             "nothing to read: expected --cgroup, --pid, --kthread, --host, --bpf or --memory-cgroup");
    if (options->memory && !options->cgroups.count && !options->pids.count)
        errx(EXIT_USAGE, "--memory: expected a --cgroup or --pid to read the memory of");
    if (options->once && (options->duration_ns || options->interval_ns))
        errx(EXIT_USAGE, "--once: expected neither --duration nor --interval with it");
    check_memory_names(options);
}
