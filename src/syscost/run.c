#include "run.h"

#include <err.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/group.h"
#include "../common/signals.h"
#include "../common/usage.h"

/* All of it before the start, so that measuring neither allocates nor faults. */
static void *shared_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    if (memory == MAP_FAILED)
        err(EXIT_FAILURE, "cannot allocate %zu bytes for the results", size);
    return memory;
}

/* No slice is shorter than slice_ns but the last one. */
static size_t slices_of_a_worker(const struct options *options)
{
    return (size_t)(options->duration_ns / options->slice_ns) + 1;
}

static void check_room(size_t slices)
{
    const uint64_t half_memory = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t limit = half_memory / sizeof(struct slice);

    if (slices > limit)
        errx(EXIT_USAGE,
             "%zu slices are too many to record in half of this machine's memory, expected up to %llu: "
             "longer ones or a shorter duration",
             slices, (unsigned long long)limit);
}

void run_init(struct run *run, const struct options *options)
{
    const size_t capacity = slices_of_a_worker(options);
    struct slice *slices;
    struct prng seeds;
    int cpu = -1;

    if (options->has_groups)
        group_check(options->groups);
    *run = (struct run){.options = options, .worker_count = cpulist_count(&options->cpus)};
    check_room(run->worker_count * capacity);
    run->shared = shared_memory(sizeof(*run->shared));
    run->workers = shared_memory(run->worker_count * sizeof(*run->workers));
    slices = shared_memory(run->worker_count * capacity * sizeof(*slices));
    prng_init(&seeds, options->seed);
    for (unsigned i = 0; i < run->worker_count; i++) {
        cpu = cpulist_next(&options->cpus, (unsigned)(cpu + 1));
        run->workers[i] = (struct worker){.cpu = (unsigned)cpu,
                                          .seed = prng_next(&seeds),
                                          .slices = slices + i * capacity,
                                          .capacity = capacity};
    }
}

static void kill_workers(struct run *run)
{
    run->killed = true;
    for (unsigned i = 0; i < run->worker_count; i++)
        if (run->workers[i].pid)
            kill(run->workers[i].pid, SIGKILL);
}

static void start_workers(struct run *run)
{
    const pid_t self = getpid();
    const int64_t stop_ns = run->start_ns + run->options->duration_ns;

    for (unsigned i = 0; i < run->worker_count; i++) {
        struct worker *worker = &run->workers[i];
        const pid_t pid = fork();

        if (pid < 0) {
            shared_fail(run->shared, "cannot create a process");
            return;
        }
        if (pid == 0)
            worker_main(worker, run->options, run->shared, stop_ns, self);
        worker->pid = pid;
    }
}

/* Without a reason of its own in run->shared already. One that kill_workers() has ended
 * has not failed. */
static void note_end(struct run *run, const struct worker *worker, int status)
{
    if (WIFSIGNALED(status) && !run->killed)
        shared_failx(run->shared, "the process that measures on CPU %u was ended by SIG%s", worker->cpu,
                     sigabbrev_np(WTERMSIG(status)));
    else if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_SUCCESS)
        shared_failx(run->shared, "the process that measures on CPU %u ended early", worker->cpu);
}

/* Returns whether the worker has ended. */
static bool reap(struct run *run, struct worker *worker)
{
    int status;
    const pid_t ended = waitpid(worker->pid, &status, WNOHANG);

    if (ended < 0)
        err(EXIT_FAILURE, "cannot wait for the process that measures on CPU %u", worker->cpu);
    if (ended == 0)
        return false;
    worker->pid = 0;
    note_end(run, worker, status);
    return true;
}

/* Returns whether there are any left. */
static bool reap_workers(struct run *run)
{
    bool left = false;

    for (unsigned i = 0; i < run->worker_count; i++)
        if (run->workers[i].pid && !reap(run, &run->workers[i]))
            left = true;
    return left;
}

/* Waits for the end, or for signals: the first stops the measuring, any further kills what hangs in a call.
 */
static void supervise(struct run *run, const sigset_t *signals)
{
    while (reap_workers(run)) {
        int signal;

        sigwait(signals, &signal);
        if (signal == SIGCHLD)
            continue;
        if (run->interrupted_by)
            kill_workers(run);
        run->interrupted_by = signal;
        atomic_store(&run->shared->stop, true);
    }
}

void run_measure(struct run *run)
{
    sigset_t signals = signals_block(NULL);

    sigaddset(&signals, SIGCHLD);
    /* Who ignores it has no children to wait for. */
    signal(SIGCHLD, SIG_DFL);
    run->real_offset_ns = clock_offset_ns();
    run->start_ns = now_ns();
    start_workers(run);
    supervise(run, &signals);
    run->end_ns = now_ns();
    run->real_step_ns = clock_offset_ns() - run->real_offset_ns;
    if (atomic_load(&run->shared->failed))
        errx(EXIT_FAILURE, "%s", run->shared->failure);
}

void run_free(struct run *run)
{
    const size_t slices = run->worker_count * run->workers[0].capacity;

    munmap(run->workers[0].slices, slices * sizeof(struct slice));
    munmap(run->workers, run->worker_count * sizeof(*run->workers));
    munmap(run->shared, sizeof(*run->shared));
}
