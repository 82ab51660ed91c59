#include "meter.h"

#include <err.h>
#include <stdlib.h>

#include "../common/clock.h"

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (!memory)
        err(EXIT_FAILURE, "cannot allocate %zu sources", count);
    return memory;
}

static void open_memory(struct meter *meter, const struct options *options)
{
    meter->memory = allocate(options->cgroups.count + options->memory_cgroups.count + options->pids.count,
                             sizeof(*meter->memory));
    for (size_t i = 0; i < options->memory_cgroups.count; i++) {
        const struct named *item = &options->memory_cgroups.items[i];

        if (!memory_open_cgroup(&meter->memory[meter->memory_count++], item->name, item->path))
            err(EXIT_USAGE,
                "--memory-cgroup '%s=%s': expected a cgroup with memory.current or memory.usage_in_bytes",
                item->name, item->path);
    }
    if (!options->memory)
        return;
    for (size_t i = 0; i < options->cgroups.count; i++) {
        const struct named *item = &options->cgroups.items[i];

        /* CPU time and memory are often counted in different hierarchies. */
        if (!named_find(&options->memory_cgroups, item->name) &&
            memory_open_cgroup(&meter->memory[meter->memory_count], item->name, item->path))
            meter->memory_count++;
    }
    for (size_t i = 0; i < options->pids.count; i++)
        memory_open_process(&meter->memory[meter->memory_count++], options->pids.items[i].name,
                            options->pids.items[i].pid);
}

void meter_open(struct meter *meter, const struct options *options)
{
    *meter = (struct meter){.options = options};
    meter->cgroups = allocate(options->cgroups.count, sizeof(*meter->cgroups));
    meter->processes = allocate(options->pids.count, sizeof(*meter->processes));
    meter->kthreads = allocate(options->kthreads.count, sizeof(*meter->kthreads));
    for (size_t i = 0; i < options->cgroups.count; i++)
        cgroup_open(&meter->cgroups[i], options->cgroups.items[i].name, options->cgroups.items[i].path);
    for (size_t i = 0; i < options->pids.count; i++) {
        const struct named *item = &options->pids.items[i];

        if (!process_open(&meter->processes[i], item->name, item->pid))
            err(EXIT_USAGE, "--pid '%s=%d': expected a running process", item->name, item->pid);
    }
    for (size_t i = 0; i < options->kthreads.count; i++)
        kthread_open(&meter->kthreads[i], options->kthreads.items[i].name);
    open_memory(meter, options);
    if (options->host)
        host_open(&meter->host);
    if (options->bpf)
        bpf_open(&meter->bpf, options);
}

const struct rows *meter_read(struct meter *meter)
{
    const struct options *options = meter->options;
    struct rows *rows = &meter->rows;

    rows->count = 0;
    clock_read(&meter->sleep_watch, rows);
    for (size_t i = 0; i < options->cgroups.count; i++)
        cgroup_read(&meter->cgroups[i], rows);
    for (size_t i = 0; i < options->pids.count; i++)
        process_read(&meter->processes[i], rows);
    for (size_t i = 0; i < options->kthreads.count; i++)
        kthread_read(&meter->kthreads[i], rows);
    if (options->host)
        host_read(&meter->host, rows);
    if (options->bpf)
        bpf_read(&meter->bpf, rows);
    for (size_t i = 0; i < meter->memory_count; i++)
        memory_read(&meter->memory[i], rows);
    rows_add_cpu(rows, "self", "cpumeter", (uint64_t)clock_ns(CLOCK_PROCESS_CPUTIME_ID), STATUS_OK);
    return rows;
}
