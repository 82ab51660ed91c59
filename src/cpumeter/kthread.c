#include "kthread.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/textfile.h"
#include "options.h"
#include "procdir.h"

#define KTHREADD_PID 2

bool kthread_matches(const char *stat, const char *name)
{
    const char *start = strchr(stat, '(');
    const char *end = strrchr(stat, ')'); /* a name may contain one */
    int parent;

    if (!start || !end || end < start)
        return false;
    start++;
    return (size_t)(end - start) == strlen(name) && strncmp(start, name, strlen(name)) == 0 &&
           sscanf(end, ") %*c %d", &parent) == 1 && parent == KTHREADD_PID;
}

static void add_if_matching(pid_t pid, void *context)
{
    struct kthread *kthread = context;
    struct process thread;
    char folder[32];
    const char *stat;

    snprintf(folder, sizeof(folder), "/proc/%d", pid);
    stat = textfile_read_once(folder, "stat");
    if (!stat || !kthread_matches(stat, kthread->name) || !process_open(&thread, kthread->name, pid))
        return;
    kthread->threads = reallocarray(kthread->threads, kthread->count + 1, sizeof(*kthread->threads));
    if (!kthread->threads)
        err(EXIT_FAILURE, "cannot allocate %zu threads", kthread->count + 1);
    kthread->threads[kthread->count++] = thread;
}

void kthread_open(struct kthread *kthread, const char *name)
{
    *kthread = (struct kthread){.name = name};
    if (!procdir_each_number("/proc", add_if_matching, kthread))
        err(EXIT_FAILURE, "cannot list /proc");
    if (kthread->count == 0)
        errx(EXIT_USAGE, "--kthread '%s': expected the name of a running kernel thread", name);
}

void kthread_read(struct kthread *kthread, struct rows *rows)
{
    uint64_t cpu_ns = 0;
    bool reset = false;
    bool gone = false;

    for (size_t i = 0; i < kthread->count; i++) {
        reset = process_update(&kthread->threads[i]) || reset;
        gone = gone || kthread->threads[i].gone;
        cpu_ns += counter_value(&kthread->threads[i].counter);
    }
    rows_add_cpu(rows, "kthread", kthread->name, cpu_ns,
                 gone ? STATUS_GONE : (reset ? STATUS_RESET : STATUS_OK));
}
