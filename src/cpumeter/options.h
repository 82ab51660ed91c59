/* The command line. */
#ifndef CPUMETER_OPTIONS_H
#define CPUMETER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/usage.h"
#include "owner.h"

struct named {
    const char *name;
    const char *path;
    pid_t pid;
};

struct named_list {
    struct named *items;
    size_t count;
};

struct options {
    struct named_list cgroups;
    struct named_list memory_cgroups;
    struct named_list pids;
    struct named_list kthreads;
    bool host;
    bool memory;
    bool bpf;
    struct owner *owners;
    size_t owner_count;
    bool has_bpf_since;
    uint32_t bpf_since;
    bool once;
    int64_t interval_ns;     /* 0: none */
    int64_t duration_ns;     /* 0: until a signal */
    const char *output_path; /* NULL: stdout */
    bool verbose;
};

/* The item of that name, or NULL. */
const struct named *named_find(const struct named_list *list, const char *name);

/* Ends the program with one line on stderr and EXIT_USAGE if the command line is not right. */
void options_parse(struct options *options, int argc, char **argv);

#endif
