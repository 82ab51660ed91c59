#include "counting.h"

#include <err.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

static const char EXECUTIONS_PROGRAM[] = "count_executions", SYSCALLS_PROGRAM[] = "count_syscalls";

/* counting_object.S */
extern const char counting_object[], counting_object_end[];

static int print_nothing(enum libbpf_print_level level, const char *format, va_list args)
{
    (void)level, (void)format, (void)args;
    return 0;
}

static struct bpf_program *find(const struct counting *counting, const char *name)
{
    struct bpf_program *program = bpf_object__find_program_by_name(counting->object, name);

    if (!program)
        errx(EXIT_FAILURE, "there is no BPF program %s", name);
    return program;
}

static struct bpf_link *attach(const struct counting *counting, const char *name, const char *tracepoint)
{
    struct bpf_link *link = bpf_program__attach(find(counting, name));

    if (!link)
        err(EXIT_FAILURE, "cannot attach to the tracepoint %s", tracepoint);
    return link;
}

void counting_begin(struct counting *counting, bool with_syscalls)
{
    LIBBPF_OPTS(bpf_object_open_opts, open_options, .object_name = "hostrates");
    int error;

    *counting = (struct counting){0};
    libbpf_set_print(print_nothing);
    counting->object =
        bpf_object__open_mem(counting_object, (size_t)(counting_object_end - counting_object), &open_options);
    if (!counting->object)
        err(EXIT_FAILURE, "cannot read the BPF programs");
    bpf_program__set_autoload(find(counting, SYSCALLS_PROGRAM), with_syscalls);
    error = bpf_object__load(counting->object);
    if (error)
        errx(EXIT_FAILURE, "cannot load the BPF programs: %s", strerror(-error));
    counting->executions = attach(counting, EXECUTIONS_PROGRAM, "sched_process_exec");
    if (with_syscalls)
        counting->syscalls = attach(counting, SYSCALLS_PROGRAM, "sys_enter");
}

void counting_read(const struct counting *counting, uint64_t counts[COUNTED_BY_BPF])
{
    const int cpus = libbpf_num_possible_cpus();
    const int map = bpf_object__find_map_fd_by_name(counting->object, "counted");
    uint64_t of_cpus[cpus > 0 ? cpus : 1][COUNTED_BY_BPF];
    uint32_t zero = 0;

    if (cpus < 0)
        errx(EXIT_FAILURE, "cannot get the number of CPUs: %s", strerror(-cpus));
    if (bpf_map_lookup_elem(map, &zero, of_cpus) != 0)
        err(EXIT_FAILURE, "cannot read what the BPF programs have counted");
    for (int i = 0; i < COUNTED_BY_BPF; i++) {
        counts[i] = 0;
        for (int cpu = 0; cpu < cpus; cpu++)
            counts[i] += of_cpus[cpu][i];
    }
}

static uint64_t missed_by(const struct counting *counting, const char *name)
{
    struct bpf_prog_info info = {0};
    uint32_t size = sizeof(info);

    if (bpf_obj_get_info_by_fd(bpf_program__fd(find(counting, name)), &info, &size) != 0)
        err(EXIT_FAILURE, "cannot get the counters of the BPF program %s", name);
    return info.recursion_misses;
}

uint64_t counting_missed(const struct counting *counting)
{
    return missed_by(counting, EXECUTIONS_PROGRAM) +
           (counting->syscalls ? missed_by(counting, SYSCALLS_PROGRAM) : 0);
}

void counting_end(struct counting *counting)
{
    bpf_link__destroy(counting->syscalls);
    bpf_link__destroy(counting->executions);
    bpf_object__close(counting->object);
    *counting = (struct counting){0};
}
